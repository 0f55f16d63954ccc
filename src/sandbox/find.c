#include "sandbox/find.h"

#include "base/auto.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SETUID_TEXT                                                                                \
    "sandbox unavailable: '%s' is setuid root; take that bit away (chmod u-s) and allow "          \
    "unprivileged user namespaces"

static bool is_executable_file(const char *path, struct stat *ret_found)
{
    return stat(path, ret_found) == 0 && S_ISREG(ret_found->st_mode) && access(path, X_OK) == 0;
}

static extfn_status take(const char *path, const struct stat *found, char **ret_path,
                         extfn_error *err)
{
    if ((found->st_mode & S_ISUID) && found->st_uid == 0)
        return xf_fail(err, EXTFN_ESANDBOX, SETUID_TEXT, path);
    char *copy = xf_strdup(path);
    if (!copy)
        return xf_fail_oom(err);
    *ret_path = copy;
    return EXTFN_OK;
}

extfn_status xf_bwrap_find(const char *search_path, char **ret_path, extfn_error *err)
{
    for (const char *at = search_path; *at; at += *at == ':') {
        size_t size = strcspn(at, ":");
        char path[PATH_MAX];
        struct stat found;
        /* A relative folder is no place to take a program from. */
        if (*at == '/' && size < sizeof(path) - sizeof("/bwrap")) {
            (void)snprintf(path, sizeof(path), "%.*s/bwrap", (int)size, at);
            if (is_executable_file(path, &found))
                return take(path, &found, ret_path, err);
        }
        at += size;
    }
    return xf_fail(err, EXTFN_ESANDBOX,
                   "sandbox unavailable: bubblewrap (bwrap) was not found; install the package "
                   "bubblewrap");
}
