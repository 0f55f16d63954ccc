/* Reading a library, and seeing that it changed. SPDX-License-Identifier: MIT */
#include "registry/library.h"

#include "base/auto.h"
#include "base/buf.h"
#include "registry/descriptors.h"
#include "registry/function_file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The kernel's clock for files moves in steps of up to 10 ms. */
#define SETTLED_NS 20000000

static void directory_clear(DIR **directory)
{
    if (*directory)
        (void)closedir(*directory);
}

/* ---- Stamps ---- */

static int64_t nanoseconds(const struct timespec *time)
{
    return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

static xf_stamp stamp_of(const char *path)
{
    struct stat info;
    struct timespec now = {0};
    if (stat(path, &info) != 0)
        return (xf_stamp){0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    int64_t age = nanoseconds(&now) - nanoseconds(&info.st_ctim);
    return (xf_stamp){
        .device = info.st_dev,
        .inode = info.st_ino,
        .size = info.st_size,
        .modified_ns = nanoseconds(&info.st_mtim),
        .changed_ns = nanoseconds(&info.st_ctim),
        .is_directory = S_ISDIR(info.st_mode),
        .is_unsettled = age < SETTLED_NS && age > -SETTLED_NS,
    };
}

static bool is_current(const xf_stamp *stamp, const char *path)
{
    xf_stamp now = stamp_of(path);
    return !stamp->is_unsettled && now.device == stamp->device && now.inode == stamp->inode &&
           now.size == stamp->size && now.modified_ns == stamp->modified_ns &&
           now.changed_ns == stamp->changed_ns;
}

bool xf_library_is_current(const xf_library *library)
{
    if (!is_current(&library->stamp, library->path))
        return false;
    size_t at = 0;
    while (at < library->file_count &&
           is_current(&library->files[at].stamp, library->files[at].path))
        at++;
    return at == library->file_count;
}

/* ---- Files ---- */

static void file_clear(xf_library_file *file)
{
    xf_free(file->path);
    xf_free(file->problem);
    xf_function_list_clear(&file->functions);
}

void xf_library_clear(xf_library *library)
{
    for (size_t i = 0; i < library->file_count; i++)
        file_clear(&library->files[i]);
    xf_free(library->files);
    xf_free(library->path);
    xf_function_list_clear(&library->functions);
    *library = (xf_library){0};
}

static extfn_status add_file(xf_library *library, const char *path, extfn_error *err)
{
    if (library->file_count == XF_REGISTRY_LIMIT)
        return xf_fail(err, EXTFN_EINVAL, "%s: more than %d function files", library->path,
                       XF_REGISTRY_LIMIT);
    if (library->file_count == library->file_capacity) {
        size_t capacity = library->file_capacity ? library->file_capacity * 2 : 16;
        xf_library_file *files = xf_realloc_array(library->files, capacity, sizeof(*files));
        if (!files)
            return xf_fail_oom(err);
        library->files = files;
        library->file_capacity = capacity;
    }
    char *copy = xf_strdup(path);
    if (!copy)
        return xf_fail_oom(err);
    library->files[library->file_count++] = (xf_library_file){.path = copy};
    return EXTFN_OK;
}

static extfn_status set_problem(xf_library_file *file, const extfn_error *problem, extfn_error *err)
{
    char *copy = xf_strdup(problem->message);
    if (!copy)
        return xf_fail_oom(err);
    xf_free(file->problem);
    file->problem = copy;
    file->status = problem->status;
    return EXTFN_OK;
}

/* A file's functions come in together or not at all. */
static extfn_status merge(xf_library *library, const xf_library_file *file, extfn_error *err)
{
    const xf_function_list *list = &file->functions;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = extfn_function_name(list->items[i]);
        const extfn_function *other = xf_function_list_get(&library->functions, name);
        if (!other)
            continue;
        const char *place = extfn_function_source_path(other);
        return xf_fail(err, EXTFN_EINVAL,
                       "%s: function '%s' is in %s already; give one of them another name",
                       file->path, name, place ? place : "another file");
    }
    XF_TRY(xf_function_list_reserve(&library->functions, list->count, err));
    for (size_t i = 0; i < list->count; i++)
        (void)xf_function_list_put(&library->functions, extfn_function_ref(list->items[i]));
    return EXTFN_OK;
}

static extfn_status read_function_file(const char *path, xf_function_list *list, extfn_error *err)
{
    XF_TRY(xf_function_list_reserve(list, 1, err));
    extfn_function *function = NULL;
    XF_TRY(extfn_function_from_file(path, &function, err));
    (void)xf_function_list_put(list, function);
    return EXTFN_OK;
}

static bool is_json(const char *path)
{
    size_t size = strlen(path);
    return size > strlen(".json") && strcmp(path + size - strlen(".json"), ".json") == 0;
}

static extfn_status read_file(xf_library *library, xf_library_file *file, extfn_error *err)
{
    file->stamp = stamp_of(file->path);
    XF_TRY(is_json(file->path) ? xf_descriptors_read(file->path, &file->functions, err)
                               : read_function_file(file->path, &file->functions, err));
    return merge(library, file, err);
}

static extfn_status read_or_note(xf_library *library, xf_library_file *file, bool is_lenient,
                                 extfn_error *err)
{
    if (!is_lenient)
        return read_file(library, file, err);
    extfn_error problem = {0};
    extfn_status status = read_file(library, file, &problem);
    if (status == EXTFN_OK)
        return EXTFN_OK;
    xf_function_list_clear(&file->functions);
    return status == EXTFN_ENOMEM ? xf_fail_oom(err) : set_problem(file, &problem, err);
}

/* ---- Directories ---- */

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

static extfn_status add_entry(xf_library *library, const char *name, extfn_error *err)
{
    if (name[0] == '.' || !xf_function_file_is_named(name))
        return EXTFN_OK;
    XF_AUTO(xf_buf_clear) xf_buf path = {0};
    XF_TRY(join_path(library->path, name, &path, err));
    return stamp_of(path.data).is_directory ? EXTFN_OK : add_file(library, path.data, err);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const xf_library_file *)a)->path, ((const xf_library_file *)b)->path);
}

static extfn_status list_directory(xf_library *library, extfn_error *err)
{
    XF_AUTO(directory_clear) DIR *directory = opendir(library->path);
    if (!directory)
        return xf_fail_os(err, errno, library->path);
    for (;;) {
        errno = 0;
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream belongs to this thread */
        const struct dirent *entry = readdir(directory);
        if (!entry && errno)
            return xf_fail_os(err, errno, library->path);
        if (!entry)
            break;
        XF_TRY(add_entry(library, entry->d_name, err));
    }
    if (library->file_count > 0)
        qsort(library->files, library->file_count, sizeof(library->files[0]), compare_paths);
    return EXTFN_OK;
}

/* ---- The library ---- */

static extfn_status read_all(xf_library *library, bool is_lenient, extfn_error *err)
{
    if (access(library->path, F_OK) != 0)
        return xf_fail_os(err, errno, library->path);
    library->stamp = stamp_of(library->path);
    if (library->stamp.is_directory) {
        XF_TRY(list_directory(library, err));
    } else {
        XF_TRY(add_file(library, library->path, err));
    }
    for (size_t i = 0; i < library->file_count; i++)
        XF_TRY(read_or_note(library, &library->files[i], is_lenient, err));
    return EXTFN_OK;
}

extfn_status xf_library_read(const char *path, bool is_lenient, xf_library *ret_library,
                             extfn_error *err)
{
    XF_AUTO(xf_library_clear) xf_library library = {.path = xf_strdup(path)};
    if (!library.path)
        return xf_fail_oom(err);
    XF_TRY(read_all(&library, is_lenient, err));
    *ret_library = library;
    library = (xf_library){0};
    return EXTFN_OK;
}

const xf_library_file *xf_library_find(const xf_library *library, const char *path)
{
    for (size_t i = 0; i < library->file_count; i++) {
        if (strcmp(library->files[i].path, path) == 0)
            return &library->files[i];
    }
    return NULL;
}

extfn_status xf_library_inherit(xf_library *library, const xf_library *former, extfn_error *err)
{
    for (size_t i = 0; i < library->file_count; i++) {
        xf_library_file *file = &library->files[i];
        const xf_library_file *before =
            file->status == EXTFN_OK ? NULL : xf_library_find(former, file->path);
        if (!before)
            continue;
        XF_TRY(xf_function_list_reserve(&file->functions, before->functions.count, err));
        for (size_t k = 0; k < before->functions.count; k++)
            (void)xf_function_list_put(&file->functions,
                                       extfn_function_ref(before->functions.items[k]));
    }
    return EXTFN_OK;
}

extfn_status xf_library_lose(const xf_library *former, const extfn_error *reason,
                             xf_library *ret_library, extfn_error *err)
{
    XF_AUTO(xf_library_clear)
    xf_library library = {.path = xf_strdup(former->path),
                          .stamp.is_directory = former->stamp.is_directory};
    if (!library.path)
        return xf_fail_oom(err);
    for (size_t i = 0; i < former->file_count; i++) {
        XF_TRY(add_file(&library, former->files[i].path, err));
        assert(library.files);
        XF_TRY(set_problem(&library.files[i], reason, err));
    }
    *ret_library = library;
    library = (xf_library){0};
    return EXTFN_OK;
}
