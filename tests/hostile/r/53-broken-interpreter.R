# extfn: broken_interpreter() -> text impure
# expect: CONTAINED
# layer: supervisor decoder
# Overwrites what the interpreter works with, as a hole in it would allow.
bytes <- as.integer(c(0x41414141, 0x41414141))
for (i in 1:1000) .C("R_chk_free", bytes)
result <- "done"
