# extfn: sleep_for_ever() -> text impure
# expect: TIMEOUT
# layer: clock
# Uses no processor time at all.
sleep(1e6)
