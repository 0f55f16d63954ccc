#include "guest/supervise/scratch.h"

#include "guest/common/process.h"
#include "guest/supervise/usage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define OF_THE_DIRECTORY 1 /* /tmp itself counts */
#define FULL_SHARE 16      /* less than one part in so many is free */

/* In a child. The supervisor's uid has made the user namespace that owns the mount, so that a child
 * of ours has every right in it. No process of the sandbox is touched, and of its files only the
 * place that bubblewrap mounted at, which no body can move. */
static int bound(pid_t process, uint32_t file_count)
{
    char text[64];
    (void)snprintf(text, sizeof(text), "/proc/%d/ns/mnt", (int)process);
    int mounts = open(text, O_RDONLY | O_CLOEXEC);
    int owner = mounts < 0 ? -1 : ioctl(mounts, NS_GET_USERNS);
    if (owner < 0 || setns(owner, CLONE_NEWUSER) != 0 || setns(mounts, CLONE_NEWNS) != 0)
        return errno;
    (void)snprintf(text, sizeof(text), "nr_inodes=%llu",
                   (unsigned long long)file_count + OF_THE_DIRECTORY);
    return mount(NULL, "/tmp", NULL, MS_REMOUNT | MS_NOSUID | MS_NODEV, text) == 0 ? 0 : errno;
}

static bool bound_in_child(pid_t process, uint32_t file_count)
{
    pid_t supervisor = getpid();
    pid_t child = fork();
    if (child == 0) {
        xf_die_with(supervisor);
        _exit(bound(process, file_count));
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

xf_scratch xf_scratch_open(pid_t command, uint32_t file_count)
{
    xf_scratch scratch = {.fd = -1};
    pid_t process = xf_first_child(command);
    if (process <= 0)
        return scratch;
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/root/tmp", (int)process);
    scratch.fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    scratch.is_bounded = bound_in_child(process, file_count);
    return scratch;
}

bool xf_scratch_is_crowded(const xf_scratch *scratch, uint32_t file_count)
{
    struct statfs now;
    if (scratch->fd < 0 || fstatfs(scratch->fd, &now) != 0 || now.f_files < now.f_ffree)
        return false;
    return now.f_files - now.f_ffree > (uint64_t)file_count + OF_THE_DIRECTORY;
}

uint64_t xf_scratch_size(const xf_scratch *scratch)
{
    struct statfs now;
    if (scratch->fd < 0 || fstatfs(scratch->fd, &now) != 0 || now.f_blocks < now.f_bfree)
        return 0;
    return (uint64_t)(now.f_blocks - now.f_bfree) * (uint64_t)now.f_bsize;
}

bool xf_scratch_is_full(const xf_scratch *scratch)
{
    struct statfs now;
    if (scratch->fd < 0 || fstatfs(scratch->fd, &now) != 0)
        return false;
    return now.f_bfree < now.f_blocks / FULL_SHARE;
}

void xf_scratch_close(xf_scratch *scratch)
{
    if (scratch->fd >= 0)
        (void)close(scratch->fd);
    scratch->fd = -1;
}
