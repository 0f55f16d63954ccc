/* A function over measures. */
#include <extfn/refresh.h>

#include "base/auto.h"
#include "eval/check.h"
#include "eval/join.h"
#include "registry/function.h"
#include "value/column.h"

#include <stdio.h>

struct extfn_cells {
    xf_joined joined; /* without its picks */
    extfn_column *values;
};

/* The measures' values at the cells that meet. */
typedef struct arguments {
    const extfn_column *columns[EXTFN_ARGUMENT_LIMIT];
    extfn_column *gathered[EXTFN_ARGUMENT_LIMIT]; /* those of them that are ours */
} arguments;

static void arguments_clear(arguments *it)
{
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++)
        extfn_column_free(it->gathered[i]);
}

static bool is_as_it_is(const uint32_t *picks, size_t rows, const extfn_column *values)
{
    if ((int64_t)rows != extfn_column_rows(values))
        return false;
    size_t i = 0;
    while (i < rows && picks[i] == i)
        i++;
    return i == rows;
}

static extfn_status gather(const extfn_measure *measures, const xf_joined *joined, arguments *it,
                           extfn_error *err)
{
    for (size_t i = 0; i < joined->measure_count; i++) {
        const extfn_column *values = measures[i].values;
        it->columns[i] = values;
        if (is_as_it_is(joined->picks[i], joined->rows, values))
            continue;
        XF_TRY(extfn_column_new(extfn_column_type(values), &it->gathered[i], err));
        XF_TRY(xf_column_append_rows(it->gathered[i], values, joined->picks[i], joined->rows, err));
        it->columns[i] = it->gathered[i];
    }
    return EXTFN_OK;
}

/* What messages call the measures: the arguments' names, or args[0] and so on. */
typedef struct names {
    char numbers[EXTFN_ARGUMENT_LIMIT][32];
    const char *items[EXTFN_ARGUMENT_LIMIT];
} names;

static void name_arguments(const extfn_function *function, size_t count, names *ret_names)
{
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(ret_names->numbers[i], sizeof(ret_names->numbers[i]), "args[%zu]", i);
        const char *name = extfn_function_arg_name(function, i);
        ret_names->items[i] = name ? name : ret_names->numbers[i];
    }
}

static extfn_status join(const extfn_function *function, const extfn_measure *args, size_t count,
                         xf_joined *ret_joined, extfn_error *err)
{
    const extfn_column *columns[EXTFN_ARGUMENT_LIMIT] = {NULL};
    for (size_t i = 0; i < count && i < EXTFN_ARGUMENT_LIMIT; i++)
        columns[i] = args[i].values;
    XF_TRY(xf_check_types(function, columns, count, err));
    names named;
    name_arguments(function, count, &named);
    return xf_join(args, named.items, count, EXTFN_CELLS_LIMIT, ret_joined, err);
}

extfn_status extfn_refresh(extfn_host *host, extfn_function *function, const extfn_measure *args,
                           size_t arg_count, const extfn_call_options *options,
                           extfn_cells **ret_cells, extfn_error *err)
{
    XF_AUTO(xf_joined_clear) xf_joined joined = {0};
    XF_TRY(join(function, args, arg_count, &joined, err));
    XF_AUTO(arguments_clear) arguments gathered = {0};
    XF_TRY(gather(args, &joined, &gathered, err));
    extfn_cells *cells = xf_alloc(sizeof(*cells));
    if (!cells)
        return xf_fail_oom(err);
    extfn_column *values = NULL;
    extfn_status status = extfn_host_apply(host, function, gathered.columns, arg_count,
                                           (int64_t)joined.rows, options, &values, err);
    if (status != EXTFN_OK) {
        xf_free(cells);
        return status;
    }
    xf_joined_drop_picks(&joined);
    *cells = (extfn_cells){.joined = joined, .values = values};
    joined = (xf_joined){0};
    *ret_cells = cells;
    return EXTFN_OK;
}

extfn_measure extfn_cells_measure(const extfn_cells *cells)
{
    return (extfn_measure){
        .dimensions = (const char *const *)cells->joined.dimensions,
        .items = (const uint32_t *const *)cells->joined.items,
        .dimension_count = cells->joined.dimension_count,
        .values = cells->values,
    };
}

void extfn_cells_free(extfn_cells *cells)
{
    if (!cells)
        return;
    xf_joined_clear(&cells->joined);
    extfn_column_free(cells->values);
    xf_free(cells);
}
