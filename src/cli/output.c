/* Writing stdout and files that appear whole or not at all. SPDX-License-Identifier: MIT */
#include "cli/io.h"

#include "cli/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PENDING_LIMIT ((size_t)64 << 10)
#define NAME_TRIES 100
#define PATH_SIZE 64

static extfn_status write_all(const cli_output *output, const char *data, size_t size,
                              extfn_error *err)
{
    while (size > 0) {
        CLI_TRY(cli_interrupt_wait(output->fd, POLLOUT, err));
        ssize_t written = write(output->fd, data, size);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return cli_fail_os(err, errno, "write", output->label);
        if (written > 0) {
            data += written;
            size -= (size_t)written;
        }
    }
    return EXTFN_OK;
}

extfn_status cli_output_flush(cli_output *output, extfn_error *err)
{
    CLI_TRY(write_all(output, output->pending.data, output->pending.size, err));
    output->pending.size = 0;
    return EXTFN_OK;
}

extfn_status cli_output_write(cli_output *output, const void *data, size_t size, extfn_error *err)
{
    if (output->pending.size >= PENDING_LIMIT)
        CLI_TRY(cli_output_flush(output, err));
    if (size >= PENDING_LIMIT) {
        CLI_TRY(cli_output_flush(output, err));
        return write_all(output, data, size, err);
    }
    return cli_buf_append(&output->pending, data, size, err);
}

extfn_status cli_output_write_text(cli_output *output, const char *text, extfn_error *err)
{
    return cli_output_write(output, text, strlen(text), err);
}

static extfn_status open_directly(const char *path, cli_output *ret_output, extfn_error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return cli_fail_os(err, errno, "open", path);
    *ret_output = (cli_output){.fd = fd, .directory_fd = -1, .label = path};
    return EXTFN_OK;
}

/* Opens the directory and keeps the last part of the path. */
static extfn_status split(const char *path, cli_output *output, extfn_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    char directory[PATH_MAX] = ".";
    if (slash && (size_t)(slash - path) >= sizeof(directory) - 1)
        return cli_fail_os(err, ENAMETOOLONG, "create", path);
    if (slash)
        (void)snprintf(directory, sizeof(directory), "%.*s", (int)(slash - path) + 1, path);
    int used = snprintf(output->name, sizeof(output->name), "%s", base);
    if (used <= 0 || (size_t)used >= sizeof(output->name))
        return cli_fail_os(err, used <= 0 ? EISDIR : ENAMETOOLONG, "create", path);
    output->directory_fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return output->directory_fd < 0 ? cli_fail_os(err, errno, "open", directory) : EXTFN_OK;
}

/* Tries names until one is free. */
static extfn_status make_temporary(cli_output *output, bool (*make)(cli_output *, const char *name),
                                   extfn_error *err)
{
    char name[sizeof(output->temporary)];
    for (int i = 0; i < NAME_TRIES; i++) {
        (void)snprintf(name, sizeof(name), ".extfn-%ld-%d.tmp", (long)getpid(), i);
        if (make(output, name)) {
            memcpy(output->temporary, name, sizeof(name));
            return EXTFN_OK;
        }
        if (errno != EEXIST)
            break;
    }
    return cli_fail_os(err, errno, "create a file beside", output->label);
}

static bool create(cli_output *output, const char *name)
{
    output->fd = openat(output->directory_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return output->fd >= 0;
}

static const char *path_of_fd(int fd, char path[PATH_SIZE])
{
    (void)snprintf(path, PATH_SIZE, "/proc/self/fd/%d", fd);
    return path;
}

static bool give_name(cli_output *output, const char *name)
{
    char path[PATH_SIZE];
    return linkat(AT_FDCWD, path_of_fd(output->fd, path), output->directory_fd, name,
                  AT_SYMLINK_FOLLOW) == 0;
}

/* A file without a name is gone with its process, however that ends. Not every file system has
 * them, and giving one a name needs /proc. */
static extfn_status open_temporary(cli_output *output, extfn_error *err)
{
    char path[PATH_SIZE];
    output->fd = openat(output->directory_fd, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (output->fd >= 0 && access(path_of_fd(output->fd, path), F_OK) == 0)
        return EXTFN_OK;
    if (output->fd >= 0)
        (void)close(output->fd);
    return make_temporary(output, create, err);
}

extfn_status cli_output_create(const char *path, cli_output *ret_output, extfn_error *err)
{
    struct stat former;
    bool is_there = stat(path, &former) == 0;
    if (is_there && S_ISDIR(former.st_mode))
        return cli_fail_os(err, EISDIR, "write", path);
    if (is_there && !S_ISREG(former.st_mode))
        return open_directly(path, ret_output, err);

    /* A link stays a link: what it leads to is replaced. */
    char target[PATH_MAX];
    if (is_there && !realpath(path, target))
        return cli_fail_os(err, errno, "find", path);
    cli_output output = {.fd = -1, .directory_fd = -1, .label = path};
    extfn_status status = split(is_there ? target : path, &output, err);
    if (status == EXTFN_OK)
        status = open_temporary(&output, err);
    if (status == EXTFN_OK && is_there && fchmod(output.fd, former.st_mode & 0777) != 0)
        status = cli_fail_os(err, errno, "set the mode of", path);
    if (status != EXTFN_OK) {
        cli_output_close(&output);
        return status;
    }
    *ret_output = output;
    return EXTFN_OK;
}

extfn_status cli_output_commit(cli_output *output, extfn_error *err)
{
    CLI_TRY(cli_output_flush(output, err));
    if (output->directory_fd < 0)
        return EXTFN_OK;
    if (fsync(output->fd) != 0)
        return cli_fail_os(err, errno, "write", output->label);
    /* A link replaces no file, a rename does. */
    if (!output->temporary[0])
        CLI_TRY(make_temporary(output, give_name, err));
    if (renameat(output->directory_fd, output->temporary, output->directory_fd, output->name) != 0)
        return cli_fail_os(err, errno, "put in place", output->label);
    output->temporary[0] = '\0';
    return EXTFN_OK;
}

void cli_output_close(cli_output *output)
{
    if (output->temporary[0])
        (void)unlinkat(output->directory_fd, output->temporary, 0);
    if (output->directory_fd >= 0)
        (void)close(output->directory_fd);
    if (output->fd > STDERR_FILENO)
        (void)close(output->fd);
    cli_buf_clear(&output->pending);
    *output = (cli_output){.fd = -1, .directory_fd = -1};
}
