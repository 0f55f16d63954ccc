/* How many descriptors this process has open: a test compares before and after. */
#ifndef XF_TESTS_FDS_H
#define XF_TESTS_FDS_H

#include "support/unit.h"

#include <dirent.h>

static inline int xf_test_fd_count(void)
{
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    int count = 0;
    while (readdir(folder)) // NOLINT(concurrency-mt-unsafe): this stream has one user
        count++;
    assert_int_equal(closedir(folder), 0);
    return count;
}

#endif
