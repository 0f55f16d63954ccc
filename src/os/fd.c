#include "os/fd.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST_FREE_FD 3

/* Moves a descriptor that took the place of a closed 0, 1 or 2. */
static extfn_status keep_above_stdio(int *fd, extfn_error *err)
{
    if (*fd >= FIRST_FREE_FD)
        return EXTFN_OK;
    int moved = fcntl(*fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
    if (moved < 0)
        return xf_fail_os(err, errno, "move a descriptor");
    (void)close(*fd);
    *fd = moved;
    return EXTFN_OK;
}

static int take(int *fd)
{
    int taken = *fd;
    *fd = -1;
    return taken;
}

extfn_status xf_pipe_open(int *ret_read, int *ret_write, extfn_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return xf_fail_os(err, errno, "make a pipe");
    XF_AUTO_CLOSE int read_end = ends[0];
    XF_AUTO_CLOSE int write_end = ends[1];
    XF_TRY(keep_above_stdio(&read_end, err));
    XF_TRY(keep_above_stdio(&write_end, err));
    *ret_read = take(&read_end);
    *ret_write = take(&write_end);
    return EXTFN_OK;
}

/* A file over the host's limit (`ulimit -f`) would be a signal that ends the host. */
static extfn_status check_size(size_t size, extfn_error *err)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && size > limit.rlim_cur)
        return xf_fail_os(err, EFBIG, "make a memfd");
    return EXTFN_OK;
}

extfn_status xf_memfd_open(const char *name, size_t size, int *ret_fd, extfn_error *err)
{
    XF_TRY(check_size(size, err));
    XF_AUTO_CLOSE int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return xf_fail_os(err, errno, "make a memfd");
    XF_TRY(keep_above_stdio(&fd, err));
    if (ftruncate(fd, (off_t)size) != 0)
        return xf_fail_os(err, errno, "size a memfd");
    *ret_fd = take(&fd);
    return EXTFN_OK;
}

static extfn_status write_all(int fd, const char *data, size_t size, extfn_error *err)
{
    size_t done = 0;
    while (done < size) {
        ssize_t more = pwrite(fd, data + done, size - done, (off_t)done);
        if (more < 0 && errno != EINTR)
            return xf_fail_os(err, errno, "fill a memfd");
        done += more > 0 ? (size_t)more : 0;
    }
    return EXTFN_OK;
}

static extfn_status seal(int fd, int seals, extfn_error *err)
{
    if (fcntl(fd, F_ADD_SEALS, seals) != 0)
        return xf_fail_os(err, errno, "seal a memfd");
    return EXTFN_OK;
}

extfn_status xf_memfd_with(const char *name, const void *data, size_t size, int *ret_fd,
                           extfn_error *err)
{
    XF_AUTO_CLOSE int fd = -1;
    XF_TRY(check_size(size, err));
    XF_TRY(xf_memfd_open(name, 0, &fd, err));
    XF_TRY(write_all(fd, data, size, err));
    XF_TRY(seal(fd, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL, err));
    *ret_fd = take(&fd);
    return EXTFN_OK;
}

extfn_status xf_memfd_seal(int fd, bool is_write_sealed, extfn_error *err)
{
    int write_seal = is_write_sealed ? F_SEAL_FUTURE_WRITE : 0;
    return seal(fd, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | write_seal, err);
}

extfn_status xf_fd_set_nonblocking(int fd, extfn_error *err)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
        return xf_fail_os(err, errno, "make a descriptor non-blocking");
    return EXTFN_OK;
}

extfn_status xf_pidfd_open(pid_t pid, int *ret_fd, extfn_error *err)
{
    XF_AUTO_CLOSE int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0)
        return xf_fail_os(err, errno, "open a pidfd");
    XF_TRY(keep_above_stdio(&fd, err));
    *ret_fd = take(&fd);
    return EXTFN_OK;
}

extfn_status xf_pidfd_open_self(int *ret_fd, extfn_error *err)
{
    return xf_pidfd_open(getpid(), ret_fd, err);
}
