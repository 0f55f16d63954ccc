#include "guest/supervise/output.h"

#include "guest/supervise/usage.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#define PAGE 4096        /* a pipe whose last page is begun may take no more */
#define COMPUTE_SHARE 16 /* so small a part of the time is looking whether it can go on */

void xf_output_open(xf_output *output)
{
    output->fds[0] = open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    output->fds[1] = open("/proc/self/fd/2", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static bool is_full(int fd)
{
    int waiting = 0;
    if (fd < 0 || ioctl(fd, FIONREAD, &waiting) != 0)
        return false;
    return waiting + PAGE > fcntl(fd, F_GETPIPE_SZ);
}

bool xf_output_is_awaited(xf_output *output, bool is_running, pid_t command, uint64_t now_us)
{
    bool was_full = output->was_full;
    output->was_full = is_running && (is_full(output->fds[0]) || is_full(output->fds[1]));
    if (!output->was_full)
        return false;
    uint64_t before_us = output->cpu_us;
    uint64_t elapsed_us = now_us - output->seen_us;
    output->cpu_us = xf_usage_of_tree(command).cpu_us;
    output->seen_us = now_us;
    return was_full && before_us > 0 && output->cpu_us >= before_us &&
           (output->cpu_us - before_us) * COMPUTE_SHARE <= elapsed_us;
}
