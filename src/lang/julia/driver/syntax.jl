#: failures
# Syntax errors in words. SPDX-License-Identifier: MIT

line_at(text, position) = 1 + count(isequal(0x0a), codeunits(text)[1:min(position - 1, end)])

function refuse_nul(text)
    line = line_at(text, first(findfirst("\0", text)))
    throw(BadSyntax("body holds U+0000", line))
end

# The old parser tells no line: it is that of the statement, of an incomplete one the last.
function refuse_syntax(text, failed)
    detail = failed.args[1]
    if !(detail isa String)
        told = sprint(showerror, detail)
        place = match(r"Error @ [^\n]*?:(\d+):\d+", told)
        reason = match(r"── (.*)", told)
        message = reason === nothing ? String(first(split(told, '\n'))) : String(reason.captures[1])
        throw(BadSyntax(message, place === nothing ? 1 : Base.parse(Int, place.captures[1])))
    end
    message = replace(detail, r"^syntax: |^incomplete: " => "")
    last_line = line_at(text, lastindex(rstrip(text)))
    is_expr(failed, :incomplete) && throw(BadSyntax(message, last_line))
    position = 1
    while position <= ncodeunits(text)
        statement, next = Meta.parse(text, position; greedy=true, raise=false)
        is_failed(statement) && break
        position = next
    end
    blank = match(r"^(\s|#=.*?=#|#[^\n]*\n)*"s, SubString(text, position))
    throw(BadSyntax(message, line_at(text, position + ncodeunits(blank.match))))
end

