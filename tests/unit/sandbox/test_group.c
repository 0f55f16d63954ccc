#include "sandbox/group.h"
#include "support/tree.h"

#include <stdbool.h>
#include <sys/xattr.h>

#define MOUNTS                                                                                     \
    "22 28 0:21 / /proc rw,nosuid shared:12 - proc proc rw\n"                                      \
    "33 28 0:29 %s %s rw,nosuid,nodev shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"

/* A machine with one mount of cgroups and this process in `member`. */
static xf_test_tree machine(const char *mounted, const char *point, const char *member)
{
    xf_test_tree tree = xf_test_tree_new();
    char text[1024];
    (void)snprintf(text, sizeof(text), MOUNTS, mounted, point);
    xf_test_file(&tree, "/proc/self/mountinfo", 0644, text);
    (void)snprintf(text, sizeof(text), "4:memory:/elsewhere\n0::%s\n", member);
    xf_test_file(&tree, "/proc/self/cgroup", 0644, text);
    return tree;
}

static void put(const xf_test_tree *tree, const char *folder, const char *controllers)
{
    char file[256];
    (void)snprintf(file, sizeof(file), "%s/cgroup.subtree_control", folder);
    xf_test_file(tree, file, 0644, controllers);
}

/* `expected` is below the tree; NULL: none. Removes the tree. */
static void assert_place(xf_test_tree *tree, const char *expected)
{
    char place[XF_GROUP_PATH] = "?";
    xf_group_find(tree->root, place);
    assert_string_equal(place, expected ? xf_test_path(tree, expected) : "");
    xf_test_tree_free(tree);
}

static void the_own_one_is_found_below_its_mount(void **state)
{
    (void)state;
    static const struct {
        const char *mounted;
        const char *point;
        const char *member;
        const char *expected;
    } cases[] = {
        {"/", "/sys/fs/cgroup", "/", "/sys/fs/cgroup"},
        {"/", "/sys/fs/cgroup/unified", "/", "/sys/fs/cgroup/unified"},
        {"/", "/sys/fs/cgroup", "/a.slice/b.scope", "/sys/fs/cgroup/a.slice/b.scope"},
        {"/a.slice", "/sys/fs/cgroup", "/a.slice/b.scope", "/sys/fs/cgroup/b.scope"},
        {"/a.slice", "/sys/fs/cgroup", "/a.slice", "/sys/fs/cgroup"},
        {"/a", "/sys/fs/cgroup", "/a.slice/b.scope", NULL},
        {"/", "/sys/fs/cgroup", "/../b.scope", NULL},
        {"/", "/sys/fs/cgroup", "/gone", NULL},
        {"/", "/sys/fs\\040cgroup", "/", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        xf_test_tree tree = machine(cases[i].mounted, cases[i].point, cases[i].member);
        if (cases[i].expected)
            put(&tree, cases[i].expected, "");
        put(&tree, "/sys/fs/cgroup", "");
        assert_place(&tree, cases[i].expected);
    }
}

static void without_version_2_there_is_none(void **state)
{
    (void)state;
    xf_test_tree tree = machine("/", "/sys/fs/cgroup", "/");
    put(&tree, "/sys/fs/cgroup", "memory");
    xf_test_file(&tree, "/proc/self/cgroup", 0644, "4:memory:/\n");
    assert_place(&tree, NULL);
    tree = machine("/", "/sys/fs/cgroup", "/");
    put(&tree, "/sys/fs/cgroup", "memory");
    xf_test_file(&tree, "/proc/self/mountinfo", 0644,
                 "33 28 0:29 / /sys/fs/cgroup rw - cgroup cgroup rw,memory\n");
    assert_place(&tree, NULL);
    tree = xf_test_tree_new();
    assert_place(&tree, NULL);
}

/* One beside ours, in a folder that was handed over or not. */
static void assert_beside(const char *own, const char *beside, bool is_handed_over,
                          const char *expected)
{
    xf_test_tree tree = machine("/", "/cg", "/app.slice/x.scope");
    put(&tree, "/cg/app.slice/x.scope", own);
    put(&tree, "/cg/app.slice", beside);
    int marked = is_handed_over
                     ? setxattr(xf_test_path(&tree, "/cg/app.slice"), "user.delegate", "1", 1, 0)
                     : 0;
    if (marked != 0) {
        xf_test_tree_free(&tree);
        skip(); /* this /tmp keeps no attributes */
    }
    /* A user's own folders are handed over to him without a mark. */
    bool is_root = geteuid() == 0;
    assert_place(&tree, is_root || is_handed_over ? expected : "/cg/app.slice");
}

static void one_beside_is_better_where_it_bounds_memory_and_is_ours(void **state)
{
    (void)state;
    assert_beside("", "cpu memory pids", true, "/cg/app.slice");
    assert_beside("memory", "cpu memory pids", true, "/cg/app.slice/x.scope");
    assert_beside("", "cpu pids", true, "/cg/app.slice/x.scope");
    assert_beside("", "cpu memory pids", false, "/cg/app.slice/x.scope");
    assert_beside("", "memory.high", true, "/cg/app.slice/x.scope");
}

/* Lines that are longer than what is read at once: overlays have such. */
static void long_lines_before_it_do_no_harm(void **state)
{
    (void)state;
    static const size_t sizes[] = {100, 4000, 4094, 4095, 4096, 4097, 9000, 20000};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        xf_test_tree tree = machine("/", "/cg", "/");
        put(&tree, "/cg", "");
        static char text[21000];
        memset(text, 'x', sizes[i]);
        (void)snprintf(text + sizes[i], sizeof(text) - sizes[i], "\n" MOUNTS, "/", "/cg");
        xf_test_file(&tree, "/proc/self/mountinfo", 0644, text);
        assert_place(&tree, "/cg");
    }
}

static void above_the_mount_nothing_is_ours(void **state)
{
    (void)state;
    xf_test_tree tree = machine("/", "/cg/unified", "/");
    put(&tree, "/cg/unified", "");
    put(&tree, "/cg", "memory");
    (void)setxattr(xf_test_path(&tree, "/cg"), "user.delegate", "1", 1, 0);
    assert_place(&tree, "/cg/unified");
}

static void bound(const xf_test_tree *tree, const char *folder, const char *text)
{
    char file[256];
    (void)snprintf(file, sizeof(file), "%s/memory.max", folder);
    xf_test_file(tree, file, 0644, text);
}

static void the_least_bound_on_memory_counts(void **state)
{
    (void)state;
    static const struct {
        const char *outer;
        const char *inner;
        uint64_t expected;
    } cases[] = {
        {"max\n", "max\n", 0},           {"max\n", "1048576\n", 1048576},
        {"1048576\n", "max\n", 1048576}, {"1048576\n", "4096\n", 4096},
        {"4096\n", "1048576\n", 4096},   {"", "4096\n", 4096},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        xf_test_tree tree = machine("/", "/cg", "/a.slice/b.scope");
        bound(&tree, "/cg/a.slice", cases[i].outer);
        bound(&tree, "/cg/a.slice/b.scope", cases[i].inner);
        bound(&tree, "", "1"); /* above the mount */
        assert_int_equal(xf_group_memory(tree.root), cases[i].expected);
        xf_test_tree_free(&tree);
    }
    xf_test_tree tree = xf_test_tree_new();
    assert_int_equal(xf_group_memory(tree.root), 0);
    xf_test_tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_own_one_is_found_below_its_mount),
        cmocka_unit_test(without_version_2_there_is_none),
        cmocka_unit_test(one_beside_is_better_where_it_bounds_memory_and_is_ours),
        cmocka_unit_test(long_lines_before_it_do_no_harm),
        cmocka_unit_test(the_least_bound_on_memory_counts),
        cmocka_unit_test(above_the_mount_nothing_is_ours),
    };
    return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
