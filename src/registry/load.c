/* Loading a library: a function file, a directory of them, a file of descriptors.
 * SPDX-License-Identifier: MIT */
#include "registry/registry.h"

#include "base/auto.h"
#include "base/json.h"
#include "registry/file.h"
#include "registry/function.h"
#include "registry/function_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DESCRIPTORS_LIMIT (64U << 20) /* bytes of a .json file */

/* All that was read so far; it reaches the registry at the end. */
typedef struct loader {
    xf_function_list functions;
    extfn_problem_fn *on_problem;
    void *context;
} loader;

static void loader_clear(loader *l)
{
    xf_function_list_clear(&l->functions);
}

static void function_clear(extfn_function **function)
{
    extfn_function_unref(*function);
}

static void directory_clear(DIR **directory)
{
    if (*directory)
        (void)closedir(*directory);
}

/* Names of a directory's function files. */
typedef struct name_list {
    char **items;
    size_t count;
    size_t capacity;
} name_list;

static void name_list_clear(name_list *names)
{
    for (size_t i = 0; i < names->count; i++)
        xf_free(names->items[i]);
    xf_free(names->items);
}

static extfn_status name_list_add(name_list *names, const char *name, extfn_error *err)
{
    if (names->count == XF_REGISTRY_LIMIT)
        return xf_fail(err, EXTFN_EINVAL, "more than %d function files", XF_REGISTRY_LIMIT);
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? names->capacity * 2 : 16;
        char **items = xf_realloc_array(names->items, capacity, sizeof(char *));
        if (!items)
            return xf_fail_oom(err);
        names->items = items;
        names->capacity = capacity;
    }
    char *copy = xf_strdup(name);
    if (!copy)
        return xf_fail_oom(err);
    names->items[names->count++] = copy;
    return EXTFN_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_json(const char *path)
{
    size_t size = strlen(path);
    return size > strlen(".json") && strcmp(path + size - strlen(".json"), ".json") == 0;
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

static extfn_status read_json_file(const char *path, xf_function_list *list, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf text = {.limit = DESCRIPTORS_LIMIT};
    XF_TRY(xf_file_read(path, &text, err));
    xf_json scan = {.data = text.data, .size = text.size};
    extfn_status status = read_descriptors(&scan, list, err);
    return status == EXTFN_OK ? EXTFN_OK : xf_fail_context(err, status, "%s", path);
}

static extfn_status read_function_file(const char *path, xf_function_list *list, extfn_error *err)
{
    XF_AUTO(function_clear) extfn_function *function = NULL;
    XF_TRY(extfn_function_from_file(path, &function, err));
    return add_new(list, &function, err);
}

/* A file's functions come in together or not at all. */
static extfn_status merge(loader *l, const char *path, xf_function_list *list, extfn_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *name = extfn_function_name(list->items[i]);
        const extfn_function *other = xf_function_list_get(&l->functions, name);
        if (!other)
            continue;
        const char *place = extfn_function_source_path(other);
        return xf_fail(err, EXTFN_EINVAL, "%s: function '%s' is in %s already", path, name,
                       place ? place : "another file");
    }
    XF_TRY(xf_function_list_reserve(&l->functions, list->count, err));
    for (size_t i = 0; i < list->count; i++)
        (void)xf_function_list_put(&l->functions, XF_STEAL(list->items[i]));
    return EXTFN_OK;
}

static extfn_status read_file(loader *l, const char *path, extfn_error *err)
{
    XF_AUTO(xf_function_list_clear) xf_function_list list = {0};
    XF_TRY(is_json(path) ? read_json_file(path, &list, err) : read_function_file(path, &list, err));
    return merge(l, path, &list, err);
}

static extfn_status load_file(loader *l, const char *path, extfn_error *err)
{
    extfn_error problem = {0};
    extfn_status status = read_file(l, path, l->on_problem ? &problem : err);
    if (status == EXTFN_OK || !l->on_problem)
        return status;
    if (status == EXTFN_ENOMEM)
        return xf_fail_oom(err);
    l->on_problem(path, &problem, l->context);
    return EXTFN_OK;
}

static extfn_status list_directory(const char *path, name_list *names, extfn_error *err)
{
    XF_AUTO(directory_clear) DIR *directory = opendir(path);
    if (!directory)
        return xf_fail_os(err, errno, path);
    for (;;) {
        errno = 0;
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream belongs to this thread */
        const struct dirent *entry = readdir(directory);
        if (!entry)
            return errno ? xf_fail_os(err, errno, path) : EXTFN_OK;
        if (entry->d_name[0] == '.' || !xf_function_file_is_named(entry->d_name))
            continue;
        extfn_status status = name_list_add(names, entry->d_name, err);
        if (status != EXTFN_OK)
            return xf_fail_context(err, status, "%s", path);
    }
}

static extfn_status join_path(const char *directory, const char *name, xf_buf *ret_path,
                              extfn_error *err)
{
    size_t size = strlen(directory);
    ret_path->size = 0;
    XF_TRY(xf_buf_append(ret_path, directory, size, err));
    if (size && directory[size - 1] != '/')
        XF_TRY(xf_buf_append(ret_path, "/", 1, err));
    return xf_buf_append(ret_path, name, strlen(name) + 1, err);
}

static extfn_status load_directory(loader *l, const char *path, extfn_error *err)
{
    XF_AUTO(name_list_clear) name_list names = {0};
    XF_AUTO(xf_buf_clear) xf_buf file = {0};
    XF_TRY(list_directory(path, &names, err));
    if (names.count)
        qsort(names.items, names.count, sizeof(names.items[0]), compare_names);
    for (size_t i = 0; i < names.count; i++) {
        XF_TRY(join_path(path, names.items[i], &file, err));
        if (!is_directory(file.data))
            XF_TRY(load_file(l, file.data, err));
    }
    return EXTFN_OK;
}

extfn_status extfn_registry_load(extfn_registry *registry, const char *path,
                                 extfn_problem_fn *on_problem, void *context, extfn_error *err)
{
    XF_AUTO(loader_clear) loader l = {.on_problem = on_problem, .context = context};
    XF_TRY(is_directory(path) ? load_directory(&l, path, err) : load_file(&l, path, err));
    return xf_registry_add_list(registry, &l.functions, err);
}
