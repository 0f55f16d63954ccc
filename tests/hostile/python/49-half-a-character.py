# extfn: half_a_character() -> text impure
# expect: ERROR result is not valid Unicode text
# layer: driver decoder
# A text that is none.
result = "\udc80\ud800"
