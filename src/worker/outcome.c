#include "worker/outcome.h"

#include "base/limits.h"
#include "base/text.h"
#include "sandbox/find.h"
#include "sandbox/limits.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* Dead by itself: with nearly all of its memory in use that was the cause, else told as it was. */
static extfn_status died(const xf_report *report, const xf_circumstances *circumstances,
                         extfn_error *err)
{
    int status = report->wait_status;
    if (WIFEXITED(status)) {
        return xf_fail(err, EXTFN_ERUNTIME, "function ended its process with exit status %d",
                       WEXITSTATUS(status));
    }
    if (WTERMSIG(status) == SIGSYS) { /* sent by the first filter */
        return xf_fail(err, EXTFN_ERUNTIME,
                       "function killed by signal %d (SIGSYS): a forbidden system call", SIGSYS);
    }
    if (WTERMSIG(status) == SIGXFSZ) {
        return xf_fail(err, EXTFN_ERUNTIME,
                       "function killed by signal %d (SIGXFSZ): a file larger than its limit",
                       SIGXFSZ);
    }
    char size[XF_NUMBER_SIZE];
    if (WTERMSIG(status) == SIGBUS && report->is_tmp_full) { /* a file mapped there has no block */
        (void)xf_size_write(circumstances->tmp_bytes, size);
        return xf_fail(err, EXTFN_ERUNTIME,
                       "function killed by signal %d (SIGBUS): its /tmp of %s is full", SIGBUS,
                       size);
    }
    if (report->peak_memory >= circumstances->memory_limit / 10 * 9)
        return xf_fail_memory(err, circumstances->memory_limit);
    (void)xf_size_write(report->peak_memory, size);
    const char *name = sigabbrev_np(WTERMSIG(status));
    return xf_fail(err, EXTFN_ERUNTIME, "function died: signal %d (SIG%s), peak memory %s",
                   WTERMSIG(status), name ? name : "?", size);
}

static extfn_status no_interpreter(const xf_report *report, const xf_circumstances *circumstances,
                                   extfn_error *err)
{
    char why[128];
    const char *text = strerror_r(report->os_errno, why, sizeof(why));
    char reason[512];
    (void)snprintf(reason, sizeof(reason), "'%s' cannot be executed: %s",
                   circumstances->interpreter, text);
    return xf_language_unavailable(circumstances->language, reason,
                                   "install it where every user may read it", err);
}

static extfn_status no_process(extfn_error *err)
{
    extfn_error failure = {0};
    (void)xf_fail_os(&failure, EAGAIN, "start a worker");
    return xf_sandbox_shortage(&failure, err);
}

/* EAGAIN: it could not even start what it needs beside the worker. */
static extfn_status broken(const xf_report *report, const xf_circumstances *circumstances,
                           extfn_error *err)
{
    if (report->os_errno == EAGAIN && circumstances->is_confined)
        return no_process(err);
    char why[128];
    return xf_fail(err, EXTFN_ERUNTIME, "the supervisor of the worker failed: %s",
                   strerror_r(report->os_errno, why, sizeof(why)));
}

/* It may be otherwise the next time, so nobody does without a sandbox for it. */
static extfn_status mark_passing(extfn_status status, int os_errno, extfn_error *err)
{
    if (err)
        err->os_errno = os_errno;
    return status;
}

/* What does not change by itself; anything else may be a shortage. */
static bool is_lasting(int os_errno)
{
    return os_errno == ENOENT || os_errno == EACCES || os_errno == ENOEXEC || os_errno == ENOTDIR ||
           os_errno == ELOOP;
}

static extfn_status no_sandbox(const xf_report *report, const xf_circumstances *circumstances,
                               extfn_error *err)
{
    if (report->os_errno != 0) {
        char why[128];
        extfn_status status = xf_fail(err, EXTFN_ESANDBOX,
                                      "sandbox unavailable: bubblewrap cannot be executed (%s); "
                                      "install the package bubblewrap again",
                                      strerror_r(report->os_errno, why, sizeof(why)));
        return is_lasting(report->os_errno) ? status : mark_passing(status, report->os_errno, err);
    }
    if (WIFSIGNALED(report->wait_status))
        return xf_sandbox_killed(WTERMSIG(report->wait_status), err);
    return xf_sandbox_reason(circumstances->stderr_text, circumstances->stderr_size, err);
}

static extfn_status no_uid(const xf_report *report, extfn_error *err)
{
    if (report->os_errno == EAGAIN)
        return no_process(err);
    char why[128];
    extfn_status status =
        xf_fail(err, EXTFN_ESANDBOX,
                "sandbox unavailable: no free user id for it (%s); widen the range of user ids or "
                "end other workers",
                strerror_r(report->os_errno, why, sizeof(why)));
    return mark_passing(status, report->os_errno, err);
}

extfn_status xf_outcome(const xf_report *report, const xf_circumstances *circumstances,
                        extfn_error *err)
{
    switch (report->cause) {
    case XF_CAUSE_EXITED:
    case XF_CAUSE_LOST:
        return died(report, circumstances, err);
    case XF_CAUSE_MEMORY:
        return xf_fail_memory(err, circumstances->memory_limit);
    case XF_CAUSE_FILES:
        return xf_fail(err, EXTFN_ERUNTIME, "limit of %u files in /tmp reached", XF_TMP_FILES);
    case XF_CAUSE_ROW_TIMEOUT:
        return xf_fail_timeout(err, circumstances->row_limit_us);
    case XF_CAUSE_START_TIMEOUT:
        return xf_fail_start_timeout(err, circumstances->start_limit_us);
    case XF_CAUSE_NO_SANDBOX:
        return no_sandbox(report, circumstances, err);
    case XF_CAUSE_NO_INTERPRETER:
        return no_interpreter(report, circumstances, err);
    case XF_CAUSE_NO_UID:
        return no_uid(report, err);
    case XF_CAUSE_IDLE: /* not told to anybody: the call is made again */
    case XF_CAUSE_RESTLESS:
        return xf_fail(err, EXTFN_ERUNTIME, "function went on computing after its result");
    case XF_CAUSE_STOPPED:
        return xf_fail(err, EXTFN_ECANCELED, "function was stopped");
    default:
        return broken(report, circumstances, err);
    }
}
