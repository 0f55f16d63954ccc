/* A folder like the one that a Pure is installed in, with another program in its place: where an
 * unprivileged uid can execute it. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_PREFIX_H
#define XF_TESTS_PREFIX_H

#include "support/temporary.h"
#include "support/tree.h"

#include <stdio.h>

typedef struct test_prefix {
    char root[TEMPORARY_SIZE];
    char interpreter[64]; /* PREFIX/bin/pure, beside PREFIX/lib/pure */
} test_prefix;

static inline void test_copy_program(const char *from, const char *to)
{
    char buffer[4096];
    FILE *in = fopen(from, "re");
    FILE *out = fopen(to, "we");
    assert_non_null(in);
    assert_non_null(out);
    for (size_t size; (size = fread(buffer, 1, sizeof(buffer), in)) > 0;)
        assert_int_equal(fwrite(buffer, 1, size, out), size);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(to, 0755), 0);
}

static inline void test_prefix_make(test_prefix *prefix, const char *program)
{
    static const char *const folders[] = {"", "/bin", "/lib", "/lib/pure"};
    char path[128];
    assert_non_null(temporary_folder(prefix->root, sizeof(prefix->root), "/var/tmp"));
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        (void)snprintf(path, sizeof(path), "%s%s", prefix->root, folders[i]);
        assert_true(i == 0 || mkdir(path, 0755) == 0);
        assert_int_equal(chmod(path, 0755), 0);
    }
    (void)snprintf(prefix->interpreter, sizeof(prefix->interpreter), "%s/bin/pure", prefix->root);
    test_copy_program(program, prefix->interpreter);
    (void)snprintf(path, sizeof(path), "%s/lib/pure/prelude.pure", prefix->root);
    test_copy_program("/dev/null", path);
}

static inline int test_remove_one(const char *path, const struct stat *info, int kind,
                                  struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

static inline int test_prefix_remove(const test_prefix *prefix)
{
    return nftw(prefix->root, test_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
