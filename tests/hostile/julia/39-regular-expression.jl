# extfn: regular_expression() -> text impure
# expect: TIMEOUT
# layer: clock
# An expression that takes twice as long for every letter, in C, where no signal is looked at.
attempt() = try
    match(r"(a*)*b", "a"^40)
catch
end
while true
    attempt()
end
