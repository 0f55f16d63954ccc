#include "guest/enter/run.h"

#include "guest/common/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXEC_FAILED 127

static xf_enter_exit fail(int os_errno)
{
    return (xf_enter_exit){.magic = XF_WIRE_MAGIC, .wait_status = -1, .os_errno = os_errno};
}

/* In the child. The pipe closes by itself when the program starts. */
static void execute(char *const program[], const xf_landlock *landlock, pid_t parent, int errno_fd)
{
    xf_die_with(parent);
    xf_signals_reset();
    if (xf_landlock_enforce(landlock))
        (void)execve(program[0], program, environ);
    int os_errno = errno;
    (void)xf_write(errno_fd, &os_errno, sizeof(os_errno));
    _exit(EXEC_FAILED);
}

static uint64_t to_us(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000U + (uint64_t)time.tv_usec;
}

static xf_enter_exit wait_for(pid_t child)
{
    int status = 0;
    struct rusage usage = {0};
    while (wait4(child, &status, 0, &usage) != child) {
        if (errno != EINTR)
            return fail(errno);
    }
    return (xf_enter_exit){.magic = XF_WIRE_MAGIC,
                           .wait_status = status,
                           .peak_memory = (uint64_t)usage.ru_maxrss * 1024U,
                           .cpu_us = to_us(usage.ru_utime) + to_us(usage.ru_stime)};
}

xf_enter_exit xf_run(char *const program[], const xf_landlock *landlock)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(errno);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0)
        return fail(errno);
    if (child == 0)
        execute(program, landlock, parent, ends[1]);
    (void)prctl(PR_SET_DUMPABLE, 0); /* a body with the same uid cannot trace us */
    (void)close(ends[1]);
    for (int fd = XF_FD_STDIN; fd <= XF_FD_REPLY_MAP; fd++)
        (void)close(fd);
    int exec_errno = 0;
    bool has_failed = read(ends[0], &exec_errno, sizeof(exec_errno)) == sizeof(exec_errno);
    xf_enter_exit end = wait_for(child);
    return has_failed ? fail(exec_errno) : end;
}
