#include "guest/supervise/uid.h"

#include "guest/supervise/look.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNMAPPED (-1) /* no such uid or gid in this user namespace */

/* Where supervisors claim uids: nobody but root may as much as open it, or any user could claim all
 * of them. -1: there can be none (a file system that is read-only, a folder that is missing); then
 * the kernel's count decides alone. */
static int open_claims(void)
{
    int fd = open(XF_UID_CLAIMS, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    struct stat info;
    bool is_roots = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == 0 &&
                    (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
    if (fd >= 0 && !is_roots) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* The byte at `uid`, locked for who has this descriptor: the last to end takes the lock with it. */
static int set_claim(int claims, uint32_t uid, short type)
{
    struct flock byte = {.l_type = type, .l_whence = SEEK_SET, .l_start = uid, .l_len = 1};
    if (claims < 0 || fcntl(claims, F_OFD_SETLK, &byte) == 0)
        return 0;
    return errno == EAGAIN || errno == EACCES ? EBUSY : 0;
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
 * claims are held across user namespaces, and a uid that is not mapped here is never busy. Then the
 * claim: nobody becomes a uid that another may just be counting the processes of, or killing. */
static int take(int claims, uint32_t uid)
{
    if (setresgid(uid, uid, uid) != 0)
        return refused();
    int problem = set_claim(claims, uid, F_WRLCK);
    bool is_claimed = problem == 0;
    if (!problem)
        problem = become(uid);
    if (!problem)
        problem = check_alone();
    if (!problem)
        return 0;
    bool is_back = setresuid(0, 0, 0) == 0 && setresgid(0, 0, 0) == 0;
    if (is_claimed)
        (void)set_claim(claims, uid, F_UNLCK);
    return is_back ? problem : EPERM;
}

/* Starts anywhere, so that supervisors that start together seldom meet. */
static int take_any(int claims, uint32_t first, uint32_t count)
{
    uint32_t start = (uint32_t)(xf_now_us() * 2654435761U + (uint32_t)getpid()) % count;
    int result = UNMAPPED;
    for (uint32_t i = 0; i < count; i++) {
        int problem = take(claims, first + (uint32_t)(((uint64_t)start + i) % count));
        if (problem == 0 || (problem != UNMAPPED && problem != EBUSY))
            return problem;
        if (problem == EBUSY)
            result = EBUSY;
    }
    return result;
}

int xf_uid_drop(uint32_t first, uint32_t count, bool *ret_is_dropped)
{
    int claims = open_claims();
    int problem = take_any(claims, first, count);
    if (problem == UNMAPPED)
        problem = take_any(claims, XF_UID_SECOND_FIRST, XF_UID_SECOND_COUNT);
    if (problem && claims >= 0)
        (void)close(claims);
    if (problem != 0 && problem != UNMAPPED)
        return problem;
    *ret_is_dropped = problem == 0;
    return 0;
}
