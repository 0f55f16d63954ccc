#include "eval/world.h"

#include "base/clock.h"
#include "support/oom.h"
#include "support/tree.h"

#include <fcntl.h>
#include <sys/resource.h>

#define LATER_US (INT64_C(1000) * XF_WORLD_LOOK_US)

#define LIBRARIES "/usr/lib/x86_64-linux-gnu"

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

static void take(fixture *fix, size_t files_limit)
{
    assert_int_equal(xf_world_take(&fix->world, &fix->runtime, fix->tree.root, files_limit, NULL),
                     EXTFN_OK);
}

/* A program beside a folder with a file two folders deep; a library that is reached through
 * /etc/alternatives, and time zones. */
static void fixture_open(fixture *fix)
{
    *fix = (fixture){.tree = xf_test_tree_new()};
    xf_test_file(&fix->tree, LIBRARIES "/blas/libblas.so.3", 0755, "1");
    xf_test_file(&fix->tree, LIBRARIES "/other/libblas.so.3", 0755, "1");
    xf_test_symlink(&fix->tree, "/etc/alternatives/blas", LIBRARIES "/libblas.so.3");
    xf_test_symlink(&fix->tree, xf_test_path(&fix->tree, LIBRARIES "/blas/libblas.so.3"),
                    "/etc/alternatives/blas");
    xf_test_folder(&fix->tree, "/usr/share/zoneinfo");
    set_old(&fix->tree, LIBRARIES "/blas/libblas.so.3");
    set_old(&fix->tree, LIBRARIES "/other/libblas.so.3");
    set_old(&fix->tree, LIBRARIES);
    set_old(&fix->tree, "/usr/share/zoneinfo");
    xf_test_file(&fix->tree, "/bin/program", 0755, "1");
    xf_test_file(&fix->tree, "/packages/deep/er/module", 0644, "1");
    set_old(&fix->tree, "/bin/program");
    set_old(&fix->tree, "/packages/deep/er/module");
    const char *program = xf_test_path(&fix->tree, "/bin/program");
    const char *packages = xf_test_path(&fix->tree, "/packages");
    assert_int_equal(xf_strings_add(&fix->runtime.argv, program, NULL), EXTFN_OK);
    assert_int_equal(xf_strings_add(&fix->runtime.binds, packages, NULL), EXTFN_OK);
    take(fix, XF_WORLD_FILES_LIMIT);
    fix->now_us = xf_clock_now();
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
    fixture fix;
    fixture_open(&fix);
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

static void choose_other_blas(const fixture *fix)
{
    const char *link = xf_test_path(&fix->tree, "/etc/alternatives/blas");
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink(xf_test_path(&fix->tree, LIBRARIES "/other/libblas.so.3"), link), 0);
}

static void overwrite_blas(const fixture *fix)
{
    overwrite(fix, LIBRARIES "/blas/libblas.so.3");
}

static void add_library(const fixture *fix)
{
    xf_test_file(&fix->tree, LIBRARIES "/libnew.so", 0644, "1");
}

static void add_time_zone(const fixture *fix)
{
    xf_test_file(&fix->tree, "/usr/share/zoneinfo/Mars", 0644, "1");
}

static void every_change_is_seen_and_lasts(void **state)
{
    (void)state;
    static void (*const changes[])(const fixture *) = {
        overwrite_module,  overwrite_program, add_module,  rename_module, remove_program,
        choose_other_blas, overwrite_blas,    add_library, add_time_zone,
    };
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        fixture fix;
        fixture_open(&fix);
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
    fixture fix;
    fixture_open(&fix);
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
    fixture fix;
    fixture_open(&fix);
    assert_int_equal(xf_strings_add(&fix.runtime.binds, xf_test_path(&fix.tree, "/missing"), NULL),
                     EXTFN_OK);
    take(&fix, XF_WORLD_FILES_LIMIT);
    assert_true(is_same(&fix));
    xf_test_file(&fix.tree, "/missing", 0644, "");
    assert_false(is_same(&fix));
    fixture_clear(&fix);
}

/* What lies in a folder that cannot be opened now is not known. */
static void one_that_could_not_be_looked_through_is_never_the_same(void **state)
{
    (void)state;
    fixture fix;
    fixture_open(&fix);
    struct rlimit usual;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    take(&fix, XF_WORLD_FILES_LIMIT);
    bool is_same_without = is_same(&fix);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_false(is_same_without);
    fixture_clear(&fix);
}

/* Seven places that all share, the program, four folders and files of packages. */
static void one_of_too_many_files_is_never_the_same(void **state)
{
    (void)state;
    fixture fix;
    fixture_open(&fix);
    size_t limit = 0;
    for (; atomic_load(&fix.world.is_changed) || limit == 0; limit++) {
        assert_true(limit < 100);
        assert_true(limit == 0 || !is_same(&fix));
        take(&fix, limit);
    }
    assert_in_range(limit, 6, 50);
    assert_true(is_same(&fix));
    xf_test_file(&fix.tree, "/packages/more", 0644, "");
    take(&fix, limit - 1);
    assert_false(is_same(&fix));
    take(&fix, limit);
    assert_true(is_same(&fix));
    fixture_clear(&fix);
}

static void what_is_published_is_what_was_taken(void **state)
{
    (void)state;
    fixture fix;
    fixture_open(&fix);
    xf_world seen = {.look_us = 0};
    xf_world_publish(&seen, &fix.world);
    assert_true(xf_world_is_same(&seen, &fix.runtime, fix.now_us + LATER_US));
    overwrite_module(&fix);
    assert_false(xf_world_is_same(&seen, &fix.runtime, fix.now_us + 3 * LATER_US));
    fixture_clear(&fix);
}

static void without_memory_it_is_not_taken(void **state)
{
    (void)state;
    fixture fix;
    fixture_open(&fix);
    xf_world world = {.look_us = 0};
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        status = xf_world_take(&world, &fix.runtime, fix.tree.root, XF_WORLD_FILES_LIMIT, NULL);
        assert_int_equal(atomic_load(&world.is_taken), status == EXTFN_OK);
    });
    assert_true(xf_world_is_same(&world, &fix.runtime, fix.now_us + LATER_US));
    fixture_clear(&fix);
}

/* Nothing was seen to change: with memory it is the same again. */
static void without_memory_it_is_not_the_same_for_now(void **state)
{
    (void)state;
    fixture fix;
    fixture_open(&fix);
    xf_alloc_fail_after(0);
    bool is_same_without = is_same(&fix);
    xf_alloc_fail_after(-1);
    assert_false(is_same_without);
    assert_true(xf_world_is_same(&fix.world, &fix.runtime, fix.now_us));
    overwrite_module(&fix);
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
        cmocka_unit_test(one_of_too_many_files_is_never_the_same),
        cmocka_unit_test(what_is_published_is_what_was_taken),
        cmocka_unit_test(without_memory_it_is_not_taken),
        cmocka_unit_test(without_memory_it_is_not_the_same_for_now),
        cmocka_unit_test(one_that_could_not_be_looked_through_is_never_the_same),
    };
    return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
