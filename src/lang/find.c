#include "lang/find.h"

#include "base/auto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Each holds much that is not an interpreter's. */
static const char *const wide_places[] = {
    "/",      "/bin", "/boot", "/dev",     "/etc",     "/home",      "/lib",       "/lib64",
    "/media", "/mnt", "/opt",  "/proc",    "/root",    "/run",       "/sbin",      "/srv",
    "/sys",   "/tmp", "/usr",  "/usr/bin", "/usr/lib", "/usr/local", "/usr/share", "/var",
};

#define NO_FOLDER_TEXT "packages '%s': not a folder; write its absolute path"
#define TOO_WIDE_TEXT "packages '%s' would show too much of this machine"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

bool xf_path_is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

bool xf_path_is_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

bool xf_path_is_too_wide(const char *path)
{
    for (size_t i = 0; i < COUNT(wide_places); i++) {
        if (strcmp(path, wide_places[i]) == 0)
            return true;
    }
    return strncmp(path, "/home/", 6) == 0 && !strchr(path + 6, '/');
}

static bool is_executable(const char *path)
{
    return xf_path_is_file(path) && access(path, X_OK) == 0;
}

static extfn_status find_named(const xf_language *language, const char *path, char **ret_path,
                               extfn_error *err)
{
    if (path[0] != '/')
        return xf_fail(err, EXTFN_EINVAL, "interpreter '%s' is not an absolute path", path);
    if (!is_executable(path)) {
        char reason[512];
        (void)snprintf(reason, sizeof(reason), "'%s' is not an executable file", path);
        return xf_language_unavailable(language, reason, "name another interpreter", err);
    }
    char *copy = xf_strdup(path);
    if (!copy)
        return xf_fail_oom(err);
    *ret_path = copy;
    return EXTFN_OK;
}

extfn_status xf_interpreter_find(const xf_language *language, const xf_language_options *options,
                                 const char *const places[], char **ret_path, extfn_error *err)
{
    if (options->interpreter)
        return find_named(language, options->interpreter, ret_path, err);
    for (size_t i = 0; places[i]; i++) {
        if (is_executable(places[i]))
            return find_named(language, places[i], ret_path, err);
    }
    char advice[64];
    if (language->package)
        (void)snprintf(advice, sizeof(advice), "install %s", language->package);
    else
        (void)snprintf(advice, sizeof(advice), "name one with --interpreter %s=PATH",
                       language->program);
    return xf_language_unavailable(language, "not found", advice, err);
}

static extfn_status add_package(xf_strings *folders, const char *path, extfn_error *err)
{
    XF_AUTO_FREE char *resolved = path[0] == '/' ? realpath(path, NULL) : NULL;
    if (!resolved || !xf_path_is_folder(resolved))
        return xf_fail(err, EXTFN_EINVAL, NO_FOLDER_TEXT, path);
    if (xf_path_is_too_wide(resolved))
        return xf_fail(err, EXTFN_EINVAL, TOO_WIDE_TEXT, path);
    return xf_strings_add(folders, resolved, err);
}

extfn_status xf_packages_find(const xf_language_options *options, xf_strings *ret_folders,
                              extfn_error *err)
{
    if (!options->packages || !options->packages[0])
        return EXTFN_OK;
    XF_AUTO_FREE char *list = xf_strdup(options->packages);
    if (!list)
        return xf_fail_oom(err);
    char *rest = list;
    while (rest) {
        const char *path = strsep(&rest, ":");
        XF_TRY(add_package(ret_folders, path, err));
    }
    return EXTFN_OK;
}

extfn_status xf_path_list_add(xf_strings *pairs, const char *name, const xf_strings *folders,
                              extfn_error *err)
{
    if (folders->count == 0)
        return EXTFN_OK;
    XF_AUTO(xf_buf_clear) xf_buf joined = {0};
    for (size_t i = 0; i < folders->count; i++) {
        XF_TRY(xf_buf_append(&joined, ":", i > 0 ? 1 : 0, err));
        XF_TRY(xf_buf_append(&joined, folders->items[i], strlen(folders->items[i]), err));
    }
    XF_TRY(xf_buf_append(&joined, "", 1, err));
    return xf_pair_add(pairs, name, joined.data, err);
}

extfn_status xf_pair_add(xf_strings *pairs, const char *name, const char *value, extfn_error *err)
{
    XF_TRY(xf_strings_add(pairs, name, err));
    return xf_strings_add(pairs, value, err);
}
