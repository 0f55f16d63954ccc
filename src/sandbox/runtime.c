#include "sandbox/runtime.h"

#include "base/auto.h"

#include <stdarg.h>
#include <stdio.h>

/* The list grows by doubling; items[count] is NULL, as argv wants it. */
static extfn_status reserve(xf_strings *list, extfn_error *err)
{
    if (list->count + 1 < list->capacity)
        return EXTFN_OK;
    size_t capacity = list->capacity ? list->capacity * 2 : 8;
    char **items = xf_realloc_array(list->items, capacity, sizeof(*items));
    if (!items)
        return xf_fail_oom(err);
    list->items = items;
    list->capacity = capacity;
    return EXTFN_OK;
}

static extfn_status take(xf_strings *list, char *text, extfn_error *err)
{
    XF_AUTO_FREE char *taken = text;
    if (!taken)
        return xf_fail_oom(err);
    XF_TRY(reserve(list, err));
    list->items[list->count++] = XF_STEAL(taken);
    list->items[list->count] = NULL;
    return EXTFN_OK;
}

extfn_status xf_strings_add(xf_strings *list, const char *text, extfn_error *err)
{
    return take(list, xf_strdup(text), err);
}

extfn_status xf_strings_add_format(xf_strings *list, extfn_error *err, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int size = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = size < 0 ? NULL : xf_alloc((size_t)size + 1);
    if (!text)
        return xf_fail_oom(err);
    va_start(args, fmt);
    (void)vsnprintf(text, (size_t)size + 1, fmt, args);
    va_end(args);
    return take(list, text, err);
}

void xf_strings_clear(xf_strings *list)
{
    for (size_t i = 0; i < list->count; i++)
        xf_free(list->items[i]);
    xf_free(list->items);
    *list = (xf_strings){0};
}

void xf_runtime_clear(xf_runtime *runtime)
{
    xf_strings_clear(&runtime->argv);
    xf_strings_clear(&runtime->binds);
    xf_strings_clear(&runtime->symlinks);
    xf_strings_clear(&runtime->environment);
    xf_strings_clear(&runtime->devices);
    *runtime = (xf_runtime){0};
}
