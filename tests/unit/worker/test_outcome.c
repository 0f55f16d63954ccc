#include "support/unit.h"
#include "worker/outcome.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static void every_cause_has_its_words(void **state)
{
    (void)state;
    static const struct {
        xf_report report;
        extfn_status status;
        const char *message;
    } cases[] = {
        {{.cause = XF_CAUSE_ROW_TIMEOUT}, EXTFN_ETIMEOUT, "function timed out after 2s"},
        {{.cause = XF_CAUSE_START_TIMEOUT}, EXTFN_ETIMEOUT, "function start timed out after 30s"},
        {{.cause = XF_CAUSE_EXITED, .wait_status = 3 << 8},
         EXTFN_ERUNTIME,
         "function ended its process with exit status 3"},
        {{.cause = XF_CAUSE_EXITED, .wait_status = 11, .peak_memory = 45U << 20},
         EXTFN_ERUNTIME,
         "function died: signal 11 (SIGSEGV), peak memory 45 MiB"},
        {{.cause = XF_CAUSE_EXITED, .wait_status = 9, .peak_memory = 1000U << 20},
         EXTFN_ERUNTIME,
         "memory limit of 1 GiB reached"},
        {{.cause = XF_CAUSE_EXITED, .wait_status = 31, .peak_memory = 1000U << 20},
         EXTFN_ERUNTIME,
         "function killed by signal 31 (SIGSYS): a forbidden system call"},
        {{.cause = XF_CAUSE_EXITED, .wait_status = 25, .peak_memory = 1000U << 20},
         EXTFN_ERUNTIME,
         "function killed by signal 25 (SIGXFSZ): a file larger than its limit"},
        {{.cause = XF_CAUSE_MEMORY}, EXTFN_ERUNTIME, "memory limit of 1 GiB reached"},
        {{.cause = XF_CAUSE_NO_INTERPRETER, .os_errno = ENOENT},
         EXTFN_EUNAVAILABLE,
         "language runtime unavailable: Python (python3): '/opt/python3' cannot be executed: No "
         "such file or directory; install it where every user may read it"},
        {{.cause = XF_CAUSE_NO_UID, .os_errno = EBUSY},
         EXTFN_ESANDBOX,
         "sandbox unavailable: no free user id for it (Device or resource busy); widen the range "
         "of user ids or end other workers"},
        {{.cause = XF_CAUSE_NO_UID, .os_errno = EAGAIN},
         EXTFN_ESANDBOX,
         "sandbox unavailable: start a worker: Resource temporarily unavailable; raise the limit of "
         "processes (ulimit -u)"},
        {{.cause = XF_CAUSE_LOST, .wait_status = 9, .peak_memory = 45U << 20},
         EXTFN_ERUNTIME,
         "function died: signal 9 (SIGKILL), peak memory 45 MiB"},
        {{.cause = XF_CAUSE_EXITED, .wait_status = 7, .is_tmp_full = 1, .peak_memory = 1U << 30},
         EXTFN_ERUNTIME,
         "function killed by signal 7 (SIGBUS): its /tmp of 64 MiB is full"},
        {{.cause = XF_CAUSE_EXITED, .wait_status = 7, .peak_memory = 45U << 20},
         EXTFN_ERUNTIME,
         "function died: signal 7 (SIGBUS), peak memory 45 MiB"},
        {{.cause = XF_CAUSE_EXITED, .wait_status = 11, .is_tmp_full = 1, .peak_memory = 45U << 20},
         EXTFN_ERUNTIME,
         "function died: signal 11 (SIGSEGV), peak memory 45 MiB"},
        {{.cause = XF_CAUSE_FILES}, EXTFN_ERUNTIME, "limit of 4096 files in /tmp reached"},
        {{.cause = XF_CAUSE_RESTLESS},
         EXTFN_ERUNTIME,
         "function went on computing after its result"},
        {{.cause = XF_CAUSE_STOPPED}, EXTFN_ECANCELED, "function was stopped"},
        {{.cause = XF_CAUSE_BROKEN, .os_errno = EPIPE},
         EXTFN_ERUNTIME,
         "the supervisor of the worker failed: Broken pipe"},
        {{.cause = XF_CAUSE_BROKEN, .os_errno = EAGAIN},
         EXTFN_ESANDBOX,
         "sandbox unavailable: start a worker: Resource temporarily unavailable; raise the limit of "
         "processes (ulimit -u)"},
        {{.cause = 1234}, EXTFN_ERUNTIME, "the supervisor of the worker failed: Success"},
    };
    const xf_circumstances circumstances = {
        .language = xf_language_get(EXTFN_PYTHON),
        .interpreter = "/opt/python3",
        .row_limit_us = 2000000,
        .start_limit_us = 30000000,
        .memory_limit = 1U << 30,
        .tmp_bytes = 64U << 20,
        .is_confined = true,
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        extfn_error err = {0};
        assert_int_equal(xf_outcome(&cases[i].report, &circumstances, &err), cases[i].status);
        assert_string_equal(err.message, cases[i].message);
    }
}

static void a_sandbox_that_did_not_start_says_why(void **state)
{
    (void)state;
    static const char text[] = "bwrap: setting up uid map: Permission denied\n";
    const xf_circumstances circumstances = {.language = xf_language_get(EXTFN_R),
                                            .stderr_text = text,
                                            .stderr_size = sizeof(text) - 1};
    const xf_report report = {.cause = XF_CAUSE_NO_SANDBOX};
    extfn_error err = {0};
    assert_int_equal(xf_outcome(&report, &circumstances, &err), EXTFN_ESANDBOX);
    assert_memory_equal(err.message, "sandbox unavailable: ", 21);
    assert_non_null(strstr(err.message, "; "));
}

/* Only what lasts lets anybody do without a sandbox: what may pass has an os_errno. */
static void what_may_pass_is_told_from_what_lasts(void **state)
{
    (void)state;
    static const struct {
        const char *said;
        xf_report report;
        bool may_pass;
    } cases[] = {
        {"bwrap: setting up uid map: Permission denied\n", {.cause = XF_CAUSE_NO_SANDBOX}, false},
        {"", {.cause = XF_CAUSE_NO_SANDBOX, .wait_status = 1 << 8}, true},
        {"", {.cause = XF_CAUSE_NO_SANDBOX, .wait_status = SIGKILL}, true},
        {"bwrap: half a l", {.cause = XF_CAUSE_NO_SANDBOX, .wait_status = SIGKILL}, true},
        {"", {.cause = XF_CAUSE_NO_SANDBOX, .os_errno = ENOENT}, false},
        {"", {.cause = XF_CAUSE_NO_SANDBOX, .os_errno = EACCES}, false},
        {"", {.cause = XF_CAUSE_NO_SANDBOX, .os_errno = ENOMEM}, true},
        {"", {.cause = XF_CAUSE_NO_SANDBOX, .os_errno = ETXTBSY}, true},
        {"", {.cause = XF_CAUSE_NO_UID, .os_errno = EBUSY}, true},
        {"", {.cause = XF_CAUSE_NO_UID, .os_errno = EAGAIN}, true},
        {"", {.cause = XF_CAUSE_BROKEN, .os_errno = EAGAIN}, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const xf_circumstances circumstances = {.language = xf_language_get(EXTFN_R),
                                                .stderr_text = cases[i].said,
                                                .stderr_size = strlen(cases[i].said),
                                                .is_confined = true};
        extfn_error err = {0};
        assert_int_equal(xf_outcome(&cases[i].report, &circumstances, &err), EXTFN_ESANDBOX);
        if ((err.os_errno != 0) != cases[i].may_pass)
            fail_msg("%s", err.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cause_has_its_words),
        cmocka_unit_test(a_sandbox_that_did_not_start_says_why),
        cmocka_unit_test(what_may_pass_is_told_from_what_lasts),
    };
    return cmocka_run_group_tests_name("outcome", tests, NULL, NULL);
}
