#include "base/kernel.h"

#include <sched.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

/* Our headers may be older than the kernel. */
#define CALL_LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ASK_VERSION 1U
#define NETWORK_COOKIE 71 /* SO_NETNS_COOKIE */

int xf_kernel_landlock_version(void)
{
    long version = syscall(CALL_LANDLOCK_CREATE_RULESET, NULL, 0U, LANDLOCK_ASK_VERSION);
    return version > 0 ? (int)version : 0;
}

uint64_t xf_kernel_network(void)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    uint64_t cookie = 0;
    socklen_t size = sizeof(cookie);
    bool is_known = getsockopt(fd, SOL_SOCKET, NETWORK_COOKIE, &cookie, &size) == 0;
    (void)close(fd);
    return is_known && size == sizeof(cookie) ? cookie : 0;
}

uint64_t xf_kernel_memory(void)
{
    struct sysinfo info;
    return sysinfo(&info) == 0 ? (uint64_t)info.totalram * info.mem_unit : 0;
}

size_t xf_kernel_processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (size_t)count : 1;
}
