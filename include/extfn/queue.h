/* Calls that go on while the host does something else: submit, poll one descriptor, step, collect.
 * SPDX-License-Identifier: MIT */
#ifndef EXTFN_QUEUE_H
#define EXTFN_QUEUE_H

#include <extfn/host.h>

EXTFN_BEGIN

/* Belongs to one thread at a time; starts no thread and never waits, but for the milliseconds in
 * which a worker that has to be ended ends. */
typedef struct extfn_queue extfn_queue;

/* One call or batch that was submitted. */
typedef struct extfn_job extfn_job;

/* The host object must outlive the queue. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_queue_new(extfn_host *host,
                                                        EXTFN_OWN extfn_queue **ret_queue,
                                                        extfn_error *err);

/* Ends what is under way; jobs become invalid. */
EXTFN_API void extfn_queue_free(extfn_queue *queue);

/* A descriptor that is readable whenever a step has something to do. It stays the queue's: poll it,
 * and nothing else. */
EXTFN_API int extfn_queue_descriptor(const extfn_queue *queue);

/* Checks as extfn_host_eval does, and fails at once for what it finds; then the call is the
 * queue's: the arguments are copied, of the options, which may be NULL, what `output`, `receipt`
 * and `cancel` point to stays borrowed until the job is done; its deadline counts from now on.
 * Calls of one pure function that wait together are evaluated together, unless they have a
 * deadline, an output, a receipt, a cancel object or callbacks of their own; one of these whose
 * value the host object knows (memo_bytes) is done at once. With memo_bytes this, and a step too,
 * now and then looks whether files have changed, and takes as long as extfn_host_eval tells.
 * `context` is the caller's. The job is owned by the queue until a step returns it, by the caller
 * from then on. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_queue_submit(
    extfn_queue *queue, extfn_function *function, const extfn_value *args, size_t arg_count,
    const extfn_call_options *options, void *context, extfn_job **ret_job, extfn_error *err);

/* The same for extfn_host_apply: the columns stay borrowed, unchanged, until the job is done. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_queue_submit_columns(
    extfn_queue *queue, extfn_function *function, const extfn_column *const *columns,
    size_t column_count, int64_t rows, const extfn_call_options *options, void *context,
    extfn_job **ret_job, extfn_error *err);

/* Does what can be done now, and returns a job that is done, or NULL: poll the descriptor then. */
EXTFN_API EXTFN_OWN extfn_job *extfn_queue_step(extfn_queue *queue);

/* How many jobs the queue holds: those that no step has returned. */
EXTFN_API size_t extfn_queue_count(const extfn_queue *queue);

/* The job is done with EXTFN_ECANCELED, if it was not done before; a step returns it. */
EXTFN_API void extfn_job_cancel(extfn_job *job);
EXTFN_API void *extfn_job_context(const extfn_job *job);

/* Once, of a job that a step has returned: its value or why there is none, as extfn_host_eval tells
 * it; EXTFN_EINVAL for a batch. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_job_take_value(extfn_job *job, extfn_value *ret_value,
                                                             extfn_error *err);

/* The same for a batch. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_job_take_column(extfn_job *job,
                                                              EXTFN_OWN extfn_column **ret_column,
                                                              extfn_error *err);

/* Of a job that a step has returned; NULL is allowed. */
EXTFN_API void extfn_job_free(extfn_job *job);

EXTFN_END

#endif
