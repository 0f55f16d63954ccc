#include "eval/check.h"

#include "base/auto.h"
#include "registry/function.h"

static extfn_status check_arity(const extfn_function *function, size_t count, extfn_error *err)
{
    return count == extfn_function_arity(function) ? EXTFN_OK
                                                   : xf_function_fail_arity(function, count, err);
}

static extfn_status check_type(const extfn_function *function, size_t position, extfn_type got,
                               extfn_error *err)
{
    return got == extfn_function_arg_type(function, position)
               ? EXTFN_OK
               : xf_function_fail_type(function, position, extfn_type_text(got), err);
}

extfn_status xf_check_values(const extfn_function *function, const extfn_value *args, size_t count,
                             extfn_error *err)
{
    XF_TRY(check_arity(function, count, err));
    for (size_t i = 0; i < count; i++)
        XF_TRY(check_type(function, i, args[i].type, err));
    return EXTFN_OK;
}

extfn_status xf_check_types(const extfn_function *function, const extfn_column *const *columns,
                            size_t count, extfn_error *err)
{
    XF_TRY(check_arity(function, count, err));
    for (size_t i = 0; i < count; i++)
        XF_TRY(check_type(function, i, extfn_column_type(columns[i]), err));
    return EXTFN_OK;
}

extfn_status xf_check_columns(const extfn_function *function, const extfn_column *const *columns,
                              size_t count, int64_t rows, extfn_error *err)
{
    XF_TRY(xf_check_types(function, columns, count, err));
    for (size_t i = 0; i < count; i++) {
        if (extfn_column_rows(columns[i]) != rows) {
            return xf_fail(err, EXTFN_EINVAL,
                           "function %s: column %zu has %lld rows, expected %lld",
                           extfn_function_name(function), i,
                           (long long)extfn_column_rows(columns[i]), (long long)rows);
        }
    }
    if (rows < 0)
        return xf_fail(err, EXTFN_EINVAL, "the number of rows is negative");
    return EXTFN_OK;
}
