#include "eval/job.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/limits.h"

#include <poll.h>

/* ---- Lists ---- */

void xf_jobs_add(xf_jobs *jobs, extfn_job *job)
{
    job->next = NULL;
    if (jobs->last)
        jobs->last->next = job;
    else
        jobs->first = job;
    jobs->last = job;
    jobs->count++;
}

extfn_job *xf_jobs_take(xf_jobs *jobs)
{
    extfn_job *job = jobs->first;
    if (!job)
        return NULL;
    jobs->first = job->next;
    if (!jobs->first)
        jobs->last = NULL;
    jobs->count--;
    job->next = NULL;
    return job;
}

/* ---- Ends ---- */

void xf_job_end(extfn_job *job, extfn_status status, const extfn_error *failure)
{
    job->state = XF_JOB_DONE;
    job->status = status;
    job->error = *failure;
}

static bool is_canceled(const extfn_job *job)
{
    struct pollfd cancel = {.fd = job->patience.cancel_fd, .events = POLLIN};
    return job->is_canceled || (cancel.fd >= 0 && poll(&cancel, 1, 0) == 1);
}

static extfn_status why_over(const extfn_job *job, int64_t now_us, extfn_error *err)
{
    if (is_canceled(job))
        return xf_fail_canceled(err);
    if (job->patience.until_us >= 0 && now_us >= job->patience.until_us)
        return xf_fail_timeout(err, job->options.deadline_us);
    return EXTFN_OK;
}

void xf_jobs_give_up(xf_jobs *jobs, xf_jobs *done)
{
    int64_t now_us = xf_clock_now();
    xf_jobs rest = {0};
    for (extfn_job *job = xf_jobs_take(jobs); job; job = xf_jobs_take(jobs)) {
        extfn_error failure = {0};
        extfn_status status = why_over(job, now_us, &failure);
        if (status != EXTFN_OK)
            xf_job_end(job, status, &failure);
        xf_jobs_add(status != EXTFN_OK ? done : &rest, job);
    }
    *jobs = rest;
}

bool xf_job_may_share(const extfn_job *job)
{
    return !job->is_columns && extfn_function_is_pure(job->function) && !job->options.output &&
           !job->options.cancel && job->options.deadline_us == 0 && !job->options.on_progress &&
           !job->options.on_failure && !job->options.receipt;
}

/* ---- The memo ---- */

bool xf_job_recall(extfn_job *job)
{
    extfn_host *host = job->host;
    extfn_column *result = NULL;
    if (!xf_job_may_share(job) || !xf_may_recall(host, job->function) ||
        extfn_column_new(extfn_function_return_type(job->function), &result, NULL) != EXTFN_OK)
        return false;
    const xf_arguments arguments = {
        .language = xf_language_get(extfn_function_language(job->function)),
        .columns = job->columns,
        .column_count = extfn_function_arity(job->function),
        .rows = 1,
    };
    int64_t limit_us =
        job->options.timeout_us > 0 ? job->options.timeout_us : host->options.timeout_us;
    bool is_unsandboxed = false; /* of interest to nobody: it has no output */
    if (!xf_recall(host, job->function, &arguments, limit_us, &job->question, result,
                   &is_unsandboxed)) {
        extfn_column_free(result);
        return false;
    }
    job->result = result;
    xf_job_end(job, EXTFN_OK, &(extfn_error){0});
    return true;
}

/* ---- For the caller ---- */

void *extfn_job_context(const extfn_job *job)
{
    return job->context;
}

static extfn_status take(const extfn_job *job, bool is_columns, extfn_error *err)
{
    if (job->state != XF_JOB_DONE)
        return xf_fail(err, EXTFN_EINVAL, "the job is not done");
    if (job->is_columns != is_columns) {
        return xf_fail(err, EXTFN_EINVAL,
                       is_columns ? "the job is a call, not a batch"
                                  : "the job is a batch, not a call");
    }
    if (job->status != EXTFN_OK) {
        if (err)
            *err = job->error;
        return job->status;
    }
    return job->result ? EXTFN_OK : xf_fail(err, EXTFN_EINVAL, "the result was taken already");
}

extfn_status extfn_job_take_value(extfn_job *job, extfn_value *ret_value, extfn_error *err)
{
    XF_TRY(take(job, false, err));
    XF_TRY(extfn_column_get(job->result, 0, ret_value, err));
    extfn_column_free(XF_STEAL(job->result));
    return EXTFN_OK;
}

extfn_status extfn_job_take_column(extfn_job *job, extfn_column **ret_column, extfn_error *err)
{
    XF_TRY(take(job, true, err));
    *ret_column = XF_STEAL(job->result);
    return EXTFN_OK;
}

void extfn_job_free(extfn_job *job)
{
    if (!job)
        return;
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++)
        extfn_column_free(job->owned[i]);
    extfn_column_free(job->result);
    xf_question_clear(&job->question);
    extfn_function_unref(job->function);
    xf_free(job);
}
