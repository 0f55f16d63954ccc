# extfn: flood_of_answers() -> text impure
# expect: ERROR worker broke the protocol
# layer: decoder
# Writes without end where the answers of its driver go.
text = "x"^65536
while true
    ccall(:write, Cssize_t, (Cint, Cstring, Csize_t), 4, text, 65536)
end
