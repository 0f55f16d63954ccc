# extfn: thread_left_behind() -> text impure
# expect: CONTAINED
# layer: supervisor clean-up
# A task and a thread that go on when the function is done.
@async while true
    ccall(:write, Cssize_t, (Cint, Cstring, Csize_t), 4, "x"^24, 24)
    yield()
end
ccall(:pthread_create, Cint, (Ref{UInt}, Ptr{Cvoid}, Ptr{Cvoid}, UInt), Ref{UInt}(0), C_NULL,
    cglobal(:sleep), 1_000_000)
result = "done"
