/* What a worker finds around it. SPDX-License-Identifier: MIT */
#include "rig.h"
#include "support/temporary.h"
#include "support/unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The line that an act of the victim says. */
static void hear(const rig_options *options, char *ret_line, size_t size)
{
    rig it;
    rig_start(&it, options);
    rig_read_line(&it, ret_line, size);
    close(it.stdin_end);
    it.stdin_end = -1;
    const xf_report report = rig_finish(&it);
    assert_int_equal(report.cause, XF_CAUSE_EXITED);
    assert_int_equal(report.wait_status, 0);
}

static void descriptors_from_the_first_on_are_closed(void **state)
{
    (void)state;
    char line[256];
    hear(&(rig_options){.act = {"fds", "0"}}, line, sizeof(line));
    assert_string_equal(line, "0 1 2 3 4 5 6 12 13 ");
}

static void limits_are_soft_and_hard(void **state)
{
    (void)state;
    char line[256];
    hear(&(rig_options){.act = {"limits", "0"},
                        .settings = "nofile=33,fsize=1000000,core=0,stack=4194304"},
         line, sizeof(line));
    assert_string_equal(line, "33:33 1000000:1000000 0:0 4194304:4194304 ");
}

static void a_limit_is_never_raised(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    char line[256];
    hear(&(rig_options){.argv = {"/bin/sh", "-c",
                                 "ulimit -f 2; exec /proc/self/fd/12 fsize=9999999 14 -- "
                                 "/proc/self/fd/13 limits 0"}},
         line, sizeof(line));
    assert_non_null(strstr(line, " 1024:1024 "));
}

static void no_privilege_can_be_gained(void **state)
{
    (void)state;
    char line[256];
    hear(&(rig_options){.act = {"who", "0"}}, line, sizeof(line));
    assert_non_null(strstr(line, "nnp 1"));
}

static void a_trusted_worker_keeps_privileges_and_limits(void **state)
{
    (void)state;
    char line[256];
    hear(&(rig_options){.act = {"who", "0"}, .settings = "trusted=1,nofile=33"}, line,
         sizeof(line));
    assert_non_null(strstr(line, "nnp 0"));
    hear(&(rig_options){.act = {"limits", "0"}, .settings = "trusted=1,nofile=33"}, line,
         sizeof(line));
    assert_null(strstr(line, "33:33"));
}

static void the_world_is_fixed(void **state)
{
    (void)state;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction pipe_before;
    struct sigaction child_before;
    assert_int_equal(sigaction(SIGPIPE, &ignore, &pipe_before), 0);
    assert_int_equal(sigaction(SIGCHLD, &ignore, &child_before), 0);
    char line[256];
    rig it;
    rig_start(&it, &(rig_options){.act = {"world", "0"}, .env = {"A=1", "B= x"}});
    assert_int_equal(sigaction(SIGPIPE, &pipe_before, NULL), 0);
    assert_int_equal(sigaction(SIGCHLD, &child_before, NULL), 0);
    rig_read_line(&it, line, sizeof(line));
    (void)rig_finish(&it);
    assert_string_equal(line, "signals 0 cwd / umask 22 env A=1 B= x");
}

#define REACH(path, ...)                                                                           \
    &(rig_options)                                                                                 \
    {                                                                                              \
        .argv = { RIG_ENTER, "nofile=64", "14", __VA_ARGS__, "--", RIG_VICTIM, "reach", path }     \
    }
#define FREE "read 0 write 0 execute 0 make 0 signal 0 bind 0"

static bool has_landlock(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) >= 6;
}

/* The first line shows that the others are Landlock's doing. */
static void landlock_keeps_to_what_is_shown(void **state)
{
    (void)state;
    rig_need("landlock", has_landlock());
    char program[TEMPORARY_SIZE];
    int fd = temporary_file(program, sizeof(program), "/tmp");
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "#!/bin/sh\n", 10), 10);
    assert_int_equal(fchmod(fd, 0777), 0);
    close(fd);
    char line[256];
    hear(&(rig_options){.argv = {RIG_ENTER, "trusted=1", "14", "--", RIG_VICTIM, "reach", program}},
         line, sizeof(line));
    assert_string_equal(line, FREE);
    hear(REACH(program, "/usr"), line, sizeof(line));
    assert_string_equal(line, "read 0 write 0 execute 13 make 13 signal 1 bind 13");
    hear(REACH("/etc/passwd", "/usr", "/nonexistent"), line, sizeof(line));
    assert_non_null(strstr(line, "read 13 write 13"));
    hear(REACH("/etc/passwd", "/etc/passwd"), line, sizeof(line));
    assert_non_null(strstr(line, "read 0 write 13"));
    hear(REACH(RIG_VICTIM, "/usr"), line, sizeof(line));
    assert_non_null(strstr(line, "read 0"));
    assert_int_equal(unlink(program), 0);
}

#define LANDLOCK (XF_LAYER_FILES | XF_LAYER_NETWORK | XF_LAYER_SCOPES)

static void landlock_is_reported(void **state)
{
    (void)state;
    rig_need("landlock", has_landlock());
    rig it;
    rig_start(&it, &(rig_options){.act = {"exit", "0"}});
    assert_int_equal(rig_finish(&it).layers & LANDLOCK, XF_LAYER_NETWORK | XF_LAYER_SCOPES);
    rig_start(&it, &(rig_options){.argv = {RIG_ENTER, "nofile=64", "14", "/usr", "--", RIG_VICTIM,
                                           "exit", "0"}});
    assert_int_equal(rig_finish(&it).layers & LANDLOCK, LANDLOCK);
    rig_start(&it, &(rig_options){.act = {"exit", "0"}, .settings = "trusted=1"});
    assert_int_equal(rig_finish(&it).layers & LANDLOCK, 0);
}

/* As under a bubblewrap that does not load what it is given. */
static void a_filter_that_is_not_in_force_is_refused(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"exit", "0"}, .settings = "nofile=64,filter=0"});
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_NO_SANDBOX);
    rig_start(&it, &(rig_options){.act = {"exit", "0"}, .settings = "nofile=64,filter=12"});
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_NO_SANDBOX);
}

static void called_as_sh_it_only_fails(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const char *path = getenv("EXTFN_TEST_ENTER");
        execl(path ? path : "", "/bin/sh", "-c", "exit 0", (char *)NULL);
        _exit(99);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 1 << 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_from_the_first_on_are_closed),
        cmocka_unit_test(limits_are_soft_and_hard),
        cmocka_unit_test(a_limit_is_never_raised),
        cmocka_unit_test(no_privilege_can_be_gained),
        cmocka_unit_test(a_trusted_worker_keeps_privileges_and_limits),
        cmocka_unit_test(the_world_is_fixed),
        cmocka_unit_test(landlock_keeps_to_what_is_shown),
        cmocka_unit_test(landlock_is_reported),
        cmocka_unit_test(a_filter_that_is_not_in_force_is_refused),
        cmocka_unit_test(called_as_sh_it_only_fails),
    };
    return cmocka_run_group_tests_name("enter", tests, NULL, NULL);
}
