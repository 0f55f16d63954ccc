#include "eval/join.h"

#include "support/oom.h"
#include "support/unit.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT 100000
#define CELLS_MOST 64

static const char *const names[] = {"x", "y", "z"};

/* A measure with numbers 0, 1, 2, ... as its values. */
typedef struct table {
    const char *dimensions[3];
    uint32_t items[3][CELLS_MOST];
    const uint32_t *pointers[3];
    size_t dimension_count;
    int64_t cells;
    extfn_column *values;
} table;

static extfn_measure measure_of(table *it)
{
    double numbers[CELLS_MOST];
    for (int64_t i = 0; i < it->cells; i++)
        numbers[i] = (double)i;
    for (size_t i = 0; i < it->dimension_count; i++)
        it->pointers[i] = it->items[i];
    if (!it->values)
        assert_int_equal(extfn_column_new_numbers(numbers, it->cells, &it->values, NULL), EXTFN_OK);
    return (extfn_measure){.dimensions = it->dimensions,
                           .items = it->pointers,
                           .dimension_count = it->dimension_count,
                           .values = it->values};
}

static extfn_status join(table *tables, size_t count, size_t limit, xf_joined *ret_joined,
                         extfn_error *err)
{
    extfn_measure measures[3] = {{0}};
    for (size_t i = 0; i < count; i++)
        measures[i] = measure_of(&tables[i]);
    return xf_join(measures, names, count, limit, ret_joined, err);
}

static void clear(table *tables, size_t count, xf_joined *joined)
{
    for (size_t i = 0; i < count; i++)
        extfn_column_free(tables[i].values);
    xf_joined_clear(joined);
}

static void of_nothing_there_is_one_row(void **state)
{
    (void)state;
    xf_joined joined = {0};
    assert_int_equal(join(NULL, 0, LIMIT, &joined, NULL), EXTFN_OK);
    assert_int_equal(joined.rows, 1);
    assert_int_equal(joined.dimension_count, 0);
    xf_joined_clear(&joined);
}

static void a_measure_over_fewer_dimensions_counts_for_all_items(void **state)
{
    (void)state;
    table tables[] = {
        {.dimensions = {"product"}, .items = {{7, 3}}, .dimension_count = 1, .cells = 2},
        {.dimensions = {"month", "product"},
         .items = {{2, 1, 1}, {3, 3, 9}},
         .dimension_count = 2,
         .cells = 3},
        {.cells = 1},
    };
    xf_joined joined = {0};
    assert_int_equal(join(tables, 3, LIMIT, &joined, NULL), EXTFN_OK);
    assert_int_equal(joined.rows, 2);
    assert_int_equal(joined.dimension_count, 2);
    assert_string_equal(joined.dimensions[0], "product");
    assert_string_equal(joined.dimensions[1], "month");
    const uint32_t products[] = {3, 3};
    const uint32_t months[] = {1, 2};
    const uint32_t picks[][2] = {{1, 1}, {1, 0}, {0, 0}};
    assert_memory_equal(joined.items[0], products, sizeof(products));
    assert_memory_equal(joined.items[1], months, sizeof(months));
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(joined.picks[i], picks[i], sizeof(picks[i]));
    clear(tables, 3, &joined);
}

static void without_a_shared_dimension_all_meet_all(void **state)
{
    (void)state;
    table tables[] = {
        {.dimensions = {"a"}, .items = {{1, 0, 2}}, .dimension_count = 1, .cells = 3},
        {.dimensions = {"b"}, .items = {{5, 4}}, .dimension_count = 1, .cells = 2},
    };
    xf_joined joined = {0};
    assert_int_equal(join(tables, 2, 6, &joined, NULL), EXTFN_OK);
    const uint32_t picks[][6] = {{1, 1, 0, 0, 2, 2}, {1, 0, 1, 0, 1, 0}};
    assert_int_equal(joined.rows, 6);
    assert_memory_equal(joined.picks[0], picks[0], sizeof(picks[0]));
    assert_memory_equal(joined.picks[1], picks[1], sizeof(picks[1]));
    clear(tables, 0, &joined);
    extfn_error err = {0};
    assert_int_equal(join(tables, 2, 5, &joined, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "dimension mismatch: more than 5 cells");
    assert_int_equal(join(tables, 2, 2, &joined, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "dimension mismatch: 'x' has more than 2 cells");
    clear(tables, 2, &joined);
}

static void what_one_lacks_is_not_there(void **state)
{
    (void)state;
    table tables[] = {
        {.dimensions = {"a"}, .items = {{1, 2, 3}}, .dimension_count = 1, .cells = 3},
        {.dimensions = {"a"}, .items = {{4, 5}}, .dimension_count = 1, .cells = 2},
        {.dimension_count = 0, .cells = 0},
    };
    xf_joined joined = {0};
    assert_int_equal(join(tables, 2, LIMIT, &joined, NULL), EXTFN_OK);
    assert_int_equal(joined.rows, 0);
    clear(tables, 0, &joined);
    assert_int_equal(join(&tables[2], 1, LIMIT, &joined, NULL), EXTFN_OK);
    assert_int_equal(joined.rows, 0);
    clear(tables, 3, &joined);
}

static void a_coordinate_that_is_there_twice_is_named(void **state)
{
    (void)state;
    static const struct {
        table table;
        const char *message;
    } cases[] = {
        {{.dimensions = {"month", "product"},
          .items = {{2, 1, 2}, {3, 3, 3}},
          .dimension_count = 2,
          .cells = 3},
         "'x' has the same coordinate twice: month 2, product 3"},
        {{.cells = 2}, "'x' has the same coordinate twice"},
        {{.dimensions = {"a", "a"}, .items = {{1}, {1}}, .dimension_count = 2, .cells = 1},
         "'x' has the dimension 'a' twice"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        table bad = cases[i].table;
        xf_joined joined = {0};
        extfn_error err = {0};
        assert_int_equal(join(&bad, 1, LIMIT, &joined, &err), EXTFN_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        clear(&bad, 1, &joined);
    }
}

static void more_dimensions_than_allowed_are_refused(void **state)
{
    (void)state;
    table values = {.cells = 1};
    extfn_measure wide = measure_of(&values);
    wide.dimension_count = XF_DIMENSIONS_LIMIT + 1;
    xf_joined joined = {0};
    extfn_error err = {0};
    assert_int_equal(xf_join(&wide, names, 1, LIMIT, &joined, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "'x' has 33 dimensions, at most 32 are allowed");
    clear(&values, 1, &joined);
}

/* ---- Against all pairs of cells ---- */

/* Some of three dimensions in some order, some of their cells in some order. */
static table random_table(void)
{
    static const char *const dimensions[] = {"a", "b", "c"};
    table it = {.cells = 0};
    size_t turn = (size_t)rand();
    for (size_t i = 0; i < 3; i++) {
        if (rand() % 2)
            it.dimensions[it.dimension_count++] = dimensions[(turn + i) % 3];
    }
    uint32_t total = 1;
    for (size_t i = 0; i < it.dimension_count; i++)
        total *= 3;
    uint32_t step = total % 2 ? 2 : 1; /* has no factor with a power of three in common */
    uint32_t start = (uint32_t)rand() % total;
    for (uint32_t i = 0; i < total; i++) {
        uint32_t code = (start + i * step) % total;
        if (rand() % 4 == 0)
            continue;
        for (size_t d = 0; d < it.dimension_count; d++, code /= 3)
            it.items[d][it.cells] = code % 3;
        it.cells++;
    }
    return it;
}

static uint32_t item_of(const table *it, const char *dimension, uint32_t cell, uint32_t otherwise)
{
    for (size_t i = 0; i < it->dimension_count; i++) {
        if (strcmp(it->dimensions[i], dimension) == 0)
            return it->items[i][cell];
    }
    return otherwise;
}

static bool meet(const table *x, uint32_t a, const table *y, uint32_t b)
{
    for (size_t i = 0; i < x->dimension_count; i++) {
        uint32_t item = x->items[i][a];
        if (item_of(y, x->dimensions[i], b, item) != item)
            return false;
    }
    return true;
}

static size_t count_all(const table *tables)
{
    size_t count = 0;
    for (uint32_t a = 0; a < tables[0].cells; a++) {
        for (uint32_t b = 0; b < tables[1].cells; b++) {
            for (uint32_t c = 0; c < tables[2].cells; c++)
                count += meet(&tables[0], a, &tables[1], b) && meet(&tables[1], b, &tables[2], c) &&
                         meet(&tables[0], a, &tables[2], c);
        }
    }
    return count;
}

static int compare_rows(const xf_joined *joined, size_t a, size_t b)
{
    for (size_t i = 0; i < joined->dimension_count; i++) {
        if (joined->items[i][a] != joined->items[i][b])
            return joined->items[i][a] < joined->items[i][b] ? -1 : 1;
    }
    return 0;
}

/* In the order in which they first appear. */
static void assert_dimensions(const xf_joined *joined, const table *tables)
{
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) {
        for (size_t d = 0; d < tables[i].dimension_count; d++) {
            size_t at = 0;
            while (at < count && strcmp(joined->dimensions[at], tables[i].dimensions[d]) != 0)
                at++;
            if (at < count)
                continue;
            assert_true(count < joined->dimension_count);
            assert_string_equal(joined->dimensions[count++], tables[i].dimensions[d]);
        }
    }
    assert_int_equal(joined->dimension_count, count);
}

static void assert_right(const xf_joined *joined, const table *tables)
{
    assert_dimensions(joined, tables);
    assert_int_equal(joined->rows, count_all(tables));
    for (size_t row = 0; row < joined->rows; row++) {
        assert_true(row == 0 || compare_rows(joined, row - 1, row) < 0);
        for (size_t d = 0; d < joined->dimension_count; d++) {
            uint32_t item = joined->items[d][row];
            for (size_t i = 0; i < 3; i++)
                assert_int_equal(item_of(&tables[i], joined->dimensions[d], joined->picks[i][row],
                                         item),
                                 item);
        }
    }
}

static void joins_are_what_all_pairs_say(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 500; round++) {
        table tables[] = {random_table(), random_table(), random_table()};
        xf_joined joined = {0};
        assert_int_equal(join(tables, 3, LIMIT, &joined, NULL), EXTFN_OK);
        assert_right(&joined, tables);
        clear(tables, 3, &joined);
    }
}

/* 64 times 64 pairs of the first two, of which the third has three. */
static void what_is_joined_on_the_way_is_small(void **state)
{
    (void)state;
    table tables[] = {
        {.dimensions = {"a"}, .dimension_count = 1, .cells = CELLS_MOST},
        {.dimensions = {"b"}, .dimension_count = 1, .cells = CELLS_MOST},
        {.dimensions = {"b", "a"},
         .items = {{5, 9, 60}, {6, 3, 1}},
         .dimension_count = 2,
         .cells = 3},
    };
    for (uint32_t i = 0; i < CELLS_MOST; i++) {
        tables[0].items[0][i] = i;
        tables[1].items[0][i] = i;
    }
    xf_joined joined = {0};
    assert_int_equal(join(tables, 3, CELLS_MOST, &joined, NULL), EXTFN_OK);
    assert_right(&joined, tables);
    assert_int_equal(joined.rows, 3);
    clear(tables, 3, &joined);
}

/* The third is joined before the second, so that dimensions have to move. */
static void without_memory_no_order_is_restored(void **state)
{
    (void)state;
    table tables[] = {
        {.dimensions = {"a"}, .items = {{1, 2}}, .dimension_count = 1, .cells = 2},
        {.dimensions = {"b", "c"}, .items = {{4, 3}, {1, 2}}, .dimension_count = 2, .cells = 2},
        {.dimensions = {"c", "a"}, .items = {{1, 2}, {2, 2}}, .dimension_count = 2, .cells = 2},
    };
    for (size_t i = 0; i < 3; i++)
        (void)measure_of(&tables[i]);
    extfn_status status = EXTFN_OK;
    xf_joined joined = {0};
    XF_OOM_SWEEP(status, status = join(tables, 3, LIMIT, &joined, NULL));
    assert_right(&joined, tables);
    assert_int_equal(joined.rows, 2);
    clear(tables, 3, &joined);
}

static void without_memory_nothing_is_left(void **state)
{
    (void)state;
    table tables[] = {
        {.dimensions = {"a"}, .items = {{2, 1}}, .dimension_count = 1, .cells = 2},
        {.dimensions = {"b", "a"}, .items = {{1, 2}, {1, 1}}, .dimension_count = 2, .cells = 2},
    };
    (void)measure_of(&tables[0]);
    (void)measure_of(&tables[1]);
    extfn_status status = EXTFN_OK;
    xf_joined joined = {0};
    XF_OOM_SWEEP(status, status = join(tables, 2, LIMIT, &joined, NULL));
    assert_int_equal(joined.rows, 2);
    clear(tables, 2, &joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_nothing_there_is_one_row),
        cmocka_unit_test(a_measure_over_fewer_dimensions_counts_for_all_items),
        cmocka_unit_test(without_a_shared_dimension_all_meet_all),
        cmocka_unit_test(what_one_lacks_is_not_there),
        cmocka_unit_test(a_coordinate_that_is_there_twice_is_named),
        cmocka_unit_test(more_dimensions_than_allowed_are_refused),
        cmocka_unit_test(joins_are_what_all_pairs_say),
        cmocka_unit_test(what_is_joined_on_the_way_is_small),
        cmocka_unit_test(without_memory_no_order_is_restored),
        cmocka_unit_test(without_memory_nothing_is_left),
    };
    return cmocka_run_group_tests_name("join", tests, NULL, NULL);
}
