/* What the supervisor does about a sandbox's /tmp: how many files there may be, and what is said
 * when it is full. SPDX-License-Identifier: MIT */
#include "rig_bwrap.h"
#include "support/unit.h"

#include <signal.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

static xf_report run_in_bwrap(const char *act, const char *argument, char *ret_line, size_t size)
{
    rig_options options = rig_bwrap_options(act, argument);
    options.tmp_file_limit = 50;
    rig it;
    rig_start(&it, &options);
    if (ret_line)
        rig_read_line(&it, ret_line, size);
    return rig_finish(&it);
}

static void more_files_than_allowed_are_refused(void **state)
{
    (void)state;
    rig_need("bwrap", rig_can_bwrap());
    char line[64];
    const xf_report report = run_in_bwrap("litter", "50", line, sizeof(line));
    assert_string_equal(line, "50 files, then ENOSPC");
    assert_int_equal(report.cause, XF_CAUSE_EXITED);
    assert_int_equal(report.wait_status, 0);
}

/* What has no mounts of its own cannot be bounded: here /tmp is that of the host, and a shell
 * stands where bubblewrap does. */
static void files_that_cannot_be_bounded_are_counted(void **state)
{
    (void)state;
    struct statvfs host;
    /* Outside of a namespace of its own only root sees what a process that cannot be traced sees.
     */
    rig_need("root", geteuid() == 0);
    assert_int_equal(statvfs("/tmp", &host), 0);
    if (host.f_files - host.f_ffree < 10)
        skip(); /* it does not tell how many files it has */
    const rig_options options = {.argv = {"/bin/sh", "-c", "\"$@\"; exit $?", "sh", RIG_ENTER,
                                          "nofile=64", "14", "--", RIG_VICTIM},
                                 .act = {"hang", "0"},
                                 .tmp_file_limit = 1,
                                 .memory_limit = 1U << 30};
    rig it;
    rig_start(&it, &options);
    (void)rig_read_up(&it);
    rig_call(&it, 1, 1, 60000000);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_FILES);
    struct statvfs after;
    assert_int_equal(statvfs("/tmp", &after), 0);
    assert_int_equal(after.f_files, host.f_files);
}

static void a_death_for_want_of_room_is_told_from_others(void **state)
{
    (void)state;
    rig_need("bwrap", rig_can_bwrap());
    const char *const sizes[] = {"2097152", "4096"}; /* more than there is; and cut off, then */
    for (int i = 0; i < 2; i++) {
        const xf_report report = run_in_bwrap(i ? "cut" : "map", sizes[i], NULL, 0);
        assert_int_equal(report.cause, XF_CAUSE_EXITED);
        assert_true(WIFSIGNALED(report.wait_status));
        assert_int_equal(WTERMSIG(report.wait_status), SIGBUS);
        assert_int_equal(report.is_tmp_full, i == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_files_than_allowed_are_refused),
        cmocka_unit_test(files_that_cannot_be_bounded_are_counted),
        cmocka_unit_test(a_death_for_want_of_room_is_told_from_others),
    };
    return cmocka_run_group_tests_name("scratch", tests, NULL, NULL);
}
