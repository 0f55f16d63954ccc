#include "eval/join_order.h"

#include "base/auto.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- What comes next ---- */

typedef enum rank { IS_KNOWN, IS_CONNECTED, IS_APART } rank;

static size_t place_of(const xf_joined *rows, const char *dimension)
{
    size_t at = 0;
    while (at < rows->dimension_count && strcmp(rows->dimensions[at], dimension) != 0)
        at++;
    return at;
}

static rank rank_of(const extfn_measure *measure, const xf_joined *rows)
{
    size_t known = 0;
    for (size_t i = 0; i < measure->dimension_count; i++)
        known += place_of(rows, measure->dimensions[i]) < rows->dimension_count;
    if (known == measure->dimension_count)
        return IS_KNOWN;
    return known > 0 ? IS_CONNECTED : IS_APART;
}

static bool is_better(const extfn_measure *measure, rank its, const extfn_measure *best,
                      rank best_rank)
{
    if (its != best_rank)
        return its < best_rank;
    return its == IS_APART && extfn_column_rows(measure->values) < extfn_column_rows(best->values);
}

size_t xf_join_next(const extfn_measure *measures, size_t count, const bool *is_joined,
                    const xf_joined *rows)
{
    if (rows->measure_count == 0)
        return 0;
    size_t best = count;
    rank best_rank = IS_APART;
    for (size_t i = 0; i < count; i++) {
        if (is_joined[i])
            continue;
        rank its = rank_of(&measures[i], rows);
        if (best == count || is_better(&measures[i], its, &measures[best], best_rank)) {
            best = i;
            best_rank = its;
        }
    }
    return best;
}

/* ---- The order of the arguments ---- */

static void swap_texts(char **a, char **b)
{
    char *former = *a;
    *a = *b;
    *b = former;
}

static void swap_arrays(uint32_t **a, uint32_t **b)
{
    uint32_t *former = *a;
    *a = *b;
    *b = former;
}

static void restore_picks(xf_joined *rows, const size_t *order)
{
    uint32_t *picks[EXTFN_ARGUMENT_LIMIT];
    assert(rows->measure_count <= EXTFN_ARGUMENT_LIMIT);
    for (size_t i = 0; i < rows->measure_count; i++)
        picks[order[i]] = rows->picks[i];
    for (size_t i = 0; i < rows->measure_count; i++)
        rows->picks[i] = picks[i];
}

/* Whether a dimension had to move. */
static bool restore_dimensions(xf_joined *rows, const extfn_measure *measures)
{
    size_t placed = 0;
    bool has_moved = false;
    for (size_t i = 0; i < rows->measure_count; i++) {
        for (size_t d = 0; d < measures[i].dimension_count; d++) {
            size_t at = place_of(rows, measures[i].dimensions[d]);
            if (at < placed)
                continue;
            has_moved = has_moved || at != placed;
            swap_texts(&rows->dimensions[at], &rows->dimensions[placed]);
            swap_arrays(&rows->items[at], &rows->items[placed]);
            placed++;
        }
    }
    return has_moved;
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const xf_joined *rows = context;
    for (size_t i = 0; i < rows->dimension_count; i++) {
        uint32_t x = rows->items[i][*(const uint32_t *)a];
        uint32_t y = rows->items[i][*(const uint32_t *)b];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* `*array` as the rows are sorted; the former one is the next one's room. */
static void pick(uint32_t **array, const uint32_t *sorted, size_t count, uint32_t **room)
{
    for (size_t i = 0; i < count; i++)
        (*room)[i] = (*array)[sorted[i]];
    swap_arrays(array, room);
}

static void free_array(uint32_t **array)
{
    xf_free(*array);
}

static extfn_status sort_rows(xf_joined *rows, extfn_error *err)
{
    XF_AUTO(free_array) uint32_t *sorted = xf_realloc_array(NULL, rows->rows + 1, sizeof(uint32_t));
    XF_AUTO(free_array) uint32_t *room = xf_realloc_array(NULL, rows->rows + 1, sizeof(uint32_t));
    if (!sorted || !room)
        return xf_fail_oom(err);
    for (size_t i = 0; i < rows->rows; i++)
        sorted[i] = (uint32_t)i;
    qsort_r(sorted, rows->rows, sizeof(uint32_t), compare_rows, rows);
    for (size_t i = 0; i < rows->dimension_count; i++)
        pick(&rows->items[i], sorted, rows->rows, &room);
    for (size_t i = 0; i < rows->measure_count; i++)
        pick(&rows->picks[i], sorted, rows->rows, &room);
    return EXTFN_OK;
}

extfn_status xf_joined_restore(xf_joined *rows, const extfn_measure *measures, const size_t *order,
                               extfn_error *err)
{
    restore_picks(rows, order);
    return restore_dimensions(rows, measures) ? sort_rows(rows, err) : EXTFN_OK;
}
