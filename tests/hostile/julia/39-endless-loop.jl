# extfn: endless_loop() -> text impure
# expect: TIMEOUT
# layer: clock
# Computes for ever.
while true
end
