/* Functions by name, for many threads. SPDX-License-Identifier: MIT */
#include "registry/registry.h"

#include "base/auto.h"

#include <pthread.h>
#include <string.h>

#define TIMEOUT_US 5000000 /* unless set */

/* What the lock guards lies behind a pointer, so that it can be taken through a const registry. */
typedef struct state {
    pthread_mutex_t lock;
    xf_function_list functions;
    int64_t timeout_us;
} state;

struct extfn_registry {
    state *state;
};

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

extfn_status extfn_registry_new(extfn_registry **ret_registry, extfn_error *err)
{
    XF_AUTO_FREE extfn_registry *registry = xf_alloc(sizeof(*registry));
    XF_AUTO_FREE state *inside = xf_alloc(sizeof(*inside));
    if (!registry || !inside)
        return xf_fail_oom(err);
    if (pthread_mutex_init(&inside->lock, NULL) != 0)
        return xf_fail_oom(err);
    inside->timeout_us = TIMEOUT_US;
    registry->state = XF_STEAL(inside);
    *ret_registry = XF_STEAL(registry);
    return EXTFN_OK;
}

void extfn_registry_free(extfn_registry *registry)
{
    if (!registry)
        return;
    xf_function_list_clear(&registry->state->functions);
    (void)pthread_mutex_destroy(&registry->state->lock);
    xf_free(registry->state);
    xf_free(registry);
}

static state *lock(const extfn_registry *registry)
{
    (void)pthread_mutex_lock(&registry->state->lock);
    return registry->state;
}

static void unlock(state *inside)
{
    (void)pthread_mutex_unlock(&inside->lock);
}

extfn_status extfn_registry_set_timeout(extfn_registry *registry, int64_t timeout_us,
                                        extfn_error *err)
{
    if (timeout_us < 1)
        return xf_fail(err, EXTFN_EINVAL, "a time limit is at least one microsecond");
    state *inside = lock(registry);
    inside->timeout_us = timeout_us;
    unlock(inside);
    return EXTFN_OK;
}

int64_t extfn_registry_timeout(const extfn_registry *registry)
{
    state *inside = lock(registry);
    int64_t timeout_us = inside->timeout_us;
    unlock(inside);
    return timeout_us;
}

extfn_status extfn_registry_register(extfn_registry *registry, extfn_function *function,
                                     extfn_function **ret_former, extfn_error *err)
{
    if (!function)
        return xf_fail(err, EXTFN_EINVAL, "there is no function to register");
    extfn_function *former = NULL;
    state *inside = lock(registry);
    extfn_status status = xf_function_list_reserve(&inside->functions, 1, err);
    if (status == EXTFN_OK)
        former = xf_function_list_put(&inside->functions, extfn_function_ref(function));
    unlock(inside);
    XF_TRY(status);
    if (ret_former) {
        *ret_former = former;
    } else {
        extfn_function_unref(former);
    }
    return EXTFN_OK;
}

extfn_status xf_registry_add_list(extfn_registry *registry, xf_function_list *list,
                                  extfn_error *err)
{
    state *inside = lock(registry);
    extfn_status status = xf_function_list_reserve(&inside->functions, list->count, err);
    /* What is replaced stays in the list, to be released outside the lock. */
    for (size_t i = 0; status == EXTFN_OK && i < list->count; i++)
        list->items[i] = xf_function_list_put(&inside->functions, list->items[i]);
    unlock(inside);
    xf_function_list_clear(list);
    return status;
}

extfn_function *extfn_registry_get(const extfn_registry *registry, const char *name)
{
    state *inside = lock(registry);
    extfn_function *function = xf_function_list_get(&inside->functions, name);
    if (function)
        (void)extfn_function_ref(function);
    unlock(inside);
    return function;
}

extfn_status xf_registry_find(const extfn_registry *registry, const char *name,
                              extfn_function **ret_function, extfn_error *err)
{
    extfn_function *function = registry ? extfn_registry_get(registry, name) : NULL;
    if (!function)
        return xf_fail(err, EXTFN_ENOTFOUND, "external function not found: %s", name);
    *ret_function = function;
    return EXTFN_OK;
}

size_t extfn_registry_count(const extfn_registry *registry)
{
    state *inside = lock(registry);
    size_t count = inside->functions.count;
    unlock(inside);
    return count;
}

bool extfn_registry_is_empty(const extfn_registry *registry)
{
    return extfn_registry_count(registry) == 0;
}

extfn_function *extfn_registry_at(const extfn_registry *registry, size_t position)
{
    state *inside = lock(registry);
    extfn_function *function = position < inside->functions.count
                                   ? extfn_function_ref(inside->functions.items[position])
                                   : NULL;
    unlock(inside);
    return function;
}
