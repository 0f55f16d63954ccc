#include "eval/join.h"

#include "base/auto.h"
#include "base/buf.h"
#include "eval/join_order.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One measure, which is joined to the rows that those before it make. */
typedef struct side {
    const extfn_measure *measure;
    const char *name;
    size_t order[XF_DIMENSIONS_LIMIT];  /* its dimensions: those that the rows have, in the rows'
                                           order, then the others */
    size_t places[XF_DIMENSIONS_LIMIT]; /* of the first: which of the rows' dimensions it is */
    size_t shared_count;
    uint32_t *sorted; /* its cells, by these */
    size_t cell_count;
} side;

/* Of the sorted cells. */
typedef struct range {
    size_t first;
    size_t end;
} range;

/* ---- Rows ---- */

static void free_arrays(uint32_t **arrays, size_t count)
{
    for (size_t i = 0; arrays && i < count; i++)
        xf_free(arrays[i]);
    xf_free(arrays);
}

void xf_joined_clear(xf_joined *joined)
{
    for (size_t i = 0; joined->dimensions && i < joined->dimension_count; i++)
        xf_free(joined->dimensions[i]);
    xf_free(joined->dimensions);
    free_arrays(joined->items, joined->dimension_count);
    free_arrays(joined->picks, joined->measure_count);
    *joined = (xf_joined){0};
}

void xf_joined_drop_picks(xf_joined *joined)
{
    free_arrays(joined->picks, joined->measure_count);
    joined->picks = NULL;
    joined->measure_count = 0;
}

/* `count` pointers that are NULL. */
static void *new_pointers(size_t count)
{
    void **pointers = xf_realloc_array(NULL, count + 1, sizeof(void *));
    for (size_t i = 0; pointers && i < count; i++)
        pointers[i] = NULL;
    return pointers;
}

static bool fill_arrays(uint32_t **arrays, size_t count, size_t rows)
{
    for (size_t i = 0; i < count; i++) {
        arrays[i] = xf_realloc_array(NULL, rows + 1, sizeof(uint32_t));
        if (!arrays[i])
            return false;
    }
    return true;
}

/* Room for rows; the dimensions have no names yet. The caller clears it on failure too. */
static extfn_status joined_new(size_t dimension_count, size_t measure_count, size_t rows,
                               xf_joined *ret_joined, extfn_error *err)
{
    *ret_joined = (xf_joined){
        .dimensions = new_pointers(dimension_count),
        .items = new_pointers(dimension_count),
        .dimension_count = dimension_count,
        .picks = new_pointers(measure_count),
        .measure_count = measure_count,
        .rows = rows,
    };
    bool is_whole = ret_joined->dimensions && ret_joined->items && ret_joined->picks &&
                    fill_arrays(ret_joined->items, dimension_count, rows) &&
                    fill_arrays(ret_joined->picks, measure_count, rows);
    return is_whole ? EXTFN_OK : xf_fail_oom(err);
}

/* ---- The side ---- */

static void side_clear(side *it)
{
    xf_free(it->sorted);
}

static size_t find_dimension(const char *const *dimensions, size_t count, const char *wanted)
{
    size_t at = 0;
    while (at < count && strcmp(dimensions[at], wanted) != 0)
        at++;
    return at;
}

static extfn_status check_dimensions(const side *it, extfn_error *err)
{
    const extfn_measure *measure = it->measure;
    if (measure->dimension_count > XF_DIMENSIONS_LIMIT)
        return xf_fail(err, EXTFN_EINVAL, "'%s' has %zu dimensions, at most %d are allowed",
                       it->name, measure->dimension_count, XF_DIMENSIONS_LIMIT);
    for (size_t i = 0; i < measure->dimension_count; i++) {
        const char *name = measure->dimensions[i];
        if (find_dimension(measure->dimensions, i, name) < i)
            return xf_fail(err, EXTFN_EINVAL, "'%s' has the dimension '%s' twice", it->name, name);
    }
    return EXTFN_OK;
}

static void arrange(side *it, const xf_joined *rows)
{
    const extfn_measure *measure = it->measure;
    const char *const *known = (const char *const *)rows->dimensions;
    size_t count = 0;
    for (size_t i = 0; i < rows->dimension_count; i++) {
        size_t own = find_dimension(measure->dimensions, measure->dimension_count, known[i]);
        if (own == measure->dimension_count)
            continue;
        it->places[count] = i;
        it->order[count++] = own;
    }
    it->shared_count = count;
    for (size_t i = 0; i < measure->dimension_count; i++) {
        const char *name = measure->dimensions[i];
        if (find_dimension(known, rows->dimension_count, name) == rows->dimension_count)
            it->order[count++] = i;
    }
}

static int compare_items(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_cells(const void *a, const void *b, void *context)
{
    const side *it = context;
    for (size_t i = 0; i < it->measure->dimension_count; i++) {
        const uint32_t *items = it->measure->items[it->order[i]];
        int order = compare_items(items[*(const uint32_t *)a], items[*(const uint32_t *)b]);
        if (order != 0)
            return order;
    }
    return 0;
}

static extfn_status fail_twice(const side *it, uint32_t cell, extfn_error *err)
{
    char place[EXTFN_MESSAGE_SIZE / 2] = "";
    size_t size = 0;
    for (size_t i = 0; i < it->measure->dimension_count && size < sizeof(place); i++)
        size += (size_t)snprintf(place + size, sizeof(place) - size, "%s%s %u", i > 0 ? ", " : ": ",
                                 it->measure->dimensions[i], it->measure->items[i][cell]);
    return xf_fail(err, EXTFN_EINVAL, "'%s' has the same coordinate twice%s", it->name, place);
}

/* Most measures come sorted: they are only looked through. */
static extfn_status sort(side *it, extfn_error *err)
{
    it->sorted = xf_realloc_array(NULL, it->cell_count + 1, sizeof(uint32_t));
    if (!it->sorted)
        return xf_fail_oom(err);
    bool is_sorted = true;
    for (uint32_t i = 0; i < it->cell_count; i++) {
        it->sorted[i] = i;
        is_sorted = is_sorted && (i == 0 || compare_cells(&it->sorted[i - 1], &i, it) < 0);
    }
    if (is_sorted)
        return EXTFN_OK;
    qsort_r(it->sorted, it->cell_count, sizeof(uint32_t), compare_cells, it);
    for (size_t i = 1; i < it->cell_count; i++) {
        if (compare_cells(&it->sorted[i - 1], &it->sorted[i], it) == 0)
            return fail_twice(it, it->sorted[i], err);
    }
    return EXTFN_OK;
}

/* ---- The join ---- */

static int compare_row(const side *it, const xf_joined *rows, size_t row, size_t at)
{
    for (size_t i = 0; i < it->shared_count; i++) {
        uint32_t item = it->measure->items[it->order[i]][it->sorted[at]];
        int order = compare_items(rows->items[it->places[i]][row], item);
        if (order != 0)
            return order;
    }
    return 0;
}

/* The first cell that does not come before the row. */
static size_t lower_bound(const side *it, const xf_joined *rows, size_t row)
{
    size_t low = 0;
    size_t high = it->cell_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_row(it, rows, row, middle) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The cells that the row meets. They are often those of the row before, or the next ones. */
static range find(const side *it, const xf_joined *rows, size_t row, range before)
{
    bool is_known = before.first < before.end && compare_row(it, rows, row, before.first) == 0;
    if (is_known)
        return before;
    bool is_next =
        row > 0 && before.end < it->cell_count && compare_row(it, rows, row, before.end) == 0;
    size_t first = is_next ? before.end : lower_bound(it, rows, row);
    size_t end = first;
    while (end < it->cell_count && compare_row(it, rows, row, end) == 0)
        end++;
    return (range){first, end};
}

static void put(const side *it, const xf_joined *rows, size_t row, uint32_t cell,
                const xf_joined *out, size_t at)
{
    assert(out->items && out->picks);
    for (size_t i = 0; i < rows->dimension_count; i++)
        out->items[i][at] = rows->items[i][row];
    for (size_t i = rows->dimension_count; i < out->dimension_count; i++) {
        size_t own = it->order[it->shared_count + i - rows->dimension_count];
        out->items[i][at] = it->measure->items[own][cell];
    }
    for (size_t i = 0; i < rows->measure_count; i++)
        out->picks[i][at] = rows->picks[i][row];
    out->picks[rows->measure_count][at] = cell;
}

/* Counts the rows of the join, up to some over `limit`, and with `out` writes them. */
static size_t match(const side *it, const xf_joined *rows, size_t limit, const xf_joined *out)
{
    size_t count = 0;
    range met = {0, 0};
    for (size_t row = 0; row < rows->rows && count <= limit; row++) {
        met = find(it, rows, row, met);
        for (size_t i = met.first; out && i < met.end; i++)
            put(it, rows, row, it->sorted[i], out, count + i - met.first);
        count += met.end - met.first;
    }
    return count;
}

static extfn_status name_dimensions(const side *it, const xf_joined *rows, const xf_joined *out,
                                    extfn_error *err)
{
    assert(out->dimensions);
    for (size_t i = 0; i < out->dimension_count; i++) {
        size_t fresh = i - rows->dimension_count; /* of those that the rows lack */
        const char *name = i < rows->dimension_count
                               ? rows->dimensions[i]
                               : it->measure->dimensions[it->order[it->shared_count + fresh]];
        out->dimensions[i] = xf_strdup(name);
        if (!out->dimensions[i])
            return xf_fail_oom(err);
    }
    return EXTFN_OK;
}

static extfn_status join_one(const side *it, const xf_joined *rows, size_t limit,
                             xf_joined *ret_joined, extfn_error *err)
{
    size_t count = match(it, rows, limit, NULL);
    if (count > limit)
        return xf_fail(err, EXTFN_EINVAL, "dimension mismatch: more than %zu cells", limit);
    size_t fresh = it->measure->dimension_count - it->shared_count;
    XF_TRY(
        joined_new(rows->dimension_count + fresh, rows->measure_count + 1, count, ret_joined, err));
    XF_TRY(name_dimensions(it, rows, ret_joined, err));
    (void)match(it, rows, limit, ret_joined);
    return EXTFN_OK;
}

static extfn_status add(xf_joined *rows, const extfn_measure *measure, const char *name,
                        size_t limit, extfn_error *err)
{
    XF_AUTO(side_clear)
    side it = {
        .measure = measure,
        .name = name,
        .cell_count = (size_t)extfn_column_rows(measure->values),
    };
    if (it.cell_count > limit)
        return xf_fail(err, EXTFN_EINVAL, "dimension mismatch: '%s' has more than %zu cells", name,
                       limit);
    XF_TRY(check_dimensions(&it, err));
    arrange(&it, rows);
    XF_TRY(sort(&it, err));
    XF_AUTO(xf_joined_clear) xf_joined joined = {0};
    XF_TRY(join_one(&it, rows, limit, &joined, err));
    xf_joined former = *rows;
    *rows = joined;
    joined = former;
    return EXTFN_OK;
}

extfn_status xf_join(const extfn_measure *measures, const char *const *names, size_t count,
                     size_t limit, xf_joined *ret_joined, extfn_error *err)
{
    XF_AUTO(xf_joined_clear) xf_joined rows = {0};
    size_t order[EXTFN_ARGUMENT_LIMIT] = {0};
    bool is_joined[EXTFN_ARGUMENT_LIMIT] = {false};
    assert(count <= EXTFN_ARGUMENT_LIMIT);
    XF_TRY(joined_new(0, 0, 1, &rows, err));
    for (size_t i = 0; i < count; i++) {
        size_t next = xf_join_next(measures, count, is_joined, &rows);
        XF_TRY(add(&rows, &measures[next], names[next], limit, err));
        order[i] = next;
        is_joined[next] = true;
    }
    XF_TRY(xf_joined_restore(&rows, measures, order, err));
    *ret_joined = rows;
    rows = (xf_joined){0};
    return EXTFN_OK;
}
