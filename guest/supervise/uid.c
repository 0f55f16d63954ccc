#include "guest/supervise/uid.h"

#include "guest/supervise/look.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNMAPPED (-1) /* no such uid or gid in this user namespace */

/* The kernel gives an abstract socket name to one process and takes it back when that ends: a lock
 * that nothing has to clean up. Returns the socket or a negative errno. */
static int claim(uint32_t uid)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int size = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "extfn-uid-%u", uid);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    socklen_t address_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
    if (bind(fd, (const struct sockaddr *)&address, address_size) == 0)
        return fd;
    int problem = errno == EADDRINUSE ? EBUSY : errno;
    (void)close(fd);
    return -problem;
}

static int refused(void)
{
    return errno == EINVAL ? UNMAPPED : errno;
}

/* Keeps the saved uid, so that there is a way back. */
static int become(uint32_t uid)
{
    if (setgroups(0, NULL) != 0)
        return errno;
    return setresuid(uid, uid, 0) != 0 ? refused() : 0;
}

/* Under a limit of two processes a fork succeeds only when no other process has this uid: the
 * kernel's own count, which knows those whose supervisor was killed too. */
static int check_alone(void)
{
    struct rlimit before;
    if (getrlimit(RLIMIT_NPROC, &before) != 0)
        return errno;
    if (before.rlim_max < 2)
        return EAGAIN; /* whoever has the uid, there is no fork */
    const struct rlimit two = {.rlim_cur = 2, .rlim_max = before.rlim_max};
    if (setrlimit(RLIMIT_NPROC, &two) != 0)
        return errno;
    pid_t child = fork();
    int problem = child < 0 ? errno : 0;
    if (child == 0)
        _exit(0);
    if (setrlimit(RLIMIT_NPROC, &before) != 0)
        problem = errno;
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    return problem == EAGAIN ? EBUSY : problem;
}

/* 0, UNMAPPED, EBUSY (somebody has it) or the errno that forbids going on. The gid comes first:
 * names are held across user namespaces, and one that is not mapped here is never busy. Then the
 * name: nobody becomes a uid that another may just be counting the processes of. */
static int take(uint32_t uid)
{
    if (setresgid(uid, uid, uid) != 0)
        return refused();
    int claimed = claim(uid);
    int problem = claimed < 0 ? -claimed : become(uid);
    if (!problem)
        problem = check_alone();
    if (!problem)
        return 0;
    if (claimed >= 0)
        (void)close(claimed);
    return setresuid(0, 0, 0) == 0 && setresgid(0, 0, 0) == 0 ? problem : EPERM;
}

/* Starts anywhere, so that supervisors that start together seldom meet. */
static int take_any(uint32_t first, uint32_t count)
{
    uint32_t start = (uint32_t)(xf_now_us() * 2654435761U + (uint32_t)getpid()) % count;
    int result = UNMAPPED;
    for (uint32_t i = 0; i < count; i++) {
        int problem = take(first + (uint32_t)(((uint64_t)start + i) % count));
        if (problem == 0 || (problem != UNMAPPED && problem != EBUSY))
            return problem;
        if (problem == EBUSY)
            result = EBUSY;
    }
    return result;
}

int xf_uid_drop(uint32_t first, uint32_t count, bool *ret_is_dropped)
{
    int problem = take_any(first, count);
    if (problem == UNMAPPED)
        problem = take_any(XF_UID_SECOND_FIRST, XF_UID_SECOND_COUNT);
    if (problem != 0 && problem != UNMAPPED)
        return problem;
    *ret_is_dropped = problem == 0;
    return 0;
}
