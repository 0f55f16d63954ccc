# Results checked against the declared type. SPDX-License-Identifier: MIT

# What a body's result may be, and what becomes of it:
#
#   Number    Integer but Bool        to nearest; a BigInt or other that overflows is refused
#             AbstractFloat           to nearest (Float16, Float32, Float64, BigFloat)
#             Bool, Rational, Irrational (pi), Complex, Char, Date, Period: refused
#   Boolean   Bool
#   Text      AbstractString (String, SubString ...), valid Unicode; Char and Symbol: refused
#   DateTime  Dates.DateTime in the years 1 to 9999; Date, Time: refused
#   Enum      Integer but Bool, 0 to 2^32-1; 7.0: refused
#
# nothing, missing and vectors, also those with one element, are never a value.

# ---- Values ----

function convert_number(guest, value)
    value isa Float64 && return value
    is_number = (value isa Integer && !(value isa Bool)) || value isa AbstractFloat
    is_number || throw(Unfit(:type, value))
    number = Float64(value)::Float64
    value isa Integer && isinf(number) && throw(Unfit(:overflow, value))
    return number
end

convert_boolean(guest, value) = Int64(value isa Bool ? value : throw(Unfit(:type, value)))

function convert_enum(guest, value)
    (value isa Integer && !(value isa Bool)) || throw(Unfit(:type, value))
    0 <= value <= typemax(UInt32) || throw(Unfit(:range, value))
    return Int64(value)
end

function convert_datetime(guest, value)
    type = typeof(value)
    is_moment = nameof(type) === :DateTime && nameof(parentmodule(type)) === :Dates
    is_moment || throw(Unfit(:type, value))
    milliseconds = value.instant.periods.value::Int64
    # 0001-01-01 and 10000-01-01
    86400000 <= milliseconds < 315537984000000 || throw(Unfit(:range, value))
    return to_moment(milliseconds)
end

function convert_text(guest, value)
    value isa AbstractString || throw(Unfit(:type, value))
    text = String(value)::String
    isvalid(text) || throw(Unfit(:unicode, value))
    sizeof(text) > VALUE_LIMIT && throw(Unfit(:large, value))
    return text
end

# What a row's slot holds; of a text the text.
function convert_value(guest, value)
    type = guest.return_type
    type == NUMBER && return convert_number(guest, value)
    type == BOOLEAN && return convert_boolean(guest, value)
    type == ENUM && return convert_enum(guest, value)
    type == DATETIME && return convert_datetime(guest, value)
    return convert_text(guest, value)
end

store(guest, value) = value isa String ? write_text(guest, value) : write_slot(guest, value)

# Not inlined: the loop over rows has a shorter way for what needs no conversion.
@noinline function write_value(guest, @nospecialize(value))
    store(guest, convert_value(guest, value))
    return nothing
end

#: driver
