/* A host that evaluates without processes: the sum of numbers, else the first argument; 42 where
 * there is none. Included by one file of a program, which then links no other host. */
#ifndef XF_TESTS_HOST_DOUBLE_H
#define XF_TESTS_HOST_DOUBLE_H

#include "base/alloc.h"
#include "base/error.h"
#include "registry/function.h"

#include <extfn/host.h>

#include <stdio.h>
#include <string.h>

struct extfn_host {
    /* What it is to do. */
    extfn_status status; /* of every call */
    const char *message;
    const char *stdout_text;
    const char *stderr_text;
    bool is_unsandboxed;
    /* What it was asked. */
    unsigned calls;
    extfn_call_options options;
    int64_t rows;
};

static char *double_copy(const char *text, size_t *ret_size)
{
    char *copy = text ? xf_strdup(text) : NULL;
    *ret_size = copy ? strlen(copy) : 0;
    return copy;
}

static extfn_status double_start(extfn_host *host, const extfn_call_options *options,
                                 extfn_error *err)
{
    extfn_output *output = options->output;
    host->calls++;
    host->options = *options;
    output->stdout_data = double_copy(host->stdout_text, &output->stdout_size);
    output->stderr_data = double_copy(host->stderr_text, &output->stderr_size);
    output->is_unsandboxed = host->is_unsandboxed;
    if (options->receipt)
        options->receipt->wall_us = 12;
    return host->status ? xf_fail(err, host->status, "%s", host->message) : EXTFN_OK;
}

static extfn_status double_row(const extfn_value *args, size_t arg_count, extfn_value *ret_value,
                               extfn_error *err)
{
    if (arg_count == 0 || args[0].type != EXTFN_NUMBER) {
        extfn_value answer = extfn_value_number(42);
        return extfn_value_copy(arg_count ? &args[0] : &answer, ret_value, err);
    }
    double sum = 0;
    for (size_t i = 0; i < arg_count; i++)
        sum += args[i].as.number;
    *ret_value = extfn_value_number(sum);
    return EXTFN_OK;
}

extfn_status extfn_host_eval(extfn_host *host, extfn_function *function, const extfn_value *args,
                             size_t arg_count, const extfn_call_options *options,
                             extfn_value *ret_value, extfn_error *err)
{
    if (arg_count != function->arity)
        return xf_function_fail_arity(function, arg_count, err);
    for (size_t i = 0; i < arg_count; i++) {
        if (args[i].type != function->arg_types[i])
            return xf_function_fail_type(function, i, extfn_type_text(args[i].type), err);
    }
    XF_TRY(double_start(host, options, err));
    return double_row(args, arg_count, ret_value, err);
}

static extfn_status double_append(const extfn_column *const *columns, size_t column_count,
                                  int64_t row, extfn_column *result, extfn_error *err)
{
    extfn_value args[EXTFN_ARGUMENT_LIMIT] = {{0}};
    extfn_value value = {0};
    extfn_status status = EXTFN_OK;
    size_t count = 0;
    while (count < column_count && status == EXTFN_OK) {
        status = extfn_column_get(columns[count], row, &args[count], err);
        count++;
    }
    size_t bad = 0;
    while (bad < count && args[bad].type != EXTFN_ERROR)
        bad++;
    if (status == EXTFN_OK) {
        status = bad < count ? extfn_value_copy(&args[bad], &value, err)
                             : double_row(args, column_count, &value, err);
    }
    if (status == EXTFN_OK)
        status = extfn_column_append(result, &value, err);
    extfn_value_clear(&value);
    for (size_t i = 0; i < count; i++)
        extfn_value_clear(&args[i]);
    return status;
}

extfn_status extfn_host_apply(extfn_host *host, extfn_function *function,
                              const extfn_column *const *columns, size_t column_count, int64_t rows,
                              const extfn_call_options *options, extfn_column **ret_column,
                              extfn_error *err)
{
    extfn_column *result = NULL;
    host->rows = rows;
    XF_TRY(double_start(host, options, err));
    XF_TRY(extfn_column_new(function->return_type, &result, err));
    extfn_status status = EXTFN_OK;
    for (int64_t row = 0; row < rows && status == EXTFN_OK; row++)
        status = double_append(columns, column_count, row, result, err);
    if (status == EXTFN_OK)
        *ret_column = result;
    else
        extfn_column_free(result);
    return status;
}

void extfn_output_clear(extfn_output *output)
{
    xf_free(output->stdout_data);
    xf_free(output->stderr_data);
    *output = (extfn_output){0};
}

#endif
