# Setup, then calls until the host closes the pipe. SPDX-License-Identifier: MIT

# What the interpreter cannot do, in one function, as each that has to be compiled takes some
# milliseconds: the maps, the first frame and the seal.
@eval function open_guest(frame)
    request = ccall(:mmap, Ptr{UInt8}, (Ptr{Cvoid}, Csize_t, Cint, Cint, Cint, Int64),
                    C_NULL, 64 << 20, 1, 1, 5, 0)
    reply = ccall(:mmap, Ptr{UInt8}, (Ptr{Cvoid}, Csize_t, Cint, Cint, Cint, Int64),
                  C_NULL, 64 << 20, 3, 1, 6, 0)
    got = ccall(:read, Cssize_t, (Cint, Ptr{UInt8}, Csize_t), 3, frame, 24)
    is_ours = got == 24 && request != Ptr{UInt8}(-1) && reply != Ptr{UInt8}(-1)
    is_ours || ccall(:_exit, Cvoid, (Cint,), got == 24 ? 2 : 0)
    flags = unsafe_load(Ptr{UInt32}(request + 4096))
    sealed = flags & 2 == 0 ? Cint(0) : ccall((:xf_guest_seal, $(get(ARGS, 1, ""))), Cint, ())
    return request, reply, sealed, cglobal(:jl_options, Int8)
end

# Flags, type of the result, types and names of the arguments, body.
function read_setup(request)
    head = Ptr{UInt32}(request + MAP_START)
    types, names = Int[], Symbol[]
    count, names_size = Int(unsafe_load(head, 3)), Int(unsafe_load(head, 4))
    place = request + (MAP_START + 24 + 4 * count)
    body = unsafe_string(place + names_size, Int(unsafe_load(head, 5)))
    for k in 1:count
        name = unsafe_string(place)
        push!(types, unsafe_load(head, 6 + k))
        push!(names, Symbol(name))
        place += sizeof(name) + 1
    end
    return Int(unsafe_load(head, 1)), Int(unsafe_load(head, 2)), types, names, body
end

function compile_body(job)
    statements = parse_body(read_text(job.body))
    job.words = names_of(Expr(:block, statements...))
    has_name(job.words, :args) && push!(job.parameters, :args)
    for name in job.names
        has_name(job.words, name) && push!(job.parameters, name)
    end
    if !is_vectorized(job)
        job.run = make_plain_function(statements, job.words, job.parameters)
    end
    job.run === nothing && more("forms", :compile_other, job, statements)
    if job.run !== nothing && !is_vectorized(job)
        compiled(precompile, job.run, (parameter_types(job)...,)) # not in the time of a row
    end
    return nothing
end

# 0, or why the function cannot be served, and a message.
function prepare(job, sealed)
    sealed < 0 && return FAILURE_SEAL, "the process could not be sealed"
    try
        compile_body(job)
    catch failure
        set_compiled(false)
        failure isa StackOverflowError && return FAILURE_BODY, TOO_DEEP
        return FAILURE_BODY, more("failures", :describe_setup, job.guest, failure)
    end
    return 0, ""
end

# The parser of Julia 1.5 is of no more use then, so that nothing else can be read to tell it.
const TOO_DEEP = "SyntaxError: function body is too large or too deeply nested (line 1)"

function main()
    frame = Vector{UInt8}(undef, 24)
    request, reply, sealed, OPTIONS[1] = open_guest(pointer(frame))
    flags, return_type, types, names, body = read_setup(request)
    guest = Guest(Base.fdio("requests", 3, false), Base.fdio("replies", 4, false), request, reply,
                  frame, Ptr{UInt32}(pointer(frame)), return_type, 0, 0, 0, 0, false, 0)
    take_frame(guest) == SETUP || exit_now(2)
    job = Job(guest, flags, types, names, body, Any[], nothing, Any[], false, Names(), Any[], Main,
              nothing, 0, nothing, nothing, nothing)
    empty!(ARGS)
    reason, message = prepare(job, sealed)
    guest.row = 0
    if reason != 0
        write_text(guest, message)
        end_row(guest, ERROR)
        send_frame(guest, FAILED, reason)
        exit_now(0)
    end
    job.ready = sealed | (is_evaluated(job) ? EVALUATED : LAZY)
    is_evaluated(job) && prepare_statements(job)
    send_frame(guest, READY, job.ready)
    is_evaluated(job) ? Base.invokelatest(serve_always, job) : serve_always(job)
end

# All parts are read before, so that no method of the body's gets into them.
function prepare_statements(job)
    for part in ("forms", "failures", "world", "vectors")
        load(part)
    end
    is_vectorized(job) && more("compile", :compile_rows, job)
    push!(LOADED, "fixed")
    job.wear = Base.invokelatest(start_wear, job)
    return nothing
end

is_evaluated(job) = job.run === nothing

end # module

# It never comes back: what follows in this file is read by more().
ExtfnDriver.main()
