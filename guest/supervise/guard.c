#include "guest/supervise/guard.h"

#include "guest/common/process.h"
#include "guest/supervise/privilege.h"
#include "guest/supervise/reap.h"
#include "wire/wire.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* on every architecture */
#endif

/* All but the report, and the claim to the uid: what others wait for the end of has to end with the
 * supervisor. */
static void close_all_but_report(uint32_t file_count)
{
    for (int fd = XF_FD_STDIN; fd < XF_FD_DATA + (int)file_count; fd++) {
        if (fd != XF_FD_REPORT)
            (void)close(fd);
    }
}

static _Noreturn void guard(pid_t supervisor, bool owns_uid, xf_group *group)
{
    group->is_privileged = owns_uid && group->place_fd >= 0;
    if (owns_uid && xf_privilege_settle(group->is_privileged) != 0)
        _exit(1);          /* which ends the other */
    xf_group_sweep(group); /* nobody waits for this */
    int status = 0;
    while (waitpid(supervisor, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!WIFSIGNALED(status)) /* it left nothing and has said so */
        _exit(0);
    xf_reaper reaper = {.owns_uid = owns_uid};
    if (xf_reaper_open(&reaper) != 0)
        reaper.signal_fd = -1; /* polled only */
    xf_group_adopt(group);
    xf_group_kill(group);
    xf_kill_all(&reaper);
    xf_group_remove(group);
    const xf_report report = {.magic = XF_WIRE_MAGIC,
                              .version = XF_WIRE_VERSION,
                              .cause = XF_CAUSE_BROKEN,
                              .os_errno = EOWNERDEAD};
    (void)xf_write(XF_FD_REPORT, &report, sizeof(report));
    _exit(0);
}

int xf_guard_start(uint32_t file_count, bool owns_uid, xf_group *group, int *ret_guard_fd)
{
    int guard_fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (guard_fd < 0)
        return errno;
    pid_t supervisor = fork();
    if (supervisor < 0)
        return errno;
    if (supervisor > 0) {
        (void)close(guard_fd);
        close_all_but_report(file_count);
        guard(supervisor, owns_uid, group);
    }
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) /* not inherited */
        return errno;
    *ret_guard_fd = guard_fd;
    return 0;
}
