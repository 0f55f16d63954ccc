#include "sandbox/bwrap_args.h"

#include "base/layers.h"
#include "sandbox/environment.h"
#include "sandbox/programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct isolating {
    const char *word;
    xf_optional_layer layer;
} isolating;

/* `--unshare-all` would only try, and let root go on in the outer namespace. */
static const isolating isolation[] = {
    {"--unshare-user", XF_WITH_ALWAYS},
    {"--unshare-pid", XF_WITH_PID_NAMESPACE},
    {"--unshare-net", XF_WITH_NET_NAMESPACE},
    {"--unshare-ipc", XF_WITH_IPC_NAMESPACE},
    {"--unshare-uts", XF_WITH_ALWAYS},
    {"--unshare-cgroup", XF_WITH_ALWAYS},
    {"--disable-userns", XF_WITH_ALWAYS},
    {"--uid", XF_WITH_ALWAYS},
    {"65534", XF_WITH_ALWAYS},
    {"--gid", XF_WITH_ALWAYS},
    {"65534", XF_WITH_ALWAYS},
    {"--hostname", XF_WITH_ALWAYS},
    {"extfn", XF_WITH_ALWAYS},
    {"--cap-drop", XF_WITH_ALWAYS},
    {"ALL", XF_WITH_ALWAYS},
    {"--die-with-parent", XF_WITH_ALWAYS},
    {"--new-session", XF_WITH_SESSION},
    {"--clearenv", XF_WITH_ENVIRONMENT},
};

static extfn_status put_all(xf_buf *args, const char *const words[], extfn_error *err)
{
    for (size_t i = 0; words[i]; i++)
        XF_TRY(xf_buf_append(args, words[i], strlen(words[i]) + 1, err));
    return EXTFN_OK;
}

#define PUT(args, err, ...) put_all(args, (const char *const[]){__VA_ARGS__, NULL}, err)

static extfn_status put_isolation(xf_buf *args, extfn_error *err)
{
    for (size_t i = 0; i < sizeof(isolation) / sizeof(isolation[0]); i++) {
        if (xf_has_layer(isolation[i].layer))
            XF_TRY(PUT(args, err, isolation[i].word));
    }
    return EXTFN_OK;
}

static bool is_under(const char *path, const char *folder)
{
    size_t size = strlen(folder);
    return strncmp(path, folder, size) == 0 && path[size] == '/';
}

/* All binds show the host's own path: one inside another, or the same again, adds nothing. */
static bool is_covered(const char *path, const xf_strings *binds, size_t position)
{
    for (size_t i = 0; i < binds->count; i++) {
        bool is_repeated = i < position && strcmp(path, binds->items[i]) == 0;
        if (is_repeated || is_under(path, binds->items[i]))
            return true;
    }
    return false;
}

static bool is_covered_by_any(const char *path, const xf_host_libraries *libraries,
                              const xf_runtime *runtime, size_t position)
{
    return is_covered(path, &libraries->binds, SIZE_MAX) ||
           is_covered(path, &runtime->binds, position);
}

static extfn_status put_environment(xf_buf *args, const xf_strings *pairs, extfn_error *err)
{
    for (size_t i = 0; xf_environment[i]; i += 2)
        XF_TRY(PUT(args, err, "--setenv", xf_environment[i], xf_environment[i + 1]));
    for (size_t i = 0; i + 1 < pairs->count; i += 2)
        XF_TRY(PUT(args, err, "--setenv", pairs->items[i], pairs->items[i + 1]));
    return EXTFN_OK;
}

static extfn_status put_libraries(xf_buf *args, const xf_host_libraries *libraries,
                                  extfn_error *err)
{
    if (!xf_has_layer(XF_WITH_MOUNTS))
        XF_TRY(PUT(args, err, "--ro-bind", "/var", "/var"));
    for (size_t i = 0; i < libraries->binds.count; i++) {
        const char *path = libraries->binds.items[i];
        if (!is_covered(path, &libraries->binds, i))
            XF_TRY(PUT(args, err, "--ro-bind", path, path));
    }
    for (size_t i = 0; i + 1 < libraries->symlinks.count; i += 2) {
        char *const *pair = &libraries->symlinks.items[i];
        XF_TRY(PUT(args, err, "--symlink", pair[0], pair[1]));
    }
    return EXTFN_OK;
}

static extfn_status put_scratch(xf_buf *args, uint64_t tmp_bytes, extfn_error *err)
{
    char size[24];
    (void)snprintf(size, sizeof(size), "%" PRIu64, tmp_bytes);
    XF_TRY(PUT(args, err, "--dir", "/home"));
    if (xf_has_layer(XF_WITH_TMPFS_SIZE))
        XF_TRY(PUT(args, err, "--size", size));
    return PUT(args, err, "--tmpfs", "/tmp", "--chdir", "/tmp");
}

/* A symlink under a bind is there already. */
static extfn_status put_runtime(xf_buf *args, const xf_host_libraries *libraries,
                                const xf_runtime *runtime, extfn_error *err)
{
    for (size_t i = 0; i < runtime->binds.count; i++) {
        const char *path = runtime->binds.items[i];
        if (!is_covered_by_any(path, libraries, runtime, i))
            XF_TRY(PUT(args, err, "--ro-bind", path, path));
    }
    for (size_t i = 0; i + 1 < runtime->symlinks.count; i += 2) {
        char *const *pair = &runtime->symlinks.items[i];
        if (!is_covered_by_any(pair[1], libraries, runtime, 0))
            XF_TRY(PUT(args, err, "--symlink", pair[0], pair[1]));
    }
    for (size_t i = 0; i < runtime->devices.count; i++) {
        const char *path = runtime->devices.items[i];
        XF_TRY(PUT(args, err, "--dev-bind", path, path));
    }
    return EXTFN_OK;
}

static extfn_status put_files(xf_buf *args, const xf_plan_file *files, size_t file_count,
                              extfn_error *err)
{
    for (size_t i = 0; i < file_count; i++) {
        if (!files[i].place)
            continue; /* the filter; and a probe has no driver */
        char fd[24];
        (void)snprintf(fd, sizeof(fd), "%zu", XF_FD_DATA + i);
        const char *mode = i == XF_FILE_ENTER ? "0555" : "0444";
        XF_TRY(PUT(args, err, "--perms", mode, "--ro-bind-data", fd, files[i].place));
    }
    return EXTFN_OK;
}

static extfn_status put_stub_shell(xf_buf *args, extfn_error *err)
{
    XF_TRY(PUT(args, err, "--symlink", "usr/bin", "/bin"));
    return PUT(args, err, "--symlink", XF_PLACE_ENTER, "/usr/bin/sh");
}

static extfn_status put_filter(xf_buf *args, extfn_error *err)
{
    char fd[24];
    (void)snprintf(fd, sizeof(fd), "%d", XF_FD_DATA + XF_FILE_FILTER);
    return PUT(args, err, "--seccomp", fd);
}

extfn_status xf_bwrap_args(const xf_policy *policy, const xf_host_libraries *libraries,
                           const xf_runtime *runtime, const xf_plan_file *files, size_t file_count,
                           xf_buf *args, extfn_error *err)
{
    XF_TRY(put_isolation(args, err));
    XF_TRY(put_environment(args, &runtime->environment, err));
    XF_TRY(put_libraries(args, libraries, err));
    XF_TRY(put_scratch(args, policy->tmp_bytes, err));
    XF_TRY(put_runtime(args, libraries, runtime, err));
    XF_TRY(put_files(args, files, file_count, err));
    if (runtime->needs_stub_shell)
        XF_TRY(put_stub_shell(args, err));
    if (xf_has_layer(XF_WITH_FILTER))
        XF_TRY(put_filter(args, err));
    /* Last: until then / is a writable tmpfs without a size. */
    return xf_has_layer(XF_WITH_READ_ONLY_ROOT) ? PUT(args, err, "--remount-ro", "/") : EXTFN_OK;
}
