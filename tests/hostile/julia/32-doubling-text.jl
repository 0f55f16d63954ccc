# extfn: doubling_text() -> text impure
# expect: MEMORY
# layer: rlimits
# Twice as much each time, of what is in use.
function grow(text)
    while true
        text *= text
    end
end
grow("x"^1000)
