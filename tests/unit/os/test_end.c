/* Children that stand still are ended all the same. */
#include "os/end.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "os/fd.h"
#include "os/spawn.h"
#include "support/process.h"

#include <signal.h>

#define SOON_US 1000
#define LATE_US 60000000

static pid_t start(const char *script, int *ret_pidfd)
{
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, xf_strdup(script), NULL};
    char *env[] = {NULL};
    XF_AUTO_CLOSE int in = -1;
    XF_AUTO_CLOSE int out = -1;
    assert_int_equal(xf_pipe_open(&in, &out, NULL), EXTFN_OK);
    pid_t pid = 0;
    assert_int_equal(xf_spawn("/bin/sh", argv, env, (int[]){in, out, out}, 3, &pid, NULL),
                     EXTFN_OK);
    assert_int_equal(xf_child_hold(pid, ret_pidfd, NULL), EXTFN_OK);
    xf_free(argv[2]);
    return pid;
}

static void a_stopped_child_is_killed_and_reaped(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int pidfd = -1;
    pid_t pid = start("sleep 60; exit 0", &pidfd);
    assert_int_equal(kill(pid, SIGSTOP), 0);
    xf_child_end(pid, pidfd, SOON_US);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void one_that_was_killed_by_hand_too(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int pidfd = -1;
    pid_t pid = start("sleep 60; exit 0", &pidfd);
    assert_int_equal(kill(pid, SIGSTOP), 0);
    xf_child_kill(pidfd);
    xf_child_end(pid, pidfd, LATE_US);
    assert_int_equal(kill(pid, 0), -1);
}

static void a_stopped_child_sees_that_its_own_was_killed(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int pidfd = -1;
    pid_t pid = start("sleep 60; exit 7", &pidfd);
    while (test_child_of(pid) == 0)
        test_pause();
    assert_int_equal(kill(pid, SIGSTOP), 0);
    assert_int_equal(kill(test_child_of(pid), SIGSTOP), 0);
    xf_child_kill_children(pid, pidfd);
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), 7);
}

static void a_child_that_was_reaped_is_no_harm(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int pidfd = -1;
    pid_t pid = start("exit 0", &pidfd);
    xf_child_reap(pid);
    xf_child_kill_children(pid, pidfd);
    xf_child_end(pid, pidfd, LATE_US);
    int none = 0;
    assert_int_equal(xf_child_hold(pid, &none, NULL), EXTFN_OK);
    assert_int_equal(none, -1);
    xf_child_kill(none);
    xf_child_kill_children(pid, none);
    xf_child_end(pid, none, LATE_US);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stopped_child_is_killed_and_reaped),
        cmocka_unit_test(one_that_was_killed_by_hand_too),
        cmocka_unit_test(a_stopped_child_sees_that_its_own_was_killed),
        cmocka_unit_test(a_child_that_was_reaped_is_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
