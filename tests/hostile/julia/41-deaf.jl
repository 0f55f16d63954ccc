# extfn: deaf() -> text impure
# expect: TIMEOUT
# layer: clock supervisor
# Ignores every signal that can be ignored.
for number in setdiff(1:64, [9, 19, 32, 33])
    ccall(:signal, Ptr{Cvoid}, (Cint, Ptr{Cvoid}), number, Ptr{Cvoid}(1))
end
while true
end
