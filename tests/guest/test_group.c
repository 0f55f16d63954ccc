/* A sandbox's cgroup without a sandbox: the bounds on ordinary files, for the kernel of a test has
 * seldom all of them to give. SPDX-License-Identifier: MIT */
#include "guest/supervise/group.h"
#include "support/groups.h"
#include "support/tree.h"
#include "wire/proof.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

static int open_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void assert_text(const xf_test_tree *tree, const char *below, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(xf_test_path(tree, below), "re");
    assert_non_null(file);
    (void)!fgets(text, sizeof(text), file);
    (void)fclose(file);
    assert_string_equal(text, expected);
}

static void the_bounds_are_written_where_the_kernel_has_them(void **state)
{
    (void)state;
    static const char *const files[] = {"/memory.max", "/memory.swap.max", "/memory.oom.group",
                                        "/pids.max"};
    static const char *const expected[] = {"1234567890123", "0", "1", "64"};
    xf_test_tree tree = xf_test_tree_new();
    for (size_t i = 0; i < 4; i++)
        xf_test_file(&tree, files[i], 0644, "");
    int fd = open_folder(tree.root);
    assert_int_equal(xf_group_limit(fd, 1234567890123, 64),
                     XF_LAYER_GROUP_MEMORY | XF_LAYER_GROUP_TASKS);
    for (size_t i = 0; i < 4; i++)
        assert_text(&tree, files[i], expected[i]);
    (void)close(fd);
    xf_test_tree_free(&tree);
}

static void a_bound_that_the_kernel_lacks_is_not_promised(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_file(&tree, "/memory.swap.max", 0644, "");
    int fd = open_folder(tree.root);
    assert_int_equal(xf_group_limit(fd, 1, 1), 0);
    assert_text(&tree, "/memory.swap.max", "0");
    assert_int_equal(access(xf_test_path(&tree, "/memory.max"), F_OK), -1);
    xf_test_file(&tree, "/pids.max", 0644, "");
    assert_int_equal(xf_group_limit(fd, 1, 1), XF_LAYER_GROUP_TASKS);
    (void)close(fd);
    xf_test_tree_free(&tree);
}

static void a_want_of_memory_is_read_off_the_events(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool has_run_out;
    } cases[] = {
        {"low 0\nhigh 0\nmax 7\noom 1\noom_kill 0\noom_group_kill 0\n", false},
        {"low 0\nhigh 0\nmax 7\noom 1\noom_kill 4\noom_group_kill 1\n", true},
        {"oom_kill 1\n", true},
        {"oom_kill_other 1\n", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        xf_test_tree tree = xf_test_tree_new();
        xf_test_file(&tree, "/memory.events", 0644, cases[i].text);
        const xf_group group = {
            .memory_events_fd = open(xf_test_path(&tree, "/memory.events"), O_RDONLY | O_CLOEXEC)};
        assert_int_equal(xf_group_has_run_out(&group), cases[i].has_run_out);
        (void)close(group.memory_events_fd);
        xf_test_tree_free(&tree);
    }
    assert_false(xf_group_has_run_out(&(xf_group){.memory_events_fd = -1}));
}

/* Forks in it; a child that was killed tells so. */
static void fork_and_kill(xf_group *group)
{
    pid_t child = xf_group_fork(group);
    assert_true(child >= 0);
    if (child == 0) {
        for (;;)
            pause();
    }
    xf_group_kill(group);
    if (group->kill_fd < 0 || !(group->layers & XF_LAYER_GROUP))
        (void)kill(child, SIGKILL);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void a_place_that_has_no_groups_does_no_harm(void **state)
{
    (void)state;
    static const char *const places[] = {NULL, "/nonexistent", "/proc", "/dev/null"};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        xf_group group = xf_group_name(places[i]);
        xf_group_make(&group, 1, 1);
        assert_int_equal(group.fd, -1);
        assert_int_equal(group.layers, 0);
        fork_and_kill(&group);
        xf_group_sweep(&group);
        xf_group_remove(&group);
    }
    xf_test_tree tree = xf_test_tree_new();
    xf_group group = xf_group_name(tree.root);
    xf_group_make(&group, 1, 1);
    fork_and_kill(&group);
    assert_int_equal(group.layers, 0);
    xf_group_remove(&group);
    assert_int_equal(rmdir(tree.root), 0);
}

static void one_is_made_entered_killed_and_removed(void **state)
{
    (void)state;
    xf_group group = xf_group_name(groups_top());
    xf_group_make(&group, 1U << 30, 64);
    if (group.kill_fd < 0) {
        xf_group_remove(&group);
        skip(); /* none can be made here, or not killed */
    }
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/%s", groups_top(), group.name);
    assert_int_equal(access(path, F_OK), 0);
    fork_and_kill(&group);
    assert_true(group.layers & XF_LAYER_GROUP);
    xf_group_remove(&group);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(group.place_fd, -1);
}

static void a_stale_one_is_swept_and_no_other(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    static const char *const names[] = {"/extfn-1-2", "/extfn-1-3", "/other-1-2", "/extfn-1-4"};
    static const bool stays[] = {false, true, true, true};
    for (size_t i = 0; i < 4; i++)
        xf_test_folder(&tree, names[i]);
    xf_test_file(&tree, "/extfn-1-4/inhabited", 0644, "");
    int locked = open_folder(xf_test_path(&tree, names[1]));
    assert_int_equal(flock(locked, LOCK_SH), 0);
    xf_group group = xf_group_name(tree.root);
    xf_group_make(&group, 1, 1);
    xf_group_sweep(&group);
    assert_int_equal(faccessat(group.place_fd, group.name, F_OK, 0), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(access(xf_test_path(&tree, names[i]), F_OK) == 0, stays[i]);
    xf_group_remove(&group);
    (void)close(locked);
    xf_test_tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounds_are_written_where_the_kernel_has_them),
        cmocka_unit_test(a_bound_that_the_kernel_lacks_is_not_promised),
        cmocka_unit_test(a_want_of_memory_is_read_off_the_events),
        cmocka_unit_test(a_place_that_has_no_groups_does_no_harm),
        cmocka_unit_test(one_is_made_entered_killed_and_removed),
        cmocka_unit_test(a_stale_one_is_swept_and_no_other),
    };
    return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
