#include "base/alloc.h"
#include "base/auto.h"
#include "eval/batch.h"
#include "eval/check.h"
#include "eval/options.h"
#include "registry/function.h"
#include "registry/registry.h"
#include "value/column.h"

/* ---- One value ---- */

typedef struct arguments {
    extfn_column *columns[EXTFN_ARGUMENT_LIMIT];
    size_t count;
} arguments;

static void arguments_clear(arguments *list)
{
    for (size_t i = 0; i < list->count; i++)
        extfn_column_free(list->columns[i]);
}

/* Columns of one row. */
static extfn_status arguments_make(const extfn_value *args, size_t count, arguments *list,
                                   extfn_error *err)
{
    for (size_t i = 0; i < count; i++) {
        XF_TRY(extfn_column_new(args[i].type, &list->columns[i], err));
        list->count = i + 1;
        extfn_status status = extfn_column_append(list->columns[i], &args[i], err);
        if (status != EXTFN_OK)
            return xf_fail_context(err, status, "argument %zu", i);
    }
    return EXTFN_OK;
}

static extfn_status take_only_row(const extfn_column *result, extfn_value *ret_value,
                                  extfn_error *err)
{
    const xf_column_error *failure = xf_column_error_at(result, 0);
    if (failure)
        return xf_fail(err, failure->status, "%s", failure->message);
    return extfn_column_get(result, 0, ret_value, err);
}

extfn_status extfn_host_eval(extfn_host *host, extfn_function *function, const extfn_value *args,
                             size_t arg_count, const extfn_call_options *options,
                             extfn_value *ret_value, extfn_error *err)
{
    XF_TRY(xf_check_values(function, args, arg_count, err));
    XF_TRY(xf_host_check_owner(host, err));
    extfn_call_options known;
    XF_TRY(xf_call_options_read(options, &known, err));
    XF_AUTO(arguments_clear) arguments list = {.count = 0};
    XF_TRY(arguments_make(args, arg_count, &list, err));
    const extfn_column *columns[EXTFN_ARGUMENT_LIMIT];
    for (size_t i = 0; i < arg_count; i++)
        columns[i] = list.columns[i];
    extfn_column *result = NULL;
    XF_TRY(xf_batch_run(host, function, columns, 1, &known, &result, err));
    extfn_status status = take_only_row(result, ret_value, err);
    extfn_column_free(result);
    return status;
}

/* NOLINTNEXTLINE(readability-function-size): its parameters are public */
extfn_status extfn_registry_eval(const extfn_registry *registry, extfn_host *host, const char *name,
                                 const extfn_value *args, size_t arg_count,
                                 const extfn_call_options *options, extfn_value *ret_value,
                                 extfn_error *err)
{
    extfn_function *function = NULL;
    XF_TRY(xf_registry_find(registry, name, &function, err));
    extfn_call_options known = xf_call_options_copy(options);
    if (known.timeout_us == 0)
        known.timeout_us = extfn_registry_timeout(registry);
    extfn_status status = extfn_host_eval(host, function, args, arg_count, &known, ret_value, err);
    extfn_function_unref(function);
    return status;
}

/* ---- Columns ---- */

/* NOLINTNEXTLINE(readability-function-size): its parameters are public */
extfn_status extfn_host_apply(extfn_host *host, extfn_function *function,
                              const extfn_column *const *columns, size_t column_count, int64_t rows,
                              const extfn_call_options *options, extfn_column **ret_column,
                              extfn_error *err)
{
    XF_TRY(xf_check_columns(function, columns, column_count, rows, err));
    XF_TRY(xf_host_check_owner(host, err));
    extfn_call_options known;
    XF_TRY(xf_call_options_read(options, &known, err));
    return xf_batch_run(host, function, columns, rows, &known, ret_column, err);
}

void extfn_output_clear(extfn_output *output)
{
    if (!output)
        return;
    xf_free(output->stdout_data);
    xf_free(output->stderr_data);
    *output = (extfn_output){0};
}
