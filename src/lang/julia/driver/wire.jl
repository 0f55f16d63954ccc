# The driver of Julia bodies: runs inside a worker (Julia 1.5 to 1.12), speaks the protocol of
# src/wire/wire.h on descriptors 3 to 6. Its argument is the path of the guest library. The drivers
# of all languages have the same sections and function names. SPDX-License-Identifier: MIT

# Compiling what runs once takes ten times longer than running it, and reading what nobody needs
# takes as long as all else. So this module is interpreted. The part named rows is also evaluated in
# a module that is compiled, when there is a second row, by the part named compile; the part named
# more is read when a body is not of the plainest kind, or fails.

module ExtfnDriver

# ---- Versions: all that differs between Julia 1.5 and 1.12, but for one store in compile.jl ----

# 1.5 can be told to interpret only for all code at once: by a byte of its options, which is set
# while something runs that is to be compiled. Later ones are told so for this module.
const IS_OLD = VERSION < v"1.6"
IS_OLD || Core.eval(@__MODULE__, Meta.parse(
    "Base.Experimental.@compiler_options compile=min optimize=0 infer=no"))

const COMPILE_ENABLED = fieldoffset(Base.JLOptions, 16)
const OPTIONS = Any[C_NULL] # main() finds them

function set_compiled(is_on)
    IS_OLD && unsafe_store!(OPTIONS[1] + COMPILE_ENABLED, is_on ? Int8(1) : Int8(3))
    return nothing
end

# Calls with all that Julia knows of now, compiled.
function compiled(f, args...)
    set_compiled(true)
    value = IS_OLD ? Core._apply_latest(f, args) : Base.invokelatest(f, args...)
    set_compiled(false)
    return value
end

# ---- Types ----

# What a body gave is no result: an `unset` one, or of another `type`; `overflow`, `range`,
# `unicode` or `large` tell why a value of the right type is none; those of BROKEN what a vectorized
# body did that does not do what the word says.
struct Unfit <: Exception
    problem::Symbol
    value::Any
end

const BROKEN = (:column, :size, :differs, :draws) # the whole batch is refused

struct BadSyntax <: Exception
    message::String
    line::Int
end

# The host as a worker sees it: `row` of `rows` is under way, `heap` is where the next text goes.
mutable struct Guest
    requests::IOStream
    replies::IOStream
    request::Ptr{UInt8}
    reply::Ptr{UInt8}
    frame::Vector{UInt8}
    words::Ptr{UInt32} # of the frame
    return_type::Int
    call::UInt32
    row::Int
    rows::Int
    heap::Int
    in_call::Bool
    outcome::Int
end

# One argument's values in the request map; the bytes of texts begin at `start`.
struct Column{T}
    values::Ptr{UInt8}
    start::Ptr{UInt8}
end

struct Text end
struct Moment end

#: rows

# ---- Numbers of wire.h ----

const MAGIC, WIRE_VERSION = 0x6e667865, 0x00000001
const MAP_SIZE, MAP_START, ROWS_LIMIT = 64 << 20, 4096, 1 << 20
const SETUP, CALL, CONTINUE, COMPILE = 1, 2, 3, 4
const READY, FAILED, DONE, FULL = 16, 17, 18, 19
const DONE_ROWS, DONE_REFUSED, DONE_WORN = 0, 1, 2
const VECTORIZED, SEAL, OWN_TMP = 1, 2, 4
const EVALUATED, LAZY = 2, 4
const FAILURE_BODY, FAILURE_LANGUAGE, FAILURE_SEAL = 1, 2, 3
const VALUE, ERROR, MEMORY = 0x01, 0x02, 0x03
const NUMBER, BOOLEAN, TEXT, DATETIME, ENUM = 1, 2, 3, 4, 5
const VALUE_LIMIT = 16 << 20

# ---- Frames ----

exit_now(status) = ccall(:_exit, Cvoid, (Cint,), status) # without a word to the body

align(offset) = (offset + 63) & ~63
slots_offset(rows) = align(MAP_START + rows)
heap_offset(rows) = align(slots_offset(rows) + 8 * rows)

# The type of the next frame, whose rows are now under way. The process ends with its host.
function read_frame(guest)
    try
        for k in 1:6
            unsafe_store!(guest.words, read(guest.requests, UInt32), k)
        end
    catch
        exit_now(0)
    end
    return take_frame(guest)
end

function take_frame(guest)
    guest.call = unsafe_load(guest.words, 3)
    guest.row = unsafe_load(guest.words, 4)
    guest.rows = unsafe_load(guest.words, 5)
    guest.heap = heap_offset(guest.rows)
    kind = unsafe_load(guest.words, 2)
    is_ours = unsafe_load(guest.words, 1) == MAGIC && kind & 0xffff == WIRE_VERSION
    (is_ours && guest.row <= guest.rows <= ROWS_LIMIT) || exit_now(2)
    return Int(kind >> 16)
end

function send_frame(guest, type, detail)
    words = guest.words
    unsafe_store!(words, MAGIC, 1)
    unsafe_store!(words, WIRE_VERSION | UInt32(type) << 16, 2)
    unsafe_store!(words, guest.call, 3)
    unsafe_store!(words, UInt32(guest.row), 4)
    unsafe_store!(words, UInt32(guest.rows), 5)
    unsafe_store!(words, UInt32(detail), 6)
    write(guest.replies, guest.frame)
    flush(guest.replies)
    return nothing
end

# Takes up the next call: from here on its rows count as begun.
begin_call(guest) = take_call(guest, read_frame(guest))

function take_call(guest, type)
    type == CALL || exit_now(2)
    unsafe_store!(Ptr{UInt32}(guest.reply), guest.call)
    guest.in_call = true
    guest.outcome = DONE_ROWS
    return nothing
end

function end_call(guest)
    guest.in_call = false
    return send_frame(guest, DONE, guest.outcome)
end

# ---- Rows ----

function write_slot(guest, value)
    slots = guest.reply + slots_offset(guest.rows)
    unsafe_store!(Ptr{typeof(value)}(slots), value, guest.row + 1)
    return nothing
end

function end_row(guest, status)
    write_status(guest.reply + (MAP_START + guest.row), status)
    guest.row += 1
    return nothing
end

# Puts a text into the heap and its place into the row's slot. The host reads a full heap first.
function write_text(guest, text)
    size = sizeof(text)
    if size > MAP_SIZE - guest.heap
        call, row = guest.call, guest.row
        send_frame(guest, FULL, 0)
        type = read_frame(guest)
        (type == CONTINUE && guest.call == call && guest.row == row) || exit_now(2)
    end
    unsafe_copyto!(guest.reply + guest.heap, pointer(text), size)
    write_slot(guest, UInt64(guest.heap) | UInt64(size) << 32)
    guest.heap += size
    return nothing
end

# ---- Arguments ----

stored(::Type{T}) where {T} = T
stored(::Type{Text}) = UInt32
stored(::Type{Moment}) = Int64
stored(::Type{Bool}) = UInt8

function open_column(::Type{T}, guest, k) where {T}
    heads = Ptr{UInt32}(guest.request + MAP_START)
    offset = Int(unsafe_load(heads, 2k - 1))
    start = Int(unsafe_load(heads, 2k))
    count = T === Text ? guest.rows + 1 : guest.rows
    size = count * sizeof(stored(T))
    is_inside = offset <= MAP_SIZE && start <= MAP_SIZE && size <= MAP_SIZE - offset
    is_inside || exit_now(2)
    return Column{T}(guest.request + offset, guest.request + start)
end

stored_value(column::Column{T}, row) where {T} =
    unsafe_load(Ptr{stored(T)}(column.values), row + 1)

get_value(column, row) = stored_value(column, row)
get_value(column::Column{Bool}, row) = stored_value(column, row) != 0x00
get_value(column::Column{Moment}, row) = to_milliseconds(stored_value(column, row))

function get_value(column::Column{Text}, row)
    ends = Ptr{UInt32}(column.values)
    first = Int(unsafe_load(ends, row + 1))
    return unsafe_string(column.start + first, Int(unsafe_load(ends, row + 2)) - first)
end

# Milliseconds since the year 0, as Julia counts them, and microseconds since 1970.
const EPOCH = 62135683200000

to_milliseconds(moment) = div(moment, 1000) + EPOCH
to_moment(milliseconds) = (milliseconds - EPOCH) * 1000
