/* Reading a request: find the members, check that they fit together, look up the function.
 * SPDX-License-Identifier: MIT */
#include "rpc/request.h"

#include "base/auto.h"
#include "registry/function.h"
#include "registry/registry.h"

#include <extfn/rpc.h>

#include <math.h>
#include <string.h>

#define SECONDS_LIMIT 1e9
#define ROWS_LIMIT (1 << 20) /* of a batch without columns: a short line must not ask for much */

enum {
    ID,
    CALL,
    FN,
    ARGS,
    COLUMNS,
    ROWS,
    TIMEOUT,
    COST,
    MEMBER_COUNT,
};

static const xf_member members[MEMBER_COUNT] = {
    [ID] = {"id", XF_JSON_NULL, XF_MEMBER_ANY_KIND},
    [CALL] = {"call", XF_JSON_STRING, 0},
    [FN] = {"fn", XF_JSON_OBJECT, 0},
    [ARGS] = {"args", XF_JSON_ARRAY, 0},
    [COLUMNS] = {"columns", XF_JSON_ARRAY, 0},
    [ROWS] = {"rows", XF_JSON_NUMBER, 0},
    [TIMEOUT] = {"timeout", XF_JSON_NUMBER, 0},
    [COST] = {"cost", XF_JSON_BOOLEAN, 0},
};

void xf_request_clear(xf_request *request)
{
    extfn_function_unref(request->function);
    *request = (xf_request){0};
}

static extfn_status check_one_of(const xf_slice *slices, int a, int b, extfn_error *err)
{
    if (slices[a].data && slices[b].data) {
        return xf_fail(err, EXTFN_EINVAL, "members '%s' and '%s' exclude each other",
                       members[a].name, members[b].name);
    }
    if (!slices[a].data && !slices[b].data) {
        return xf_fail(err, EXTFN_EINVAL, "member '%s' or '%s' is missing", members[a].name,
                       members[b].name);
    }
    return EXTFN_OK;
}

static extfn_status read_number(const xf_slice *slice, double *ret_number, extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    return xf_json_read_number(&scan, ret_number, err);
}

static extfn_status read_timeout(const xf_slice *slice, int64_t *ret_timeout_us, extfn_error *err)
{
    double seconds = 0;
    if (!slice->data)
        return EXTFN_OK;
    XF_TRY(read_number(slice, &seconds, err));
    if (!(seconds > 0 && seconds <= SECONDS_LIMIT)) {
        return xf_fail(err, EXTFN_EINVAL,
                       "member 'timeout': must be above 0 and at most %.0f seconds", SECONDS_LIMIT);
    }
    double microseconds = ceil(seconds * 1e6);
    *ret_timeout_us = (int64_t)microseconds;
    return EXTFN_OK;
}

/* A batch needs `rows` exactly where it has no column to count. */
static extfn_status read_rows(const xf_slice *slices, const extfn_function *function,
                              int64_t *ret_rows, extfn_error *err)
{
    bool is_needed = slices[COLUMNS].data && extfn_function_arity(function) == 0;
    double rows = 0;
    if (!slices[ROWS].data && is_needed) {
        return xf_fail(err, EXTFN_EINVAL,
                       "member 'rows' is missing: function %s has no arguments to count",
                       extfn_function_name(function));
    }
    if (!slices[ROWS].data)
        return EXTFN_OK;
    if (!is_needed) {
        return xf_fail(err, EXTFN_EINVAL,
                       "member 'rows' is for the columns of a function without arguments");
    }
    XF_TRY(read_number(&slices[ROWS], &rows, err));
    if (!(rows >= 0 && rows <= ROWS_LIMIT && floor(rows) == rows)) {
        return xf_fail(err, EXTFN_EINVAL, "member 'rows': not a whole number from 0 to %d",
                       ROWS_LIMIT);
    }
    *ret_rows = (int64_t)rows;
    return EXTFN_OK;
}

static extfn_status read_inline_function(const xf_slice *slice, extfn_function **ret_function,
                                         extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    extfn_status status = xf_function_read_json(&scan, ret_function, err);
    return status == EXTFN_OK ? EXTFN_OK : xf_fail_context(err, status, "member 'fn'");
}

static extfn_status find_function(const xf_slice *slice, const extfn_registry *registry,
                                  extfn_function **ret_function, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf name = {0};
    xf_json scan = xf_slice_scan(slice);
    XF_TRY(xf_json_read_string(&scan, &name, err));
    size_t size = name.size;
    XF_TRY(xf_buf_append(&name, "", 1, err));
    if (strlen(name.data) != size)
        return xf_fail(err, EXTFN_EINVAL, "member 'call': a name cannot hold U+0000");
    return xf_registry_find(registry, name.data, ret_function, err);
}

static extfn_status read_slices(xf_request *request, const extfn_registry *registry,
                                const xf_slice *slices, extfn_error *err)
{
    XF_TRY(check_one_of(slices, CALL, FN, err));
    XF_TRY(check_one_of(slices, ARGS, COLUMNS, err));
    XF_TRY(read_timeout(&slices[TIMEOUT], &request->timeout_us, err));
    if (slices[COST].data)
        XF_TRY(xf_slice_boolean(&slices[COST], &request->is_cost_told, err));
    request->is_call = slices[CALL].data != NULL;
    XF_TRY(request->is_call ? find_function(&slices[CALL], registry, &request->function, err)
                            : read_inline_function(&slices[FN], &request->function, err));
    request->is_batch = slices[COLUMNS].data != NULL;
    request->values = request->is_batch ? slices[COLUMNS] : slices[ARGS];
    return read_rows(slices, request->function, &request->rows, err);
}

extfn_status xf_request_read(xf_request *request, const extfn_registry *registry, const char *line,
                             size_t size, extfn_error *err)
{
    if (size > EXTFN_RPC_LINE_LIMIT) {
        return xf_fail(err, EXTFN_EINVAL, "a request of %zu bytes is over the limit of %u MiB",
                       size, EXTFN_RPC_LINE_LIMIT >> 20);
    }
    xf_json scan = {.data = line, .size = size};
    xf_slice slices[MEMBER_COUNT] = {{0}};
    extfn_status status = xf_members_read(&scan, members, MEMBER_COUNT, slices, err);
    request->id = slices[ID];
    XF_TRY(status);
    XF_TRY(xf_json_end(&scan, err));
    return read_slices(request, registry, slices, err);
}
