/* Finding and killing children. SPDX-License-Identifier: MIT */
#include "guest/supervise/reap.h"
#include "support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start_sleeper(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (;;)
            pause();
    }
    return child;
}

static void expect_killed(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
}

static void listed_children_are_found(void **state)
{
    (void)state;
    pid_t child = start_sleeper();
    assert_true(xf_signal_listed_children(SIGKILL));
    expect_killed(child);
}

static void scanned_children_are_found_and_only_they(void **state)
{
    (void)state;
    pid_t children[] = {start_sleeper(), start_sleeper()};
    assert_true(xf_signal_scanned_children(SIGKILL));
    expect_killed(children[0]);
    expect_killed(children[1]);
    assert_true(kill(getppid(), 0) == 0 || errno == EPERM);
}

/* A child whose child says over the pipe that it runs, and whose end is the end of the file. */
static pid_t start_family(int ready)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)!write(ready, fork() == 0 ? "g" : "c", 1);
        for (;;)
            pause();
    }
    return child;
}

static void all_are_killed_and_counted(void **state)
{
    (void)state;
    sigset_t set;
    sigset_t before;
    sigfillset(&set);
    assert_int_equal(sigprocmask(SIG_SETMASK, &set, &before), 0);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    int ready[2];
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    xf_reaper reaper = {0};
    assert_int_equal(xf_reaper_open(&reaper), 0);
    reaper.command = start_family(ready[1]);
    close(ready[1]);
    char said[2];
    assert_int_equal(read(ready[0], said, 1), 1);
    assert_int_equal(read(ready[0], said, 1), 1);
    xf_kill_all(&reaper);
    assert_int_equal(read(ready[0], said, 1), 0);
    assert_true(reaper.is_command_gone);
    assert_int_equal(reaper.command_status, SIGKILL);
    assert_true(reaper.usage.peak_memory > 0);
    assert_int_equal(waitpid(-1, NULL, 0), -1);
    assert_int_equal(errno, ECHILD);
    close(ready[0]);
    close(reaper.signal_fd);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listed_children_are_found),
        cmocka_unit_test(scanned_children_are_found_and_only_they),
        cmocka_unit_test(all_are_killed_and_counted),
    };
    return cmocka_run_group_tests_name("reap", tests, NULL, NULL);
}
