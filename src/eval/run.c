/* Jobs through one batch. */
#include "base/alloc.h"
#include "base/auto.h"
#include "base/limits.h"
#include "eval/job.h"
#include "registry/function.h"
#include "value/column.h"

#include <assert.h>

/* Calls that travel together; more would make the first wait for the last. */
#define TOGETHER 4096

/* ---- Which jobs go together ---- */

static bool go_together(const extfn_job *a, const extfn_job *b)
{
    return xf_job_may_share(a) && xf_job_may_share(b) &&
           a->options.timeout_us == b->options.timeout_us &&
           xf_function_is_equal(a->function, b->function);
}

static void choose(xf_run *run, xf_jobs *waiting)
{
    xf_jobs rest = {0};
    for (extfn_job *job = xf_jobs_take(waiting); job; job = xf_jobs_take(waiting)) {
        const extfn_job *first = run->jobs.first;
        bool is_chosen = !first || (run->jobs.count < TOGETHER && go_together(first, job));
        xf_jobs_add(is_chosen ? &run->jobs : &rest, job);
    }
    *waiting = rest;
}

/* ---- The batch ---- */

/* Row i of each column is the argument of job i. */
static extfn_status join_arguments(xf_run *run, const extfn_function *function, size_t arity,
                                   extfn_error *err)
{
    for (size_t i = 0; i < arity; i++) {
        extfn_type type = extfn_function_arg_type(function, i);
        XF_TRY(extfn_column_new(type, &run->owned[i], err));
        run->columns[i] = run->owned[i];
        for (extfn_job *job = run->jobs.first; job; job = job->next)
            XF_TRY(xf_column_join(run->owned[i], job->owned[i], err));
    }
    return EXTFN_OK;
}

static extfn_status begin(xf_run *run, extfn_host *host, extfn_error *err)
{
    const extfn_job *first = run->jobs.first;
    assert(first);
    run->function = extfn_function_ref(first->function);
    xf_arguments arguments = {
        .language = xf_language_get(extfn_function_language(first->function)),
        .columns = first->columns,
        .column_count = extfn_function_arity(first->function),
        .rows = first->rows,
    };
    if (run->jobs.count > 1) {
        XF_TRY(join_arguments(run, first->function, arguments.column_count, err));
        arguments.columns = run->columns;
        arguments.rows = (int64_t)run->jobs.count;
        arguments.are_calls = true;
    }
    return xf_batch_begin(&run->batch, host, run->function, &arguments, &first->options,
                          &first->patience, err);
}

xf_run *xf_run_begin(extfn_host *host, xf_jobs *waiting)
{
    xf_run *run = xf_alloc(sizeof(*run));
    if (!run)
        return NULL;
    choose(run, waiting);
    int64_t row = 0;
    for (extfn_job *job = run->jobs.first; job; job = job->next) {
        job->state = XF_JOB_RUNNING;
        job->row = row++;
    }
    run->status = begin(run, host, &run->error);
    return run;
}

bool xf_run_is_done(const xf_run *run)
{
    return run->status != EXTFN_OK || xf_batch_is_done(&run->batch);
}

/* The arguments of one that has the batch for itself are the batch's: it stays until the end. */
void xf_run_step(xf_run *run, xf_jobs *done)
{
    if (run->jobs.count > 1)
        xf_jobs_give_up(&run->jobs, done);
    const extfn_job *first = run->jobs.first;
    bool is_wanted = first && (run->jobs.count > 1 || !first->is_canceled);
    run->status =
        is_wanted ? xf_batch_step(&run->batch, false, &run->error) : xf_fail_canceled(&run->error);
}

/* ---- What comes of it ---- */

/* The value or the error of one row as a column of its own. */
static extfn_status take_row(const extfn_column *result, int64_t row, extfn_column **ret_column,
                             extfn_error *err)
{
    XF_TRY(extfn_column_new(result->type, ret_column, err));
    const xf_column_error *failure = xf_column_error_at(result, row);
    if (failure)
        return xf_fail(err, failure->status, "%s", failure->message);
    const extfn_value value = xf_column_view(result, row);
    return extfn_column_append(*ret_column, &value, err);
}

/* A job that had the batch for itself was its question. */
static void tell(extfn_job *job, const xf_run *run, const extfn_column *result)
{
    if (run->batch.arguments.rows > 1 && !job->is_columns && !job->is_canceled)
        xf_recall_tell(run->batch.host, &job->question, run->batch.has_printed ? NULL : result,
                       job->row, run->batch.is_unsandboxed, &run->batch.stamp);
}

static void settle(extfn_job *job, const xf_run *run, extfn_column **result)
{
    extfn_error failure = run->error;
    extfn_status status = run->status;
    if (job->is_canceled) {
        status = xf_fail_canceled(&failure);
    } else if (status == EXTFN_OK && job->is_columns) {
        job->result = XF_STEAL(*result);
    } else if (status == EXTFN_OK) {
        assert(*result);
        tell(job, run, *result);
        status = take_row(*result, job->row, &job->result, &failure);
    }
    xf_job_end(job, status, &failure);
}

void xf_run_end(xf_run *run, xf_jobs *done)
{
    extfn_column *result = NULL;
    if (run->batch.executor)
        xf_batch_end(&run->batch, run->status == EXTFN_OK ? NULL : &run->error, &result);
    for (extfn_job *job = xf_jobs_take(&run->jobs); job; job = xf_jobs_take(&run->jobs)) {
        settle(job, run, &result);
        xf_jobs_add(done, job);
    }
    extfn_function_unref(run->function);
    extfn_column_free(result);
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++)
        extfn_column_free(run->owned[i]);
    xf_free(run);
}
