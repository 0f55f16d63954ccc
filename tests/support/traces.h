/* What workers may have left on the machine besides processes. A root host's are told by their uid,
 * of a range that the calling process has for itself; anybody's by the names that the tests give.
 * SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_TRACES_H
#define XF_TESTS_TRACES_H

#include "support/groups.h"
#include "support/unit.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRACES_UIDS 16U

typedef struct traces {
    int mounts;
} traces;

static inline uint32_t traces_first_uid(void)
{
    return 1900000000U + (uint32_t)(getpid() % 4000000) * TRACES_UIDS;
}

static inline bool traces_is_ours(unsigned long uid)
{
    return uid >= traces_first_uid() && uid < traces_first_uid() + TRACES_UIDS;
}

static inline int traces_count_lines(const char *path)
{
    FILE *file = fopen(path, "re");
    int count = 0;
    char line[4096];
    while (file && fgets(line, sizeof(line), file))
        count++;
    if (file)
        (void)fclose(file);
    return count;
}

/* Entries of a folder that a worker owns, or that are named as only a test names them. */
static inline void traces_expect_none_in(const char *folder, const char *what)
{
    DIR *list = opendir(folder);
    for (struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list)) {
        struct stat info;
        if (fstatat(dirfd(list), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (traces_is_ours(info.st_uid) || strncmp(entry->d_name, "extfn-left", 10) == 0)
            fail_msg("%s: %s/%s is left", what, folder, entry->d_name);
    }
    if (list)
        (void)closedir(list);
}

/* Lines of a table of the kernel with a word that a worker's uid or a test's name makes. */
static inline void traces_expect_none_of(const char *table, const char *what)
{
    FILE *file = fopen(table, "re");
    char line[4096];
    while (file && fgets(line, sizeof(line), file)) {
        bool is_left = strstr(line, "@extfn-left") != NULL;
        for (char *save = NULL, *word = strtok_r(line, " \n", &save); word && !is_left;
             word = strtok_r(NULL, " \n", &save))
            is_left = isdigit((unsigned char)word[0]) && traces_is_ours(strtoul(word, NULL, 10));
        if (is_left)
            fail_msg("%s: a line of %s is left", what, table);
    }
    if (file)
        (void)fclose(file);
}

/* Uids that supervisors of root claim as long as they live. */
static inline void traces_expect_no_claim(const char *what)
{
    int claims = open("/run/extfn-uids", O_RDWR | O_CLOEXEC);
    struct flock bytes = {.l_type = F_WRLCK,
                          .l_whence = SEEK_SET,
                          .l_start = traces_first_uid(),
                          .l_len = TRACES_UIDS};
    bool is_left =
        claims >= 0 && fcntl(claims, F_OFD_GETLK, &bytes) == 0 && bytes.l_type != F_UNLCK;
    if (claims >= 0)
        (void)close(claims);
    if (is_left)
        fail_msg("%s: a uid is still claimed", what);
}

static inline traces traces_take(void)
{
    return (traces){.mounts = traces_count_lines("/proc/self/mountinfo")};
}

static inline void traces_compare(const traces *before, const char *what)
{
    static const char *const folders[] = {"/proc", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"};
    static const char *const tables[] = {"/proc/net/unix", "/proc/sysvipc/shm", "/proc/sysvipc/sem",
                                         "/proc/sysvipc/msg", "/proc/keys"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        traces_expect_none_in(folders[i], what);
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        traces_expect_none_of(tables[i], what);
    traces_expect_no_claim(what);
    assert_int_equal(traces_count_lines("/proc/self/mountinfo"), before->mounts);
    if (groups_count(0) != 0)
        fail_msg("%s: a cgroup is left", what);
}

#endif
