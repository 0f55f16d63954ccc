#include "base/alloc.h"
#include "eval/batch.h"

extfn_status xf_watch_add(xf_watch *watch, xf_watched item, extfn_error *err)
{
    if (watch->count == watch->capacity) {
        size_t capacity = watch->capacity ? 2 * watch->capacity : 16;
        xf_watched *items = xf_realloc_array(watch->items, capacity, sizeof(*items));
        if (!items)
            return xf_fail_oom(err);
        watch->items = items;
        watch->capacity = capacity;
    }
    watch->items[watch->count++] = item;
    return EXTFN_OK;
}
