# extfn: deep_stack() -> text impure
# expect: CONTAINED
# layer: rlimits interpreter
# The same through C, where the interpreter's own guard is not.
compare(a, b) = (deeper(); Cint(0))
function deeper()
    numbers = zeros(Cint, 2)
    ccall(:qsort, Cvoid, (Ptr{Cint}, Csize_t, Csize_t, Ptr{Cvoid}), numbers, 2, 4,
        @cfunction(compare, Cint, (Ref{Cint}, Ref{Cint})))
end
deeper()
result = "done"
