/* A folder in /tmp that a test fills and that is gone afterwards. */
#ifndef XF_TESTS_TREE_H
#define XF_TESTS_TREE_H

#include "support/temporary.h"
#include "support/unit.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct xf_test_tree {
    char root[TEMPORARY_SIZE];
} xf_test_tree;

static inline xf_test_tree xf_test_tree_new(void)
{
    xf_test_tree tree;
    assert_non_null(temporary_folder(tree.root, sizeof(tree.root), "/tmp"));
    assert_int_equal(chmod(tree.root, 0755), 0);
    return tree;
}

static inline const char *xf_test_path(const xf_test_tree *tree, const char *below)
{
    static _Thread_local char paths[4][512];
    static _Thread_local unsigned turn;
    char *path = paths[turn++ % 4];
    (void)snprintf(path, sizeof(paths[0]), "%s%s", tree->root, below);
    return path;
}

/* Makes every folder on the way to `below` that is not there. */
static inline void xf_test_folder(const xf_test_tree *tree, const char *below)
{
    char path[1024];
    (void)snprintf(path, sizeof(path), "%s%s/", tree->root, below);
    for (char *at = path + strlen(tree->root) + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        (void)mkdir(path, 0755);
        *at = '/';
    }
    assert_int_equal(access(path, F_OK), 0);
}

static inline void xf_test_file(const xf_test_tree *tree, const char *below, unsigned mode,
                                const char *text)
{
    char folder[256];
    (void)snprintf(folder, sizeof(folder), "%s", below);
    *strrchr(folder, '/') = 0;
    xf_test_folder(tree, folder);
    const char *path = xf_test_path(tree, below);
    FILE *out = fopen(path, "we");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static inline void xf_test_symlink(const xf_test_tree *tree, const char *target, const char *below)
{
    char folder[256];
    (void)snprintf(folder, sizeof(folder), "%s", below);
    *strrchr(folder, '/') = 0;
    xf_test_folder(tree, folder);
    assert_int_equal(symlink(target, xf_test_path(tree, below)), 0);
}

static inline int xf_test_remove(const char *path, const struct stat *found, int type,
                                 struct FTW *where)
{
    (void)found;
    (void)type;
    (void)where;
    return remove(path);
}

static inline void xf_test_tree_free(const xf_test_tree *tree)
{
    assert_int_equal(nftw(tree->root, xf_test_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
}

#endif
