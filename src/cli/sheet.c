#include "cli/sheet.h"

#include "cli/alloc.h"
#include "cli/io.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE 8192

/* ---- Ownership ---- */

static void leaf_clear(cli_leaf *leaf)
{
    cli_csv_reader_clear(&leaf->reader);
    cli_columns_clear(&leaf->columns);
    cli_free(leaf->has_values);
    for (size_t i = 0; i < leaf->dimension_count; i++)
        cli_free(leaf->items[i]);
}

void cli_sheet_clear(cli_sheet *sheet)
{
    for (size_t i = 0; i < sheet->leaf_count; i++)
        leaf_clear(&sheet->leaves[i]);
    cli_free(sheet->leaves);
    for (size_t i = 0; i < sheet->axis_count; i++) {
        cli_buf_clear(&sheet->axes[i].name);
        cli_free(sheet->axes[i].texts);
        cli_free(sheet->axes[i].sizes);
    }
    *sheet = (cli_sheet){0};
}

/* ---- Reading ---- */

static extfn_status read_leaf(const char *path, cli_leaf *leaf, extfn_error *err)
{
    CLI_AUTO(cli_input_close) cli_input input = {.fd = -1};
    CLI_TRY(cli_input_open(path, &input, err));
    char chunk[CHUNK_SIZE];
    size_t size = 0;
    do {
        CLI_TRY(cli_input_read(&input, chunk, sizeof(chunk), &size, err));
        CLI_TRY(size > 0 ? cli_csv_reader_feed(&leaf->reader, chunk, size, err)
                         : cli_csv_reader_finish(&leaf->reader, err));
    } while (size > 0);
    leaf->rows = cli_csv_reader_rows(&leaf->reader);
    if (leaf->rows > EXTFN_CELLS_LIMIT)
        return cli_fail(err, EXTFN_EINVAL, "%s: more than %d rows", path, EXTFN_CELLS_LIMIT);
    leaf->has_values = cli_realloc_array(NULL, leaf->reader.columns + 1, sizeof(bool));
    if (!leaf->has_values)
        return cli_fail_oom(err);
    memset(leaf->has_values, 0, leaf->reader.columns * sizeof(bool));
    return EXTFN_OK;
}

static extfn_status read_leaves(cli_sheet *sheet, const char *const *paths, size_t count,
                                extfn_error *err)
{
    sheet->leaves = cli_realloc_array(NULL, count, sizeof(cli_leaf));
    if (!sheet->leaves)
        return cli_fail_oom(err);
    for (size_t i = 0; i < count; i++) {
        cli_leaf *leaf = &sheet->leaves[i];
        *leaf = (cli_leaf){.rows = 0};
        cli_csv_reader_init(&leaf->reader, paths[i]);
        sheet->leaf_count = i + 1;
        CLI_TRY(read_leaf(paths[i], leaf, err));
    }
    return EXTFN_OK;
}

/* ---- Arguments ---- */

/* The one table that has the column. */
static extfn_status find_leaf(const cli_sheet *sheet, const char *name, cli_leaf **ret_leaf,
                              size_t *ret_position, extfn_error *err)
{
    cli_leaf *found = NULL;
    for (size_t i = 0; i < sheet->leaf_count; i++) {
        size_t position = 0;
        extfn_error failure = {0};
        extfn_status status = cli_header_find(&sheet->leaves[i].reader, name, &position, &failure);
        if (status == EXTFN_ENOTFOUND)
            continue;
        if (status != EXTFN_OK) {
            *err = failure;
            return status;
        }
        if (found) {
            return cli_fail(err, EXTFN_EINVAL,
                            "%s and %s both have the column '%s', which is an argument; rename one",
                            found->reader.label, sheet->leaves[i].reader.label, name);
        }
        found = &sheet->leaves[i];
        *ret_position = position;
    }
    *ret_leaf = found;
    return found ? EXTFN_OK
                 : cli_fail(err, EXTFN_ENOTFOUND,
                            "no table has a column '%s', which is an argument; add one that has",
                            name);
}

static extfn_status bind(cli_sheet *sheet, const extfn_function *function, size_t argument,
                         extfn_error *err)
{
    const char *name = NULL;
    CLI_TRY(cli_argument_name(function, argument, &name, err));
    cli_leaf *leaf = NULL;
    size_t position = 0;
    CLI_TRY(find_leaf(sheet, name, &leaf, &position, err));
    assert(leaf);
    leaf->has_values[position] = true;
    CLI_TRY(cli_bindings_add(&leaf->bindings, function, argument, &leaf->reader, position, err));
    size_t errors = leaf->bindings.errors[leaf->bindings.count - 1];
    if (errors > 0)
        leaf->has_values[errors - 1] = true;
    return EXTFN_OK;
}

static extfn_status bind_all(cli_sheet *sheet, const extfn_function *function, extfn_error *err)
{
    for (size_t i = 0; i < extfn_function_arity(function); i++)
        CLI_TRY(bind(sheet, function, i, err));
    for (size_t i = 0; i < sheet->leaf_count; i++) {
        if (sheet->leaves[i].bindings.count == 0)
            return cli_fail(err, EXTFN_EINVAL, "%s: no column is an argument of %s",
                            sheet->leaves[i].reader.label, extfn_function_name(function));
    }
    return EXTFN_OK;
}

/* ---- Dimensions ---- */

static bool is_named(const cli_axis *axis, const char *name, size_t size)
{
    return axis->name.size == size && memcmp(axis->name.data, name, size) == 0;
}

static extfn_status find_or_add_axis(cli_sheet *sheet, const char *name, size_t size,
                                     size_t *ret_axis, extfn_error *err)
{
    size_t at = 0;
    while (at < sheet->axis_count && !is_named(&sheet->axes[at], name, size))
        at++;
    *ret_axis = at;
    if (at < sheet->axis_count)
        return EXTFN_OK;
    if (at == CLI_AXES_LIMIT)
        return cli_fail(err, EXTFN_EINVAL, "the tables have more than %u columns to join them by",
                        CLI_AXES_LIMIT);
    CLI_TRY(cli_buf_append(&sheet->axes[at].name, name, size, err));
    sheet->axis_count++;
    return EXTFN_OK;
}

static extfn_status add_dimension(cli_sheet *sheet, cli_leaf *leaf, size_t position,
                                  extfn_error *err)
{
    size_t size = 0;
    const char *name = cli_table_cell(&leaf->reader.header, position, &size);
    size_t axis = 0;
    if (memchr(name, 0, size))
        return cli_fail(err, EXTFN_EINVAL, "%s: a column's name has a U+0000 in it; rename it",
                        leaf->reader.label);
    CLI_TRY(find_or_add_axis(sheet, name, size, &axis, err));
    size_t at = leaf->dimension_count;
    for (size_t i = 0; i < at; i++) {
        if (leaf->axes[i] == axis)
            return cli_fail(err, EXTFN_EINVAL, "%s: 2 columns are named '%s'; rename one",
                            leaf->reader.label, sheet->axes[axis].name.data);
    }
    leaf->items[at] = cli_realloc_array(NULL, leaf->rows + 1, sizeof(uint32_t));
    if (!leaf->items[at])
        return cli_fail_oom(err);
    leaf->axes[at] = axis;
    leaf->positions[at] = position;
    leaf->names[at] = sheet->axes[axis].name.data;
    leaf->dimension_count++;
    return EXTFN_OK;
}

static extfn_status add_dimensions(cli_sheet *sheet, extfn_error *err)
{
    for (size_t i = 0; i < sheet->leaf_count; i++) {
        cli_leaf *leaf = &sheet->leaves[i];
        for (size_t position = 0; position < leaf->reader.columns; position++) {
            if (!leaf->has_values[position])
                CLI_TRY(add_dimension(sheet, leaf, position, err));
        }
    }
    return EXTFN_OK;
}

/* ---- Items ---- */

/* A cell of an axis, and where the number of its item goes. */
typedef struct cell {
    const char *text;
    size_t size;
    double number;
    uint32_t *item;
} cell;

typedef struct cells {
    cell *all;
    size_t count;
} cells;

static void cells_clear(cells *list)
{
    cli_free(list->all);
}

static int compare_texts(const cell *x, const cell *y)
{
    size_t size = x->size < y->size ? x->size : y->size;
    int order = size > 0 ? memcmp(x->text, y->text, size) : 0;
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

/* Numbers are all 0 where some text is none. */
static int compare_cells(const void *a, const void *b)
{
    const cell *x = a;
    const cell *y = b;
    int order = (x->number > y->number) - (x->number < y->number);
    return order != 0 ? order : compare_texts(x, y);
}

static void read_numbers(const cells *list)
{
    bool is_number = true;
    for (size_t i = 0; i < list->count && is_number; i++) {
        extfn_value value = {0};
        cell *it = &list->all[i];
        is_number = extfn_value_parse(it->text, it->size, EXTFN_NUMBER, &value, NULL) == EXTFN_OK &&
                    !isnan(value.as.number);
        it->number = is_number ? value.as.number : 0;
    }
    for (size_t i = 0; i < list->count && !is_number; i++)
        list->all[i].number = 0;
}

static extfn_status list_cells(const cli_sheet *sheet, size_t axis, cells *list, extfn_error *err)
{
    for (size_t i = 0; i < sheet->leaf_count; i++) {
        const cli_leaf *leaf = &sheet->leaves[i];
        for (size_t d = 0; d < leaf->dimension_count; d++) {
            if (leaf->axes[d] != axis)
                continue;
            cell *all = cli_realloc_array(list->all, list->count + leaf->rows + 1, sizeof(cell));
            if (!all)
                return cli_fail_oom(err);
            list->all = all;
            for (size_t row = 0; row < leaf->rows; row++) {
                cell *it = &all[list->count++];
                *it = (cell){.item = &leaf->items[d][row]};
                it->text =
                    cli_table_cell(&leaf->reader.rows,
                                   row * leaf->reader.columns + leaf->positions[d], &it->size);
            }
        }
    }
    return EXTFN_OK;
}

static extfn_status number_items(const cli_sheet *sheet, size_t which, cli_axis *axis,
                                 extfn_error *err)
{
    CLI_AUTO(cells_clear) cells list = {0};
    CLI_TRY(list_cells(sheet, which, &list, err));
    axis->texts = cli_realloc_array(NULL, list.count + 1, sizeof(*axis->texts));
    axis->sizes = cli_realloc_array(NULL, list.count + 1, sizeof(*axis->sizes));
    if (!axis->texts || !axis->sizes)
        return cli_fail_oom(err);
    read_numbers(&list);
    if (list.count > 0)
        qsort(list.all, list.count, sizeof(cell), compare_cells);
    for (size_t i = 0; i < list.count; i++) {
        if (i == 0 || compare_texts(&list.all[i - 1], &list.all[i]) != 0) {
            axis->texts[axis->item_count] = list.all[i].text;
            axis->sizes[axis->item_count++] = list.all[i].size;
        }
        *list.all[i].item = (uint32_t)(axis->item_count - 1);
    }
    return EXTFN_OK;
}

/* ---- Coordinates ---- */

static void free_rows(uint32_t **rows)
{
    cli_free(*rows);
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const cli_leaf *leaf = context;
    for (size_t i = 0; i < leaf->dimension_count; i++) {
        uint32_t x = leaf->items[i][*(const uint32_t *)a];
        uint32_t y = leaf->items[i][*(const uint32_t *)b];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static extfn_status fail_twice(const cli_leaf *leaf, size_t row, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf place = {0};
    for (size_t i = 0; i < leaf->dimension_count && place.size < 500; i++) {
        size_t size = 0;
        const char *text = cli_table_cell(&leaf->reader.rows,
                                          row * leaf->reader.columns + leaf->positions[i], &size);
        CLI_TRY(cli_buf_append_text(&place, i > 0 ? ", " : " with ", err));
        CLI_TRY(cli_buf_append_text(&place, leaf->names[i], err));
        CLI_TRY(cli_buf_append_text(&place, " '", err));
        CLI_TRY(cli_buf_append_plain(&place, text, size, err));
        CLI_TRY(cli_buf_append_text(&place, "'", err));
    }
    return cli_fail(err, EXTFN_EINVAL, "%s: there are two rows%s; remove one", leaf->reader.label,
                    place.size > 0 ? place.data : "");
}

/* Two rows with the same items. */
static extfn_status refuse_twice(cli_leaf *leaf, extfn_error *err)
{
    CLI_AUTO(free_rows) uint32_t *rows = cli_realloc_array(NULL, leaf->rows + 1, sizeof(*rows));
    if (!rows)
        return cli_fail_oom(err);
    for (uint32_t i = 0; i < leaf->rows; i++)
        rows[i] = i;
    qsort_r(rows, leaf->rows, sizeof(*rows), compare_rows, leaf);
    for (size_t i = 1; i < leaf->rows; i++) {
        if (compare_rows(&rows[i - 1], &rows[i], leaf) == 0)
            return fail_twice(leaf, rows[i], err);
    }
    return EXTFN_OK;
}

/* ---- The sheet ---- */

static extfn_status make_measures(cli_sheet *sheet, const extfn_function *function,
                                  extfn_error *err)
{
    for (size_t i = 0; i < sheet->leaf_count; i++) {
        cli_leaf *leaf = &sheet->leaves[i];
        CLI_TRY(cli_columns_read(&leaf->bindings, &leaf->reader, &leaf->columns, err));
        for (size_t c = 0; c < leaf->bindings.count; c++) {
            size_t argument = 0;
            while (extfn_function_arg_name(function, argument) != leaf->bindings.names[c])
                argument++;
            sheet->measures[argument] =
                (extfn_measure){.dimensions = leaf->names,
                                .items = (const uint32_t *const *)leaf->items,
                                .dimension_count = leaf->dimension_count,
                                .values = leaf->columns.columns[c]};
        }
    }
    return EXTFN_OK;
}

extfn_status cli_sheet_read(cli_sheet *sheet, const extfn_function *function,
                            const char *const *paths, size_t count, extfn_error *err)
{
    CLI_TRY(read_leaves(sheet, paths, count, err));
    CLI_TRY(bind_all(sheet, function, err));
    CLI_TRY(add_dimensions(sheet, err));
    for (size_t i = 0; i < sheet->axis_count; i++)
        CLI_TRY(number_items(sheet, i, &sheet->axes[i], err));
    for (size_t i = 0; i < sheet->leaf_count; i++)
        CLI_TRY(refuse_twice(&sheet->leaves[i], err));
    return make_measures(sheet, function, err);
}

const cli_axis *cli_sheet_axis(const cli_sheet *sheet, const char *name)
{
    size_t at = 0;
    while (strcmp(sheet->axes[at].name.data, name) != 0)
        at++;
    return &sheet->axes[at];
}
