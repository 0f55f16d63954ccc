# extfn: half_a_character() -> text impure
# expect: ERROR result is not valid Unicode text
# layer: driver decoder
# A text that is none.
result <- rawToChar(as.raw(c(0xed, 0xa0, 0x80)))
