# extfn: sleep() -> text impure
# expect: TIMEOUT
# layer: clock
# Uses no processor time at all.
Sys.sleep(1e6)
