/* What the supervisor reports: how a worker ended, and the clock. SPDX-License-Identifier: MIT */
#include "rig.h"
#include "support/unit.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static xf_report run(const rig_options *options)
{
    rig it;
    rig_start(&it, options);
    return rig_finish(&it);
}

static void an_exit_status_is_reported(void **state)
{
    (void)state;
    const char *statuses[] = {"0", "3", "137", "255"};
    const int numbers[] = {0, 3, 137, 255};
    for (size_t i = 0; i < 4; i++) {
        const xf_report report = run(&(rig_options){.act = {"exit", statuses[i]}});
        assert_int_equal(report.cause, XF_CAUSE_EXITED);
        assert_int_equal(report.wait_status, numbers[i] << 8);
        assert_int_equal(report.os_errno, 0);
    }
}

static void a_death_by_signal_is_reported_raw(void **state)
{
    (void)state;
    const xf_report report = run(&(rig_options){.act = {"signal", "9"}});
    assert_int_equal(report.cause, XF_CAUSE_EXITED);
    assert_true(WIFSIGNALED(report.wait_status));
    assert_int_equal(WTERMSIG(report.wait_status), SIGKILL);
}

static void a_shell_runs_as_well(void **state)
{
    (void)state;
    const rig_options options = {
        .argv = {RIG_ENTER, "nofile=64", "12", "--", "/bin/sh", "-c", "echo hello; exit 5"}};
    rig it;
    rig_start(&it, &options);
    char line[32];
    rig_read_line(&it, line, sizeof(line));
    assert_string_equal(line, "hello");
    assert_int_equal(rig_finish(&it).wait_status, 5 << 8);
}

static void a_missing_interpreter_is_told(void **state)
{
    (void)state;
    const xf_report report =
        run(&(rig_options){.argv = {RIG_ENTER, "nofile=64", "12", "--", "/nonexistent/python"}});
    assert_int_equal(report.cause, XF_CAUSE_NO_INTERPRETER);
    assert_int_equal(report.os_errno, ENOENT);
}

static void a_missing_command_is_told(void **state)
{
    (void)state;
    const xf_report report = run(&(rig_options){.argv = {"/nonexistent/bwrap"}});
    assert_int_equal(report.cause, XF_CAUSE_NO_SANDBOX);
    assert_int_equal(report.os_errno, ENOENT);
}

static void a_command_that_is_never_ready_is_no_sandbox(void **state)
{
    (void)state;
    const xf_report report = run(&(rig_options){.argv = {"/bin/false"}});
    assert_int_equal(report.cause, XF_CAUSE_NO_SANDBOX);
    assert_int_equal(report.os_errno, 0);
    assert_int_equal(report.wait_status, 1 << 8);
    const xf_report usage = run(&(rig_options){.settings = "nonsense=1", .act = {"exit", "0"}});
    assert_int_equal(usage.cause, XF_CAUSE_NO_SANDBOX);
    assert_int_equal(usage.wait_status, 2 << 8);
}

static void a_plan_that_cannot_be_read_is_broken(void **state)
{
    (void)state;
    const xf_report report = run(&(rig_options){.act = {"exit", "0"}, .has_bad_plan = true});
    assert_int_equal(report.cause, XF_CAUSE_BROKEN);
    assert_int_equal(report.os_errno, EPROTO);
}

static void a_row_that_hangs_is_over_at_its_limit(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}});
    (void)rig_read_up(&it);
    uint64_t started = rig_now_ms();
    rig_call(&it, 5, 3, 100000);
    rig_command(&it, XF_COMMAND_LOOK);
    const xf_report report = rig_finish(&it);
    uint64_t elapsed = rig_now_ms() - started;
    assert_int_equal(report.cause, XF_CAUSE_ROW_TIMEOUT);
    assert_int_equal(report.call, 5);
    assert_int_equal(report.wait_status, 0);
    assert_in_range(elapsed, 100, 1500);
}

static void without_a_look_it_is_over_a_tick_later(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}});
    (void)rig_read_up(&it);
    rig_call(&it, 5, 3, 10000);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_ROW_TIMEOUT);
}

static void rows_that_move_on_live(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}});
    (void)rig_read_up(&it);
    rig_call(&it, 5, 12, 500000);
    rig_command(&it, XF_COMMAND_LOOK);
    for (int row = 0; row < 12; row++) {
        assert_false(rig_is_readable(it.report_end, 100));
        it.statuses[row] = XF_ROW_VALUE;
    }
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_ROW_TIMEOUT);
}

static void time_stands_still_while_the_host_does_not_read(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"answer", "0"}});
    (void)rig_read_up(&it);
    rig_call(&it, 5, 1, 100000);
    rig_command(&it, XF_COMMAND_LOOK);
    assert_false(rig_is_readable(it.report_end, 600));
    char answer;
    assert_int_equal(read(it.reply_end, &answer, 1), 1);
    rig_command(&it, XF_COMMAND_LOOK);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_ROW_TIMEOUT);
}

static void a_worker_that_is_never_set_up_is_over(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}, .start_limit_us = 300000});
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_START_TIMEOUT);
}

static void a_setup_that_hangs_is_over(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}, .start_limit_us = 300000});
    it.header->is_setup = 1;
    __atomic_store_n(&it.header->is_active, 1, __ATOMIC_RELEASE);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_START_TIMEOUT);
}

static void an_idle_worker_lives(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}, .start_limit_us = 400000});
    it.header->is_setup = 1; /* was set up */
    (void)rig_read_up(&it);
    assert_false(rig_is_readable(it.report_end, 1000));
    rig_command(&it, XF_COMMAND_STOP);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
}

static void peak_memory_and_time_are_reported(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"eat", "67108864"}});
    char line[32];
    rig_read_line(&it, line, sizeof(line));
    close(it.stdin_end);
    it.stdin_end = -1;
    const xf_report report = rig_finish(&it);
    assert_int_equal(report.cause, XF_CAUSE_EXITED);
    assert_in_range(report.peak_memory, 64U << 20, 128U << 20);
    assert_in_range(report.cpu_us, 1000, 10000000);
}

static void peak_memory_is_known_of_a_killed_worker_too(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"eat", "67108864"}});
    char line[32];
    rig_read_line(&it, line, sizeof(line));
    rig_command(&it, XF_COMMAND_STOP);
    const xf_report report = rig_finish(&it);
    assert_int_equal(report.cause, XF_CAUSE_STOPPED);
    assert_in_range(report.peak_memory, 64U << 20, 128U << 20);
}

static xf_report ask_usage(const rig *it, char command)
{
    xf_report report = {0};
    rig_command(it, command);
    assert_true(rig_is_readable(it->report_end, RIG_DEADLINE_MS));
    assert_int_equal(read(it->report_end, &report, sizeof(report)), sizeof(report));
    assert_int_equal(report.cause, XF_CAUSE_LIVES);
    return report;
}

static void what_a_living_worker_used_is_told_when_asked(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"eat", "67108864"}});
    char line[32];
    rig_read_line(&it, line, sizeof(line));
    const xf_report first = ask_usage(&it, XF_COMMAND_MEASURE);
    assert_in_range(first.peak_memory, 64U << 20, 128U << 20);
    assert_in_range(first.cpu_us, 1000, 10000000);
    assert_in_range(ask_usage(&it, XF_COMMAND_MEASURE).cpu_us, first.cpu_us,
                    first.cpu_us + 1000000);
    close(it.stdin_end);
    it.stdin_end = -1;
    const xf_report last = rig_finish(&it);
    assert_int_equal(last.cause, XF_CAUSE_EXITED);
    assert_in_range(last.cpu_us, first.cpu_us, 20000000);
}

/* What it has, and an eighth of its limit, which it keeps to from then on. */
static void one_that_settles_is_told_what_it_may_keep(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"eat", "67108864"}, .memory_limit = 1U << 30});
    char line[32];
    rig_read_line(&it, line, sizeof(line));
    assert_int_equal(ask_usage(&it, XF_COMMAND_MEASURE).idle_memory, 0);
    uint64_t most = ask_usage(&it, XF_COMMAND_SETTLE).idle_memory;
    assert_in_range(most, (64U + 128U) << 20, (80U + 128U) << 20);
    assert_int_equal(ask_usage(&it, XF_COMMAND_MEASURE).idle_memory, most);
    rig_command(&it, XF_COMMAND_STOP);
    (void)rig_finish(&it);
}

/* They are memory as long as the map is there, whoever has it mapped. */
static void pages_of_a_map_that_were_unmapped_are_kept_memory(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"soil", "62914560"}, .memory_limit = 1U << 30});
    (void)rig_read_up(&it);
    uint64_t most = ask_usage(&it, XF_COMMAND_SETTLE).idle_memory;
    assert_in_range(most, (60U + 128U) << 20, (80U + 128U) << 20);
    rig_command(&it, XF_COMMAND_STOP);
    (void)rig_finish(&it);
}

/* The victim has 64 MiB and has made them read-only, which takes them out of RLIMIT_DATA. */
static void more_memory_than_allowed_ends_the_worker(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hoard", "67108864"}, .memory_limit = 32U << 20});
    rig_call(&it, 1, 1, 60000000);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_MEMORY);
    char line[32];
    rig_start(&it, &(rig_options){.act = {"hoard", "67108864"}, .memory_limit = 96U << 20});
    rig_read_line(&it, line, sizeof(line));
    rig_call(&it, 1, 1, 60000000);
    assert_false(rig_is_readable(it.report_end, 500));
    rig_command(&it, XF_COMMAND_STOP);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
}

static void signals_do_not_end_the_supervisor(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"hang", "0"}});
    (void)rig_read_up(&it);
    for (int number = 1; number < 65; number++) {
        if (number != SIGKILL && number != SIGSTOP && number != SIGCONT)
            (void)kill(it.supervisor, number);
    }
    assert_false(rig_is_readable(it.report_end, 100));
    rig_command(&it, XF_COMMAND_STOP);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exit_status_is_reported),
        cmocka_unit_test(a_death_by_signal_is_reported_raw),
        cmocka_unit_test(a_shell_runs_as_well),
        cmocka_unit_test(a_missing_interpreter_is_told),
        cmocka_unit_test(a_missing_command_is_told),
        cmocka_unit_test(a_command_that_is_never_ready_is_no_sandbox),
        cmocka_unit_test(a_plan_that_cannot_be_read_is_broken),
        cmocka_unit_test(a_row_that_hangs_is_over_at_its_limit),
        cmocka_unit_test(without_a_look_it_is_over_a_tick_later),
        cmocka_unit_test(rows_that_move_on_live),
        cmocka_unit_test(time_stands_still_while_the_host_does_not_read),
        cmocka_unit_test(a_worker_that_is_never_set_up_is_over),
        cmocka_unit_test(a_setup_that_hangs_is_over),
        cmocka_unit_test(an_idle_worker_lives),
        cmocka_unit_test(peak_memory_and_time_are_reported),
        cmocka_unit_test(peak_memory_is_known_of_a_killed_worker_too),
        cmocka_unit_test(one_that_settles_is_told_what_it_may_keep),
        cmocka_unit_test(pages_of_a_map_that_were_unmapped_are_kept_memory),
        cmocka_unit_test(what_a_living_worker_used_is_told_when_asked),
        cmocka_unit_test(more_memory_than_allowed_ends_the_worker),
        cmocka_unit_test(signals_do_not_end_the_supervisor),
    };
    return cmocka_run_group_tests_name("supervise", tests, NULL, NULL);
}
