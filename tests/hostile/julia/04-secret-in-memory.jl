# extfn: secret_in_memory() -> text impure
# expect: BLOCKED nothing
# layer: environment
# Looks for the host's environment around the own one, where the kernel puts it, page by page.
function page_at(address)
    seen = Ref{UInt8}(0)
    there = ccall(:mincore, Cint, (UInt, Csize_t, Ref{UInt8}), address, 4096, seen) == 0
    there ? unsafe_string(Ptr{UInt8}(address), 4096) : ""
end
strings = unsafe_load(cglobal(:environ, Ptr{UInt}))
first = unsafe_load(strings) & ~UInt(4095)
text = join(page_at(first + 4096 * i) for i in -64:64)
found = match(Regex("canary" * "-[0-9a-f]{32}"), text)
result = found === nothing ? "nothing" : "REACHED " * found.match
