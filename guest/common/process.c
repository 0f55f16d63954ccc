#include "guest/common/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436 /* on every architecture */
#endif
#define DESCRIPTOR_BOUND (1U << 20)

/* The C library's own function spares the two signals that it uses itself. */
static void set_blocked(uint64_t signals)
{
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &signals, NULL, sizeof(signals));
}

void xf_signals_block(void)
{
    set_blocked(UINT64_MAX);
}

void xf_signals_default(void)
{
    const struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < _NSIG; number++)
        (void)sigaction(number, &action, NULL);
}

void xf_signals_reset(void)
{
    xf_signals_default();
    set_blocked(0);
}

void xf_close_each_from(int first)
{
    struct rlimit limit = {0};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max > DESCRIPTOR_BOUND)
        limit.rlim_max = DESCRIPTOR_BOUND;
    for (int fd = first; fd < (int)limit.rlim_max; fd++)
        (void)close(fd);
}

void xf_close_from(int first)
{
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) != 0)
        xf_close_each_from(first);
}

void xf_close_on_exec(int first, int last)
{
    for (int fd = first; fd <= last; fd++)
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void xf_die_with(pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before the call */
        _exit(1);
}

bool xf_write(int fd, const void *data, size_t size)
{
    const unsigned char *next = data;
    while (size > 0) {
        ssize_t written = write(fd, next, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            next += written;
            size -= (size_t)written;
        }
    }
    return true;
}
