/* A file of descriptors. SPDX-License-Identifier: MIT */
#include "registry/descriptors.h"

#include "base/auto.h"
#include "base/json.h"
#include "registry/file.h"
#include "registry/function.h"

#define SIZE_LIMIT (64U << 20)

static void function_clear(extfn_function **function)
{
    extfn_function_unref(*function);
}

/* Puts the function into the list, together with what else its file holds. */
static extfn_status add_new(xf_function_list *list, extfn_function **function, extfn_error *err)
{
    if (xf_function_list_get(list, extfn_function_name(*function))) {
        return xf_fail(err, EXTFN_EINVAL, "a second function has the name '%s'",
                       extfn_function_name(*function));
    }
    XF_TRY(xf_function_list_reserve(list, 1, err));
    (void)xf_function_list_put(list, XF_STEAL(*function));
    return EXTFN_OK;
}

static extfn_status read_descriptor(xf_json *scan, xf_function_list *list, extfn_error *err)
{
    XF_AUTO(function_clear) extfn_function *function = NULL;
    XF_TRY(xf_function_read_json(scan, &function, err));
    return add_new(list, &function, err);
}

static extfn_status read_descriptors(xf_json *scan, xf_function_list *list, extfn_error *err)
{
    xf_json_kind kind;
    XF_TRY(xf_json_peek(scan, &kind, err));
    if (kind != XF_JSON_ARRAY) {
        XF_TRY(read_descriptor(scan, list, err));
        return xf_json_end(scan, err);
    }
    XF_TRY(xf_json_enter_array(scan, err));
    for (size_t i = 0;; i++) {
        bool has;
        XF_TRY(xf_json_next_element(scan, &has, err));
        if (!has)
            return xf_json_end(scan, err);
        extfn_status status = read_descriptor(scan, list, err);
        if (status != EXTFN_OK)
            return xf_fail_context(err, status, "descriptor %zu", i);
    }
}

extfn_status xf_descriptors_read(const char *path, xf_function_list *list, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf text = {.limit = SIZE_LIMIT};
    XF_TRY(xf_file_read(path, &text, err));
    xf_json scan = {.data = text.data, .size = text.size};
    extfn_status status = read_descriptors(&scan, list, err);
    return status == EXTFN_OK ? EXTFN_OK : xf_fail_context(err, status, "%s", path);
}
