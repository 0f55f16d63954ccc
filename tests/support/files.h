/* A folder of its own for a test, under TMPDIR or /tmp. */
#ifndef XF_TESTS_FILES_H
#define XF_TESTS_FILES_H

#include "support/temporary.h"
#include "support/unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_SIZE 200

static inline void folder_open(char ret_path[FOLDER_SIZE])
{
    const char *parent = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): no thread sets it */
    assert_non_null(temporary_folder(ret_path, FOLDER_SIZE, parent ? parent : "/tmp"));
}

static inline int folder_remove_entry(const char *path, const struct stat *info, int kind,
                                      struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

static inline void folder_close(const char *path)
{
    assert_int_equal(nftw(path, folder_remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

/* The path of `name` in the folder; one of four buffers in turn. */
static inline const char *folder_path(const char *folder, const char *name)
{
    static char paths[4][FOLDER_SIZE + 100];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

static inline const char *folder_write(const char *folder, const char *name, const void *data,
                                       size_t size)
{
    const char *path = folder_path(folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), (ssize_t)size);
    assert_int_equal(close(fd), 0);
    return path;
}

#endif
