/* Reading a file that an operator named, whatever lies there. SPDX-License-Identifier: MIT */
#include "registry/file.h"

#include "base/auto.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define CHUNK_SIZE 8192

static extfn_status fail_limit(const char *path, const xf_buf *out, extfn_error *err)
{
    return xf_fail(err, EXTFN_EINVAL, "%s: larger than %zu MiB", path, out->limit >> 20);
}

static extfn_status check_regular(int fd, const char *path, const xf_buf *out, extfn_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return xf_fail_os(err, errno, path);
    if (!S_ISREG(info.st_mode))
        return xf_fail(err, EXTFN_EINVAL, "%s: not a regular file", path);
    if ((uintmax_t)info.st_size > out->limit - out->size)
        return fail_limit(path, out, err);
    return EXTFN_OK;
}

/* The file may have grown since, or be one whose size is not known before. */
static extfn_status read_all(int fd, const char *path, xf_buf *out, extfn_error *err)
{
    for (;;) {
        char chunk[CHUNK_SIZE];
        ssize_t got = read(fd, chunk, sizeof(chunk));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return xf_fail_os(err, errno, path);
        if (got == 0)
            return EXTFN_OK;
        if ((size_t)got > out->limit - out->size)
            return fail_limit(path, out, err);
        XF_TRY(xf_buf_append(out, chunk, (size_t)got, err));
    }
}

extfn_status xf_file_read(const char *path, xf_buf *out, extfn_error *err)
{
    XF_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        return errno == ENXIO ? xf_fail(err, EXTFN_EINVAL, "%s: not a regular file", path)
                              : xf_fail_os(err, errno, path);
    }
    XF_TRY(check_regular(fd, path, out, err));
    return read_all(fd, path, out, err);
}
