# extfn: large_number() -> text impure
# expect: TIMEOUT
# layer: clock
# One operation that takes minutes.
number = big(7)^20_000_000
while true
    global number = number * number % (big(10)^1_000_000)
end
