#: vectors
# Columns as vectors. SPDX-License-Identifier: MIT

# ---- Vectorized ----

is_same(left, right) = left === right || (left != left && right != right)

function check_column(guest, column, rows)
    if !(column isa AbstractVector)
        expected = TYPE_TEXT[guest.return_type]
        throw(WordBroken("return type mismatch: expected a column of $expected, got " *
                         describe_value(column)))
    end
    if length(column) != rows
        throw(WordBroken("result has $(length(column)) rows, expected $rows"))
    end
    return Any[convert_value(guest, value) for value in column]
end

function evaluate_columns(job, columns, rows)
    random = find_random()
    state = Base.invokelatest(copy_generator, random)
    result = evaluate(job, columns)
    if Base.invokelatest(copy_generator, random) != state
        throw(WordBroken("vectorized body draws random numbers"))
    end
    values = check_column(job.guest, result, rows)
    finish_row(job)
    return values
end

function run_vectorized(job)
    guest = job.guest
    if has_any(job.words, DRAWS)
        throw(WordBroken("vectorized body draws random numbers"))
    end
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
