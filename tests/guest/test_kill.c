/* Nothing survives: each way in which a worker is ended, and what it may have left running.
 * SPDX-License-Identifier: MIT */
#include "rig_bwrap.h"
#include "support/groups.h"
#include "support/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void expect_dead(pid_t pid)
{
    assert_true(pid > 1);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void stop_kills_and_reports(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}});
    pid_t victim = rig_read_up(&it);
    assert_true(rig_count(&it) >= 2);
    rig_command(&it, XF_COMMAND_STOP);
    const xf_report report = rig_finish(&it);
    assert_int_equal(report.cause, XF_CAUSE_STOPPED);
    assert_int_equal(report.wait_status, 0);
    expect_dead(victim);
}

static void a_daemon_that_ignores_signals_is_dead_after_its_parent(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"daemon", "0"}});
    pid_t daemon_pid = rig_read_up(&it);
    const xf_report report = rig_finish(&it);
    assert_int_equal(report.cause, XF_CAUSE_EXITED);
    assert_int_equal(report.wait_status, 0);
    expect_dead(daemon_pid);
}

static void a_chain_of_sessions_is_dead_after_stop(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"chain", "30"}});
    pid_t last = rig_read_up(&it);
    rig_command(&it, XF_COMMAND_STOP);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
    expect_dead(last);
}

static void a_stopped_process_is_killed(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"stop", "0"}});
    pid_t victim = rig_read_up(&it);
    rig_command(&it, XF_COMMAND_STOP);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
    expect_dead(victim);
}

static void the_end_of_the_lifeline_kills(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}});
    pid_t victim = rig_read_up(&it);
    close(it.lifeline_end);
    it.lifeline_end = -1;
    rig_finish_silently(&it);
    assert_int_equal(waitpid(it.supervisor, NULL, 0), it.supervisor);
    expect_dead(victim);
}

/* The lifeline stays open here, as when the host has forked: only the pidfd tells. */
static void the_end_of_the_host_kills(void **state)
{
    (void)state;
    int gate[2];
    assert_int_equal(pipe(gate), 0);
    pid_t host = fork();
    assert_true(host >= 0);
    if (host == 0) {
        char byte;
        close(gate[1]);
        (void)!read(gate[0], &byte, 1);
        _exit(0);
    }
    int host_pidfd = (int)syscall(SYS_pidfd_open, host, 0);
    assert_true(host_pidfd >= 0);
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}, .host_pidfd = host_pidfd});
    pid_t victim = rig_read_up(&it);
    assert_int_equal(write(gate[1], "x", 1), 1);
    rig_finish_silently(&it);
    assert_int_equal(waitpid(it.supervisor, NULL, 0), it.supervisor);
    assert_int_equal(waitpid(host, NULL, 0), host);
    expect_dead(victim);
    close(host_pidfd);
    close(gate[0]);
    close(gate[1]);
}

static bool is_in_group(pid_t pid, pid_t supervisor)
{
    char path[64];
    char line[512];
    char name[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/cgroup", (int)pid);
    (void)snprintf(name, sizeof(name), "/extfn-%d-%d\n", (int)getpid(), (int)supervisor);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    bool is_there = false;
    while (fgets(line, sizeof(line), file))
        is_there |= strncmp(line, "0::", 3) == 0 && strstr(line, name) != NULL;
    (void)fclose(file);
    return is_there;
}

static void a_worker_runs_in_a_cgroup_of_its_own(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}});
    pid_t victim = rig_read_up(&it);
    bool has_group = groups_count(it.supervisor) == 1;
    assert_int_equal(is_in_group(victim, it.supervisor), has_group);
    assert_false(is_in_group(rig_child_of(it.supervisor), it.supervisor));
    rig_command(&it, XF_COMMAND_STOP);
    const xf_report report = rig_finish(&it);
    assert_int_equal((report.layers & XF_LAYER_GROUP) != 0, has_group);
    if (!has_group)
        skip(); /* none can be made here */
    rig_start(&it, &(rig_options){.act = {"exit", "0"}, .group = "/nonexistent"});
    assert_int_equal(rig_finish(&it).layers & XF_LAYER_GROUP, 0);
}

/* Both are children of ours or become it, and so does all that they leave. */
static void expect_nothing_left(rig *it)
{
    uint64_t until = rig_now_ms() + RIG_DEADLINE_MS;
    pid_t gone = 0;
    do {
        gone = waitpid(-1, NULL, WNOHANG);
        if (gone == 0)
            (void)rig_is_readable(it->report_end, 1);
    } while (gone >= 0 && rig_now_ms() < until);
    if (gone >= 0)
        fail_msg("%d processes are left", rig_count(it));
    assert_int_equal(errno, ECHILD);
}

/* Again until it is noticed: before it is there, what looks for a free uid stands in its place. */
static void kill_inner_supervisor(const rig *it)
{
    uint64_t until = rig_now_ms() + RIG_DEADLINE_MS;
    do {
        pid_t inner = rig_child_of(it->supervisor);
        if (inner > 0)
            (void)kill(inner, SIGKILL);
    } while (!rig_is_readable(it->report_end, 1) && rig_now_ms() < until);
}

/* Kills one of the two supervisors; the other ends all and says so. */
static void kill_supervisor(const rig_options *options, bool is_inner, int64_t delay_us)
{
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    rig it;
    rig_start(&it, options);
    if (delay_us < 0)
        (void)rig_read_up(&it);
    const struct timespec delay = {.tv_nsec = delay_us > 0 ? delay_us * 1000 : 0};
    (void)nanosleep(&delay, NULL);
    if (is_inner)
        kill_inner_supervisor(&it);
    else
        assert_int_equal(kill(it.supervisor, SIGKILL), 0);
    expect_nothing_left(&it);
    rig_finish_killed(&it);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    assert_int_equal(groups_count(0), 0);
}

static void the_end_of_a_supervisor_kills(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        kill_supervisor(&(rig_options){.act = {"hang", "0"}}, i == 1, -1);
        kill_supervisor(&(rig_options){.act = {"chain", "3"}}, i == 1, -1);
    }
}

/* From before the supervisor's first instruction to a running worker. */
static void a_stop_at_any_moment_leaves_nothing(void **state)
{
    (void)state;
    for (int delay_ms = 0; delay_ms < 12; delay_ms++) {
        rig it;
        rig_start(&it, &(rig_options){.act = {"chain", "3"}});
        (void)rig_is_readable(it.report_end, delay_ms);
        rig_command(&it, XF_COMMAND_STOP);
        assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
    }
}

static void in_bubblewrap_a_worker_ends_and_is_reported(void **state)
{
    (void)state;
    rig_need("bwrap", rig_can_bwrap());
    rig it;
    rig_options options = rig_bwrap_options("exit", "7");
    rig_start(&it, &options);
    xf_report report = rig_finish(&it);
    assert_int_equal(report.cause, XF_CAUSE_EXITED);
    assert_int_equal(report.wait_status, 7 << 8);
    assert_true(report.peak_memory > 0);

    options = rig_bwrap_options("signal", "11");
    rig_start(&it, &options);
    report = rig_finish(&it);
    assert_int_equal(report.cause, XF_CAUSE_EXITED);
    assert_int_equal(report.wait_status & 0x7f, SIGSEGV);
}

static void in_bubblewrap_a_daemon_is_dead_afterwards(void **state)
{
    (void)state;
    rig_need("bwrap", rig_can_bwrap());
    rig it;
    const rig_options options = rig_bwrap_options("daemon", "0");
    rig_start(&it, &options);
    (void)rig_read_up(&it);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_EXITED);
}

static void in_bubblewrap_a_hanging_row_is_killed(void **state)
{
    (void)state;
    rig_need("bwrap", rig_can_bwrap());
    rig it;
    const rig_options options = rig_bwrap_options("eat", "33554432");
    rig_start(&it, &options);
    char line[32];
    rig_read_line(&it, line, sizeof(line));
    rig_call(&it, 1, 1, 50000);
    const xf_report report = rig_finish(&it);
    assert_int_equal(report.cause, XF_CAUSE_ROW_TIMEOUT);
    assert_in_range(report.peak_memory, 32U << 20, 64U << 20);
}

static void in_bubblewrap_only_seven_descriptors_are_inherited(void **state)
{
    (void)state;
    rig_need("bwrap", rig_can_bwrap());
    rig it;
    const rig_options options = rig_bwrap_options("fds", "0");
    rig_start(&it, &options);
    char line[256];
    rig_read_line(&it, line, sizeof(line));
    assert_string_equal(line, "0 1 2 3 4 5 6 ");
    (void)rig_finish(&it);
}

/* An outer bubblewrap that dies early leaves a child that waits for it for ever. */
static void a_start_of_bubblewrap_that_is_cut_short_leaves_nothing(void **state)
{
    (void)state;
    rig_need("bwrap", rig_can_bwrap());
    for (int delay_ms = 0; delay_ms < 12; delay_ms++) {
        rig it;
        const rig_options options = rig_bwrap_options("chain", "3");
        rig_start(&it, &options);
        (void)rig_is_readable(it.report_end, delay_ms);
        rig_command(&it, XF_COMMAND_STOP);
        assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
    }
}

/* A supervisor that dies while bubblewrap starts leaves the same child. */
static void in_bubblewrap_a_supervisor_that_is_killed_early_leaves_nothing(void **state)
{
    (void)state;
    rig_need("bwrap", rig_can_bwrap());
    const rig_options options = rig_bwrap_options("chain", "3");
    for (int i = 0; i < 40; i++)
        kill_supervisor(&options, i % 2 == 1, (int64_t)i * 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stop_kills_and_reports),
        cmocka_unit_test(a_worker_runs_in_a_cgroup_of_its_own),
        cmocka_unit_test(a_daemon_that_ignores_signals_is_dead_after_its_parent),
        cmocka_unit_test(a_chain_of_sessions_is_dead_after_stop),
        cmocka_unit_test(a_stopped_process_is_killed),
        cmocka_unit_test(the_end_of_the_lifeline_kills),
        cmocka_unit_test(the_end_of_the_host_kills),
        cmocka_unit_test(the_end_of_a_supervisor_kills),
        cmocka_unit_test(a_stop_at_any_moment_leaves_nothing),
        cmocka_unit_test(in_bubblewrap_a_worker_ends_and_is_reported),
        cmocka_unit_test(in_bubblewrap_a_daemon_is_dead_afterwards),
        cmocka_unit_test(in_bubblewrap_a_hanging_row_is_killed),
        cmocka_unit_test(in_bubblewrap_only_seven_descriptors_are_inherited),
        cmocka_unit_test(a_start_of_bubblewrap_that_is_cut_short_leaves_nothing),
        cmocka_unit_test(in_bubblewrap_a_supervisor_that_is_killed_early_leaves_nothing),
    };
    return cmocka_run_group_tests_name("kill", tests, NULL, NULL);
}
