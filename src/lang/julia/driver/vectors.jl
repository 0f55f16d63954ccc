#: vectors
# Columns as vectors. SPDX-License-Identifier: MIT

# ---- Vectorized ----

is_same(left, right) = left === right || (left != left && right != right)

function check_column(guest, column, rows)
    if !(column isa AbstractVector)
        throw(WordBroken(more("failures", :describe_no_column, guest, column)))
    end
    if length(column) != rows
        throw(WordBroken("result has $(length(column)) rows, expected $rows"))
    end
    return Any[convert_value(guest, value) for value in column]
end

refuse_draws() = throw(WordBroken("vectorized body draws random numbers"))

# Whether random numbers were drawn is seen by the generator, where the text does not tell.
function evaluate_columns(job, columns, rows)
    before = is_hiding(job.words) ? call_latest(copy_generator, find_random()) : nothing
    column = evaluate(job, columns)
    before === nothing || call_latest(copy_generator, find_random()) == before || refuse_draws()
    values = check_column(job.guest, column, rows)
    finish_row(job)
    return values
end

function run_vectorized(job)
    guest = job.guest
    has_any(job.words, DRAWS) && refuse_draws()
    rows = guest.rows
    values = evaluate_columns(job, read_values(job, 0:rows-1), rows)
    for row in (rows > 1 ? (0, rows - 1) : ())
        alone = evaluate_columns(job, read_values(job, row:row), 1)
        if !is_same(values[row+1], alone[1])
            throw(WordBroken("vectorized body does not treat each row alone: row $row differs"))
        end
    end
    for value in values
        store(guest, value)
        end_row(guest, VALUE)
    end
    note_wear(job)
end
