#include "registry/function_list.h"

#include "base/alloc.h"

#include <assert.h>
#include <string.h>

void xf_function_list_clear(xf_function_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        extfn_function_unref(list->items[i]);
    xf_free(list->items);
    *list = (xf_function_list){0};
}

/* Where the name stands, or where it belongs. */
static size_t find(const xf_function_list *list, const char *name, bool *ret_is_there)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(extfn_function_name(list->items[middle]), name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *ret_is_there = low < list->count && strcmp(extfn_function_name(list->items[low]), name) == 0;
    return low;
}

extfn_function *xf_function_list_get(const xf_function_list *list, const char *name)
{
    bool is_there;
    size_t at = find(list, name, &is_there);
    assert(!is_there || list->items);
    return is_there ? list->items[at] : NULL;
}

extfn_status xf_function_list_reserve(xf_function_list *list, size_t count, extfn_error *err)
{
    if (count > XF_REGISTRY_LIMIT - list->count)
        return xf_fail(err, EXTFN_EINVAL, "more than %d functions", XF_REGISTRY_LIMIT);
    if (count <= list->capacity - list->count)
        return EXTFN_OK;
    size_t capacity = list->capacity ? list->capacity : 16;
    while (capacity < list->count + count)
        capacity *= 2;
    extfn_function **items = xf_realloc_array(list->items, capacity, sizeof(extfn_function *));
    if (!items)
        return xf_fail_oom(err);
    list->items = items;
    list->capacity = capacity;
    return EXTFN_OK;
}

extfn_function *xf_function_list_put(xf_function_list *list, extfn_function *function)
{
    bool is_there;
    size_t at = find(list, extfn_function_name(function), &is_there);
    if (is_there) {
        extfn_function *former = list->items[at];
        list->items[at] = function;
        return former;
    }
    memmove(list->items + at + 1, list->items + at, (list->count - at) * sizeof(extfn_function *));
    list->items[at] = function;
    list->count++;
    return NULL;
}

void xf_function_list_remove(xf_function_list *list, const char *name)
{
    bool is_there;
    size_t at = find(list, name, &is_there);
    if (!is_there)
        return;
    extfn_function *function = list->items[at];
    list->count--;
    memmove(list->items + at, list->items + at + 1, (list->count - at) * sizeof(extfn_function *));
    extfn_function_unref(function);
}
