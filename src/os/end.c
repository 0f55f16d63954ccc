#include "os/end.h"

#include "base/auto.h"
#include "base/clock.h"
#include "os/fd.h"
#include "os/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* More children than a supervisor has while it stands still. */
#define CHILDREN_LIMIT 64

/* What was killed ends in milliseconds, unless the kernel cannot let it. */
#define KILLED_LIMIT_US 10000000

extfn_status xf_child_hold(pid_t pid, int *ret_pidfd, extfn_error *err)
{
    extfn_error failure = {0};
    *ret_pidfd = -1;
    extfn_status status = xf_pidfd_open(pid, ret_pidfd, &failure);
    if (status == EXTFN_OK || failure.os_errno == ESRCH)
        return EXTFN_OK;
    (void)kill(pid, SIGKILL);
    xf_child_reap(pid);
    return xf_fail_os(err, failure.os_errno, "open a pidfd");
}

static void send_signal(int pidfd, int number)
{
    (void)syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0);
}

void xf_child_kill(int pidfd)
{
    if (pidfd >= 0)
        send_signal(pidfd, SIGKILL);
}

static bool ends_until(int pidfd, int64_t until_us)
{
    struct pollfd end = {.fd = pidfd, .events = POLLIN};
    int count;
    do
        count = poll(&end, 1, xf_clock_wait_ms(until_us));
    while (count < 0 && errno == EINTR);
    return count > 0;
}

/* The children that the only thread of a process has started. */
static size_t list_children(pid_t pid, pid_t children[CHILDREN_LIMIT])
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
    XF_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    char text[CHILDREN_LIMIT * 12];
    ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
    text[size > 0 ? size : 0] = '\0';
    size_t count = 0;
    char *at = text;
    for (long child = strtol(at, &at, 10); child > 1 && count < CHILDREN_LIMIT;
         child = strtol(at, &at, 10))
        children[count++] = (pid_t)child;
    return count;
}

static bool is_child_of(pid_t pid, pid_t child)
{
    pid_t children[CHILDREN_LIMIT];
    size_t count = list_children(pid, children);
    for (size_t i = 0; i < count; i++) {
        if (children[i] == child)
            return true;
    }
    return false;
}

/* A number may become another's between the list and the pidfd: so the list is read once more, and
 * counts only as long as the parent lives, whose number nobody else can have then. */
void xf_child_kill_children(pid_t pid, int pidfd)
{
    if (pidfd < 0)
        return;
    pid_t children[CHILDREN_LIMIT];
    size_t count = list_children(pid, children);
    for (size_t i = 0; i < count; i++) {
        XF_AUTO_CLOSE int child = -1;
        if (xf_pidfd_open(children[i], &child, NULL) == EXTFN_OK && is_child_of(pid, children[i]) &&
            !ends_until(pidfd, 0))
            send_signal(child, SIGKILL);
    }
    send_signal(pidfd, SIGCONT);
}

void xf_child_end(pid_t pid, int pidfd, int64_t limit_us)
{
    if (pidfd < 0) /* it was reaped already */
        return;
    if (!ends_until(pidfd, xf_clock_now() + limit_us)) {
        send_signal(pidfd, SIGKILL);
        (void)ends_until(pidfd, xf_clock_now() + KILLED_LIMIT_US);
    }
    (void)waitpid(pid, NULL, WNOHANG);
}
