# What went wrong, in words. SPDX-License-Identifier: MIT

const TYPE_TEXT = ["Number", "Boolean", "Text", "DateTime", "Enum"]
const MESSAGE_LIMIT = 1900

# ---- Failures: values ----

shorten(text, size) = length(text) <= size ? text : first(text, size - 3) * "..."

function is_moment(value)
    type = typeof(value)
    return nameof(type) === :DateTime && nameof(parentmodule(type)) === :Dates
end

function describe_text(value)
    short = first(String(value), 60)
    return isvalid(short) ? "Text '$short'" : "Text"
end

function describe_integer(value)
    is_huge = value isa BigInt && ndigits(value, base=2) > 512
    return "Number " * (is_huge ? "(too long to show)" : shorten(string(value), 70))
end

function describe_known(value, kind)
    value isa Bool && return "Boolean $value"
    value isa Union{Base.BitInteger,BigInt} && return describe_integer(value)
    value isa Union{Base.IEEEFloat,BigFloat} && return "Number $value"
    value isa AbstractString && return describe_text(value)
    is_moment(value) && return "DateTime $value"
    value isa Union{Tuple,AbstractArray} && return "$kind of length $(length(value))"
    value isa Union{Char,Symbol,Number} && return shorten("$kind $(repr(value))", 70)
    return kind
end

function describe_value(value)
    value === nothing && return "nothing"
    value === missing && return "missing"
    kind = string(typeof(value))
    try
        return describe_known(value, kind)
    catch
        return kind
    end
end

function describe_broken(problem, value, expected)
    problem === :draws && return "vectorized body draws random numbers"
    problem === :size && return "result has $(value[1]) rows, expected $(value[2])"
    problem === :differs &&
        return "vectorized body does not treat each row alone: row $value differs"
    return "return type mismatch: expected a column of $expected, got $(describe_value(value))"
end

function describe_unfit(guest, problem, value)
    problem in BROKEN && return describe_broken(problem, value, TYPE_TEXT[guest.return_type])
    got = describe_value(value)
    expected = TYPE_TEXT[guest.return_type]
    problem === :unset && return "function body did not set `result`"
    problem === :unicode && return "result is not valid Unicode text"
    problem === :overflow && return "result out of range: integer too large for a Number"
    size = problem === :large ? cld(sizeof(value), 1 << 20) : 0
    size > 0 && return "result too large: $size MiB, the limit is 16 MiB"
    if problem === :range && expected == "Enum"
        return "result out of range: Enum is 0 to 4294967295, got $got"
    elseif problem === :range
        return "result out of range: DateTime is in the years 0001 to 9999"
    end
    return "return type mismatch: expected $expected, got $got"
end

# ---- Failures ----


# What the compiler and the interpreter call the text of the body.
const BODY_FILES = (Symbol(FILE), Symbol("./" * FILE))

# Looking one up takes about a millisecond, and rows fail at the same places.
const KNOWN_LINES = Dict{Ptr{Nothing},Int}()
const KNOWN_LINES_LIMIT = 10000

function find_line(address)
    for frame in StackTraces.lookup(address)
        frame.file in BODY_FILES && frame.line > 0 && return Int(frame.line)
    end
    return 0
end

# The line of the author's text at this place; 0 where it is none of his.
function known_line(address)
    address isa Ptr || return find_line(address)
    length(KNOWN_LINES) < KNOWN_LINES_LIMIT || empty!(KNOWN_LINES)
    return get!(() -> find_line(address), KNOWN_LINES, Ptr{Nothing}(address))
end

# The innermost line of the author's text; 0 where none of it is on the stack.
function innermost_line(backtrace)
    for address in backtrace
        line = known_line(address)
        line > 0 && return line
    end
    return 0
end

function message_of(failure)
    failure isa ErrorException && return failure.msg
    told = sprint(showerror, failure)
    if failure isa MethodError # what follows names files of this machine
        told = String(first(split(told, "\nClosest candidates")))
    end
    return told
end

# `TYPE: message (line N)`, in the shape of all languages.
function describe_failure(guest, failure, line)
    if failure isa Unfit
        return cut_message(describe_unfit(guest, failure.problem, failure.value), "")
    end
    if failure isa BadSyntax
        return cut_message("SyntaxError: $(failure.message)", " (line $(failure.line))")
    end
    kind = failure isa Exception ? String(nameof(typeof(failure))) : string(typeof(failure))
    told = ""
    try
        told = String(rstrip(compiled(message_of, failure)))
    catch
        set_compiled(false)
    end
    if !startswith(told, kind)
        told = isempty(told) ? kind : "$kind: $told"
    elseif told == "$kind:" || told == "$kind()"
        told = kind
    end
    return cut_message(told, line > 0 ? " (line $line)" : "")
end

# At most MESSAGE_LIMIT bytes, cut at a character.
function cut_message(text, suffix)
    text = isvalid(text) ? replace(text, '\0' => "\\0") : "message is not valid Unicode text"
    room = MESSAGE_LIMIT - sizeof(suffix)
    return (sizeof(text) <= room ? text : text[1:prevind(text, thisind(text, room + 1))]) * suffix
end

# The author's own exception in what Julia put around it.
function unwrap(failure)
    while failure isa LoadError
        failure = failure.error
    end
    return failure
end

# What went wrong before any row: a macro's own words, at the line of its call.
function describe_setup(guest, failure)
    line = failure isa LoadError ? Int(failure.line) : 0
    return describe_failure(guest, unwrap(failure), line)
end

# The row under way; of a vectorized call all that are left.
function end_rows(job, status)
    guest = job.guest
    slots = Ptr{UInt64}(guest.reply + slots_offset(guest.rows))
    slot = unsafe_load(slots, guest.row + 1)
    end_one(job, status)
    while is_vectorized(job) && guest.row < guest.rows
        write_slot(guest, slot)
        end_row(guest, status)
    end
end

function fail(job, failure, backtrace)
    guest = job.guest
    failure = unwrap(failure)
    failure isa Unfit && failure.problem in BROKEN && (guest.outcome = DONE_REFUSED)
    if failure isa OutOfMemoryError
        return end_rows(job, MEMORY)
    end
    line = failure isa Unfit ? 0 : innermost_line(backtrace)
    write_text(guest, describe_failure(guest, failure, line))
    end_rows(job, ERROR)
end

#: end
