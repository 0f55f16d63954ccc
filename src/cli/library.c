/* Libraries and their functions. SPDX-License-Identifier: MIT */
#include "cli/library.h"

#include "cli/buf.h"
#include "cli/nearest.h"
#include "cli/tell.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void cli_registry_clear(extfn_registry **slot)
{
    extfn_registry_free(*slot);
}

void cli_function_clear(extfn_function **slot)
{
    extfn_function_unref(*slot);
}

void cli_text_clear(char **slot)
{
    extfn_text_free(*slot);
}

extfn_status cli_library_open(const char *path, extfn_problem_fn *on_problem, void *context,
                              extfn_registry **ret_registry, extfn_error *err)
{
    CLI_AUTO(cli_registry_clear) extfn_registry *registry = NULL;
    CLI_TRY(extfn_registry_new(&registry, err));
    extfn_error failure = {0};
    extfn_status status = extfn_registry_load(registry, path, on_problem, context, &failure);
    if (status != EXTFN_OK && access(path, F_OK) != 0 && errno == ENOENT) {
        return cli_fail(err, status,
                        "%s; LIB is a function file, a directory of them, or a JSON file of "
                        "descriptors",
                        failure.message);
    }
    if (status != EXTFN_OK) {
        *err = failure;
        return status;
    }
    *ret_registry = registry;
    registry = NULL;
    return EXTFN_OK;
}

extfn_status cli_library_fail_empty(const char *path, extfn_error *err)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
        return cli_fail(err, EXTFN_EINVAL, "no functions in %s", path);
    return cli_fail(
        err, EXTFN_EINVAL,
        "no function files in %s; their names end in .py, .R, .jl, .pure, .wat or .wasm", path);
}

/* Of all that is wrong with a library, what may explain that one name is not there. */
typedef struct bad_file {
    extfn_error problem; /* EXTFN_OK: there is none */
    cli_buf path;
} bad_file;

typedef struct problems {
    const char *name;
    bad_file namesake; /* that is named after the function */
    bad_file first;
} problems;

static void problems_clear(problems *found)
{
    cli_buf_clear(&found->namesake.path);
    cli_buf_clear(&found->first.path);
}

static bool is_named_after(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const char *stem = slash ? slash + 1 : path;
    size_t size = strlen(name);
    return strncmp(stem, name, size) == 0 && stem[size] == '.' && !strchr(stem + size + 1, '.');
}

static void keep(bad_file *file, const char *path, const extfn_error *problem)
{
    extfn_error err = {0};
    if (file->problem.status != EXTFN_OK)
        return;
    file->problem = *problem;
    if (cli_buf_append_text(&file->path, path, &err) != EXTFN_OK)
        file->problem = err;
}

static void keep_problem(const char *path, const extfn_error *problem, void *context)
{
    problems *kept = context;
    keep(&kept->first, path, problem);
    if (is_named_after(path, kept->name))
        keep(&kept->namesake, path, problem);
}

static extfn_status fail_file(const bad_file *file, extfn_error *err)
{
    *err = file->problem;
    return file->path.size > 0 ? cli_tell_file(file->path.data, err) : err->status;
}

/* The name that was meant, if one is near: the function, with a reference, else NULL. */
static extfn_function *find_nearest(const extfn_registry *registry, const char *name)
{
    cli_nearest nearest = {0};
    extfn_function *best = NULL;
    for (size_t i = 0; i < extfn_registry_count(registry); i++) {
        extfn_function *function = extfn_registry_at(registry, i);
        const char *former = nearest.word;
        cli_nearest_offer(&nearest, name, extfn_function_name(function));
        if (nearest.word != former) {
            extfn_function *worse = best;
            best = function;
            function = worse;
        }
        extfn_function_unref(function);
    }
    return best;
}

static extfn_status not_found(const extfn_registry *registry, const char *path,
                              const problems *found, extfn_error *err)
{
    const char *name = found->name;
    const extfn_error *problem = &found->first.problem;
    bool is_empty = extfn_registry_is_empty(registry);
    if (found->namesake.problem.status != EXTFN_OK)
        return fail_file(&found->namesake, err);
    if (is_empty && problem->status != EXTFN_OK)
        return fail_file(&found->first, err);
    if (is_empty)
        return cli_library_fail_empty(path, err);
    CLI_AUTO(cli_function_clear) extfn_function *nearest = find_nearest(registry, name);
    if (nearest) {
        return cli_fail(err, EXTFN_ENOTFOUND, "external function not found: %s; did you mean '%s'?",
                        name, extfn_function_name(nearest));
    }
    if (problem->status != EXTFN_OK) {
        return cli_fail(err, EXTFN_ENOTFOUND, "external function not found: %s; %s", name,
                        problem->message);
    }
    return cli_fail(err, EXTFN_ENOTFOUND, "external function not found: %s", name);
}

extfn_status cli_library_find(const char *path, const char *name, extfn_function **ret_function,
                              extfn_error *err)
{
    CLI_AUTO(cli_registry_clear) extfn_registry *registry = NULL;
    CLI_AUTO(problems_clear) problems found = {.name = name};
    CLI_TRY(cli_library_open(path, keep_problem, &found, &registry, err));
    extfn_function *function = extfn_registry_get(registry, name);
    if (!function)
        return not_found(registry, path, &found, err);
    *ret_function = function;
    return EXTFN_OK;
}
