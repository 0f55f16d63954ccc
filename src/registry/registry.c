/* Functions by name, for many threads. SPDX-License-Identifier: MIT */
#include "registry/registry.h"

#include "base/auto.h"
#include "registry/function.h"
#include "registry/library.h"

#include <pthread.h>
#include <string.h>

#define TIMEOUT_US 5000000 /* unless set */

/* What the lock guards lies behind a pointer, so that it can be taken through a const registry. */
typedef struct state {
    pthread_mutex_t lock;
    xf_function_list functions;
    int64_t timeout_us;
    /* They change under both locks, so either is enough to read them. */
    pthread_mutex_t library_lock;
    xf_library *libraries;
    size_t library_count;
} state;

struct extfn_registry {
    state *state;
};

extfn_status extfn_registry_new(extfn_registry **ret_registry, extfn_error *err)
{
    XF_AUTO_FREE extfn_registry *registry = xf_alloc(sizeof(*registry));
    XF_AUTO_FREE state *inside = xf_alloc(sizeof(*inside));
    if (!registry || !inside)
        return xf_fail_oom(err);
    if (pthread_mutex_init(&inside->lock, NULL) != 0)
        return xf_fail_oom(err);
    if (pthread_mutex_init(&inside->library_lock, NULL) != 0) {
        (void)pthread_mutex_destroy(&inside->lock);
        return xf_fail_oom(err);
    }
    inside->timeout_us = TIMEOUT_US;
    registry->state = XF_STEAL(inside);
    *ret_registry = XF_STEAL(registry);
    return EXTFN_OK;
}

void extfn_registry_free(extfn_registry *registry)
{
    if (!registry)
        return;
    state *inside = registry->state;
    for (size_t i = 0; i < inside->library_count; i++)
        xf_library_clear(&inside->libraries[i]);
    xf_free(inside->libraries);
    xf_function_list_clear(&inside->functions);
    (void)pthread_mutex_destroy(&inside->library_lock);
    (void)pthread_mutex_destroy(&inside->lock);
    xf_free(inside);
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

extfn_function *extfn_registry_get(const extfn_registry *registry, const char *name)
{
    state *inside = lock(registry);
    extfn_function *function = xf_function_list_get(&inside->functions, name);
    if (function)
        (void)extfn_function_ref(function);
    unlock(inside);
    return function;
}

/* The file that gave the function cannot be read as it is now. */
static const xf_library_file *find_bad_file(const state *inside, const char *name)
{
    for (size_t i = 0; i < inside->library_count; i++) {
        const xf_library *library = &inside->libraries[i];
        for (size_t k = 0; k < library->file_count; k++) {
            const xf_library_file *file = &library->files[k];
            if (file->problem && xf_function_list_get(&file->functions, name))
                return file;
        }
    }
    return NULL;
}

/* Whether the file is named after the function: `lib/f.py` and `f`. */
static bool is_named_after(const xf_library_file *file, const char *name)
{
    const char *slash = strrchr(file->path, '/');
    const char *stem = slash ? slash + 1 : file->path;
    const char *dot = strrchr(stem, '.');
    size_t size = dot ? (size_t)(dot - stem) : strlen(stem);
    return size == strlen(name) && memcmp(stem, name, size) == 0;
}

/* A bad file that never gave a function, and by its name should have given this one. */
static const xf_library_file *find_bad_namesake(const state *inside, const char *name)
{
    for (size_t i = 0; i < inside->library_count; i++) {
        const xf_library *library = &inside->libraries[i];
        for (size_t k = 0; k < library->file_count; k++) {
            if (library->files[k].problem && is_named_after(&library->files[k], name))
                return &library->files[k];
        }
    }
    return NULL;
}

extfn_status xf_registry_find(const extfn_registry *registry, const char *name,
                              extfn_function **ret_function, extfn_error *err)
{
    extfn_function *function = registry ? extfn_registry_get(registry, name) : NULL;
    if (function) {
        *ret_function = function;
        return EXTFN_OK;
    }
    extfn_status status = EXTFN_ENOTFOUND;
    (void)xf_fail(err, status, "external function not found: %s", name);
    if (!registry)
        return status;
    state *inside = lock(registry);
    const xf_library_file *file = find_bad_file(inside, name);
    const xf_library_file *namesake = file ? NULL : find_bad_namesake(inside, name);
    if (file)
        status = xf_fail(err, file->status, "%s", file->problem);
    if (namesake)
        status =
            xf_fail(err, status, "external function not found: %s; %s", name, namesake->problem);
    unlock(inside);
    return status;
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

/* ---- Libraries ---- */

void xf_registry_lock_libraries(extfn_registry *registry)
{
    (void)pthread_mutex_lock(&registry->state->library_lock);
}

void xf_registry_unlock_libraries(extfn_registry *registry)
{
    (void)pthread_mutex_unlock(&registry->state->library_lock);
}

const xf_library *xf_registry_library(const extfn_registry *registry, size_t position)
{
    const state *inside = registry->state;
    return position < inside->library_count ? &inside->libraries[position] : NULL;
}

static void drop_vanished(state *inside, const xf_library *former, const xf_library *library)
{
    for (size_t i = 0; i < former->functions.count; i++) {
        extfn_function *function = former->functions.items[i];
        const char *name = extfn_function_name(function);
        if (xf_function_list_get(&inside->functions, name) == function &&
            !xf_function_list_get(&library->functions, name))
            xf_function_list_remove(&inside->functions, name);
    }
}

/* A function that is as it was keeps its place, also to one that was registered over it. */
static void put_changed(state *inside, const xf_library *former, xf_library *library)
{
    for (size_t i = 0; i < library->functions.count; i++) {
        extfn_function **slot = &library->functions.items[i];
        extfn_function *before =
            xf_function_list_get(&former->functions, extfn_function_name(*slot));
        if (before && xf_function_is_equal(before, *slot)) {
            extfn_function_unref(*slot);
            *slot = extfn_function_ref(before);
            continue;
        }
        extfn_function_unref(xf_function_list_put(&inside->functions, extfn_function_ref(*slot)));
    }
}

static extfn_status reserve_new(state *inside, const xf_library *library, extfn_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < library->functions.count; i++) {
        const char *name = extfn_function_name(library->functions.items[i]);
        count += xf_function_list_get(&inside->functions, name) == NULL;
    }
    return xf_function_list_reserve(&inside->functions, count, err);
}

extfn_status xf_registry_replace_library(extfn_registry *registry, size_t position,
                                         xf_library *library, extfn_error *err)
{
    state *inside = lock(registry);
    xf_library *former = &inside->libraries[position];
    extfn_status status = reserve_new(inside, library, err);
    if (status == EXTFN_OK) {
        drop_vanished(inside, former, library);
        put_changed(inside, former, library);
        xf_library outdated = *former;
        *former = *library;
        *library = outdated;
    }
    unlock(inside);
    return status;
}

/* Where the library of that path stands, or where a new one goes. */
static extfn_status find_place(state *inside, const char *path, size_t *ret_position,
                               extfn_error *err)
{
    size_t at = 0;
    while (at < inside->library_count && strcmp(inside->libraries[at].path, path) != 0)
        at++;
    if (at == inside->library_count) {
        xf_library *libraries =
            xf_realloc_array(inside->libraries, at + 1, sizeof(*inside->libraries));
        if (!libraries)
            return xf_fail_oom(err);
        inside->libraries = libraries;
    }
    *ret_position = at;
    return EXTFN_OK;
}

static extfn_status add_library(state *inside, xf_library *library, extfn_error *err)
{
    size_t position = 0;
    XF_TRY(find_place(inside, library->path, &position, err));
    XF_TRY(reserve_new(inside, library, err));
    const xf_library nothing = {0};
    put_changed(inside, &nothing, library);
    xf_library outdated = {0};
    if (position < inside->library_count)
        outdated = inside->libraries[position];
    else
        inside->library_count++;
    inside->libraries[position] = *library;
    *library = outdated;
    return EXTFN_OK;
}

extfn_status xf_registry_add_library(extfn_registry *registry, xf_library *library,
                                     extfn_error *err)
{
    xf_registry_lock_libraries(registry);
    state *inside = lock(registry);
    extfn_status status = add_library(inside, library, err);
    unlock(inside);
    xf_registry_unlock_libraries(registry);
    return status;
}
