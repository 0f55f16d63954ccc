# extfn: forged_answer() -> text impure
# expect: ERROR worker broke the protocol
# layer: decoder
# An answer to another call.
frame = UInt32[0x6e667865, 18 << 16 | 1, 99, 0, 1, 0]
ccall(:write, Cssize_t, (Cint, Ptr{UInt32}, Csize_t), 4, frame, 24)
while true
end
