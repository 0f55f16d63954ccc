#include "os/spawn.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>

/* The sources of a child's descriptors are first copied above all of these, so that no dup2 in the
 * child can overwrite the source of a later one. */
#define FD_LIMIT 64

typedef struct high_copies {
    int fds[FD_LIMIT];
    size_t count;
} high_copies;

static void high_copies_close(high_copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        (void)close(copies->fds[i]);
    copies->count = 0;
}

static extfn_status high_copies_make(high_copies *copies, const int *fds, size_t fd_count,
                                     extfn_error *err)
{
    if (fd_count > FD_LIMIT)
        return xf_fail(err, EXTFN_EINVAL, "a child takes at most %d descriptors", FD_LIMIT);
    for (size_t i = 0; i < fd_count; i++) {
        int copy = fcntl(fds[i], F_DUPFD_CLOEXEC, (int)fd_count);
        if (copy < 0) /* EINVAL: the host's limit is even below */
            return xf_fail_os(err, errno == EINVAL ? EMFILE : errno, "copy a descriptor");
        copies->fds[copies->count++] = copy;
    }
    return EXTFN_OK;
}

static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t all;
    sigset_t none;
    (void)sigfillset(&all);
    (void)sigemptyset(&none);
    int failed = posix_spawnattr_setsigdefault(attributes, &all);
    if (!failed)
        failed = posix_spawnattr_setsigmask(attributes, &none);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID;
    if (!failed)
        failed = posix_spawnattr_setflags(attributes, flags);
    return failed;
}

/* closefrom: descriptors of the host that are not close-on-exec must not leak. */
static int set_actions(posix_spawn_file_actions_t *actions, const high_copies *copies)
{
    int failed = posix_spawn_file_actions_addchdir_np(actions, "/");
    for (size_t i = 0; i < copies->count && !failed; i++)
        failed = posix_spawn_file_actions_adddup2(actions, copies->fds[i], (int)i);
    if (!failed)
        failed = posix_spawn_file_actions_addclosefrom_np(actions, (int)copies->count);
    return failed;
}

static void clear_attributes(posix_spawnattr_t *attributes)
{
    (void)posix_spawnattr_destroy(attributes);
}

static void clear_actions(posix_spawn_file_actions_t *actions)
{
    (void)posix_spawn_file_actions_destroy(actions);
}

static int spawn(const char *path, char *const argv[], char *const env[], const high_copies *copies,
                 pid_t *ret_pid)
{
    XF_AUTO(clear_attributes) posix_spawnattr_t attributes;
    XF_AUTO(clear_actions) posix_spawn_file_actions_t actions;
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawn_file_actions_init(&actions);
    int failed = set_attributes(&attributes);
    if (!failed)
        failed = set_actions(&actions, copies);
    return failed ? failed : posix_spawn(ret_pid, path, &actions, &attributes, argv, env);
}

extfn_status xf_spawn(const char *path, char *const argv[], char *const env[], const int *fds,
                      size_t fd_count, pid_t *ret_pid, extfn_error *err)
{
    XF_AUTO(high_copies_close) high_copies copies = {.count = 0};
    XF_TRY(high_copies_make(&copies, fds, fd_count, err));
    pid_t pid;
    int failed = spawn(path, argv, env, &copies, &pid);
    if (failed) {
        char what[256];
        (void)snprintf(what, sizeof(what), "start '%s'", path);
        return xf_fail_os(err, failed, what);
    }
    *ret_pid = pid;
    return EXTFN_OK;
}

void xf_child_reap(pid_t pid)
{
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}
