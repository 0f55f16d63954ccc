# One attack a row, in the order of doctor.h. SPDX-License-Identifier: MIT
told(has_succeeded) = has_succeeded ? "got through" :
    "refused: " * unsafe_string(ccall(:strerror, Cstring, (Cint,), Libc.errno()))

function attempt(action)
    try
        action()
        "got through"
    catch failure
        failure isa SystemError || failure isa Base.IOError || rethrow()
        "refused"
    end
end

# What does not fit is lost without a word, or kills: Julia's compiler maps files in /tmp.
function fill_tmp()
    piece = zeros(UInt8, 1 << 20)
    for number in 1:200
        path = "/tmp/extfn-doctor-$number"
        write(path, piece)
        filesize(path) == 1 << 20 || return false
    end
    true
end

share_memory(size) = ccall(:mmap, Ptr{Cvoid}, (Ptr{Cvoid}, Csize_t, Cint, Cint, Cint, Int64),
    C_NULL, size, 3, 33, -1, 0) != Ptr{Cvoid}(-1)

function start_process()
    child = ccall(:fork, Cint, ())
    child == 0 && ccall(:_exit, Cvoid, (Cint,), 0)
    child > 0
end

function reach_network(port)
    fd = ccall(:socket, Cint, (Cint, Cint, Cint), 2, 1, 0)
    address = UInt8[2, 0, port >> 8, port & 255, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    ccall(:connect, Cint, (Cint, Ptr{UInt8}, Cint), fd, address, 16) == 0
end

function try_attack(step, memory, port)
    step == 0 && return attempt(() -> read("/etc/passwd"))
    step == 1 && return told(ccall(:access, Cint, (Cstring, Cint), "/proc/1/stat", 0) == 0)
    step == 2 && return any(in(keys(ENV)), split("SHELL USER LOGNAME TERM SHLVL")) ? "got through" :
        "refused"
    step == 3 && return attempt(() -> (write("/home/extfn-doctor", ""); rm("/home/extfn-doctor")))
    step == 4 && return told(start_process())
    step == 5 && return told(ccall(:system, Cint, (Cstring,), "exit 0") == 0)
    step == 6 && return told(ccall(:kill, Cint, (Cint, Cint), ccall(:getppid, Cint, ()), 0) == 0)
    step == 7 && return told(reach_network(port))
    step == 8 && return told(ccall(:socket, Cint, (Cint, Cint, Cint), 1, 1, 0) >= 0)
    step == 9 && return told(ccall(:setuid, Cint, (Cuint,), 0) == 0)
    step == 10 && return told(share_memory(memory))
    step == 11 && return told(!isempty(Vector{UInt8}(undef, memory)))
    step == 12 && return fill_tmp() ? "got through" : "refused"
    while true
    end
end

result = try_attack(Int(step), Int(memory), Int(port))
