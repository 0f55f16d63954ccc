/* Inside of the queue: a job, and a batch that serves one or more of them. SPDX-License-Identifier:
 * MIT */
#ifndef XF_EVAL_JOB_H
#define XF_EVAL_JOB_H

#include "eval/batch.h"

#include <extfn/queue.h>

typedef enum xf_job_state { XF_JOB_WAITING, XF_JOB_RUNNING, XF_JOB_DONE } xf_job_state;

struct extfn_job {
    extfn_job *next; /* in the list that it is in */
    extfn_queue *queue;
    extfn_host *host; /* the queue's */
    xf_job_state state;
    extfn_function *function; /* with a reference */
    extfn_call_options options;
    void *context;
    bool is_columns;
    bool is_canceled;
    xf_question question;                      /* of a call that may share a batch */
    xf_patience patience;                      /* from when it was submitted on */
    int64_t row;                               /* of the batch that it is part of */
    extfn_column *owned[EXTFN_ARGUMENT_LIMIT]; /* the arguments of a call, one row each */
    const extfn_column *columns[EXTFN_ARGUMENT_LIMIT];
    int64_t rows;
    extfn_column *result; /* of a call: one row */
    extfn_status status;
    extfn_error error;
};

/* Jobs in order. Starts as `= {0}`. */
typedef struct xf_jobs {
    extfn_job *first;
    extfn_job *last;
    size_t count;
} xf_jobs;

void xf_jobs_add(xf_jobs *jobs, extfn_job *job);
extfn_job *xf_jobs_take(xf_jobs *jobs); /* the first, or NULL */

/* Moves those that were canceled, or whose deadline is past, to `done`. */
void xf_jobs_give_up(xf_jobs *jobs, xf_jobs *done);

void xf_job_end(extfn_job *job, extfn_status status, const extfn_error *failure);

/* Whether it is a call that may be evaluated together with others. */
bool xf_job_may_share(const extfn_job *job);

/* Ends such a call if the memo knows its value. */
bool xf_job_recall(extfn_job *job);

/* A batch and the jobs that it serves. */
typedef struct xf_run {
    struct xf_run *next;
    extfn_function *function; /* with a reference: its jobs may be given up before it ends */
    xf_jobs jobs;
    extfn_column *owned[EXTFN_ARGUMENT_LIMIT]; /* the arguments of several jobs together */
    const extfn_column *columns[EXTFN_ARGUMENT_LIMIT];
    xf_batch batch;
    extfn_status status;
    extfn_error error;
} xf_run;

/* Takes the first job and those that go with it out of `waiting`, and begins. A run that could not
 * begin has a status. NULL: out of memory, nothing was taken. */
xf_run *xf_run_begin(extfn_host *host, xf_jobs *waiting);

bool xf_run_is_done(const xf_run *run);

/* Jobs that were canceled are done at once, and the run when none is left. */
void xf_run_step(xf_run *run, xf_jobs *done);

/* Gives each job what came of it, adds them to `done`, frees the run. */
void xf_run_end(xf_run *run, xf_jobs *done);

#endif
