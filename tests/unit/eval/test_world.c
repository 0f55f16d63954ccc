#include "eval/world.h"

#include "base/clock.h"
#include "support/tree.h"

#include <fcntl.h>

#define LATER_US (INT64_C(1000) * XF_WORLD_LOOK_US)

typedef struct fixture {
    xf_test_tree tree;
    xf_runtime runtime;
    xf_world world;
    int64_t now_us;
} fixture;

/* The clock of a file system may stand still for milliseconds: what is written next must show. */
static void set_old(const xf_test_tree *tree, const char *below)
{
    const struct timespec times[] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, xf_test_path(tree, below), times, 0), 0);
}

/* A program beside a folder with a file two folders deep. */
static fixture fixture_new(void)
{
    fixture fix = {.tree = xf_test_tree_new()};
    xf_test_file(&fix.tree, "/bin/program", 0755, "1");
    xf_test_file(&fix.tree, "/packages/deep/er/module", 0644, "1");
    set_old(&fix.tree, "/bin/program");
    set_old(&fix.tree, "/packages/deep/er/module");
    const char *program = xf_test_path(&fix.tree, "/bin/program");
    const char *packages = xf_test_path(&fix.tree, "/packages");
    assert_int_equal(xf_strings_add(&fix.runtime.argv, program, NULL), EXTFN_OK);
    assert_int_equal(xf_strings_add(&fix.runtime.binds, packages, NULL), EXTFN_OK);
    xf_world_take(&fix.world, &fix.runtime);
    fix.now_us = xf_clock_now();
    return fix;
}

static void fixture_clear(fixture *fix)
{
    xf_runtime_clear(&fix->runtime);
    xf_test_tree_free(&fix->tree);
}

static bool is_same(fixture *fix)
{
    fix->now_us += LATER_US;
    return xf_world_is_same(&fix->world, &fix->runtime, fix->now_us);
}

static void one_that_nobody_touches_stays_the_same(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    for (int i = 0; i < 3; i++)
        assert_true(is_same(&fix));
    fixture_clear(&fix);
}

static void one_that_was_not_taken_is_never_the_same(void **state)
{
    (void)state;
    xf_world world = {.look_us = 0};
    const xf_runtime runtime = {.base_memory = 0};
    assert_false(xf_world_is_same(&world, &runtime, 1));
}

static void overwrite(const fixture *fix, const char *below)
{
    const char *path = xf_test_path(&fix->tree, below);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "2", 1), 1);
    assert_int_equal(close(fd), 0);
}

static void overwrite_module(const fixture *fix)
{
    overwrite(fix, "/packages/deep/er/module"); /* its size and its folder stay as they are */
}

static void overwrite_program(const fixture *fix)
{
    overwrite(fix, "/bin/program");
}

static void add_module(const fixture *fix)
{
    xf_test_file(&fix->tree, "/packages/deep/other", 0644, "1");
}

static void rename_module(const fixture *fix)
{
    assert_int_equal(rename(xf_test_path(&fix->tree, "/packages/deep/er/module"),
                            xf_test_path(&fix->tree, "/packages/deep/er/eludom")),
                     0);
}

static void remove_program(const fixture *fix)
{
    assert_int_equal(unlink(xf_test_path(&fix->tree, "/bin/program")), 0);
}

static void every_change_is_seen_and_lasts(void **state)
{
    (void)state;
    static void (*const changes[])(const fixture *) = {
        overwrite_module, overwrite_program, add_module, rename_module, remove_program,
    };
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        fixture fix = fixture_new();
        changes[i](&fix);
        assert_false(is_same(&fix));
        assert_false(is_same(&fix));
        fixture_clear(&fix);
    }
}

/* So that a hit does not cost a walk through thousands of files. */
static void it_is_not_looked_at_all_the_time(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    assert_true(is_same(&fix));
    overwrite_module(&fix);
    assert_true(xf_world_is_same(&fix.world, &fix.runtime, fix.now_us + XF_WORLD_LOOK_US - 1));
    assert_false(is_same(&fix));
    fixture_clear(&fix);
}

/* A program that is not there has a world too: nobody says that it will be started. */
static void what_is_missing_may_come(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    assert_int_equal(xf_strings_add(&fix.runtime.binds, xf_test_path(&fix.tree, "/missing"), NULL),
                     EXTFN_OK);
    xf_world_take(&fix.world, &fix.runtime);
    assert_true(is_same(&fix));
    xf_test_file(&fix.tree, "/missing", 0644, "");
    assert_false(is_same(&fix));
    fixture_clear(&fix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_nobody_touches_stays_the_same),
        cmocka_unit_test(one_that_was_not_taken_is_never_the_same),
        cmocka_unit_test(every_change_is_seen_and_lasts),
        cmocka_unit_test(it_is_not_looked_at_all_the_time),
        cmocka_unit_test(what_is_missing_may_come),
    };
    return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
