#include "base/alloc.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/limits.h"
#include "eval/check.h"
#include "eval/job.h"
#include "eval/options.h"
#include "value/column.h"

#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct extfn_queue {
    extfn_host *host;
    xf_jobs waiting;
    xf_jobs done;
    xf_run *runs;
    size_t run_count;
    int epoll;
    int due; /* readable when there is something to do at once */
    bool is_due;
    int timer;
    int64_t timer_us; /* what it is set to; -1: off */
    xf_watch watched; /* what the epoll descriptor has */
};

/* ---- The descriptor ---- */

static extfn_status epoll_add(const extfn_queue *queue, int fd, extfn_error *err)
{
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = fd}};
    if (epoll_ctl(queue->epoll, EPOLL_CTL_ADD, fd, &event) != 0 && errno != EEXIST)
        return xf_fail_os(err, errno, "watch a descriptor");
    return EXTFN_OK;
}

static void set_due(extfn_queue *queue, bool is_due)
{
    if (is_due == queue->is_due)
        return;
    uint64_t count = 1;
    ssize_t size =
        is_due ? write(queue->due, &count, sizeof(count)) : read(queue->due, &count, sizeof(count));
    if (size == (ssize_t)sizeof(count))
        queue->is_due = is_due;
}

/* 0: at once, which a timer could tell too, for ten times the price. -1: not by itself. */
static void set_timer(extfn_queue *queue, int64_t until_us)
{
    set_due(queue, until_us == 0);
    if (until_us == 0 || until_us == queue->timer_us)
        return;
    queue->timer_us = until_us;
    struct itimerspec time = {
        .it_value = {.tv_sec = until_us / 1000000, .tv_nsec = until_us % 1000000 * 1000}};
    if (until_us < 0)
        time = (struct itimerspec){0};
    (void)timerfd_settime(queue->timer, TFD_TIMER_ABSTIME, &time, NULL);
}

static bool contains(const xf_watch *watch, xf_watched item)
{
    for (size_t i = 0; i < watch->count; i++) {
        if (watch->items[i].fd == item.fd && watch->items[i].owner == item.owner)
            return true;
    }
    return false;
}

/* What is not watched any longer may be closed, and its number another's, which is added next. */
static extfn_status change_watched(extfn_queue *queue, xf_watch *wanted, extfn_error *err)
{
    for (size_t i = 0; i < queue->watched.count; i++) {
        if (!contains(wanted, queue->watched.items[i]))
            (void)epoll_ctl(queue->epoll, EPOLL_CTL_DEL, queue->watched.items[i].fd, NULL);
    }
    extfn_status status = EXTFN_OK;
    for (size_t i = 0; i < wanted->count && status == EXTFN_OK; i++) {
        if (!contains(&queue->watched, wanted->items[i]))
            status = epoll_add(queue, wanted->items[i].fd, err);
    }
    xf_free(queue->watched.items);
    queue->watched = *wanted;
    *wanted = (xf_watch){0};
    return status;
}

/* Its deadline and its cancel object count already. */
static extfn_status watch_waiting(const extfn_job *job, xf_watch *wanted)
{
    wanted->until_us = xf_clock_earlier(wanted->until_us, job->patience.until_us);
    if (job->patience.cancel_fd < 0)
        return EXTFN_OK;
    return xf_watch_add(wanted, (xf_watched){.fd = job->patience.cancel_fd}, NULL);
}

/* Without memory for that, it is looked again at once. */
static void watch(extfn_queue *queue)
{
    xf_watch wanted = {.until_us = queue->done.first ? 0 : -1};
    extfn_status status = EXTFN_OK;
    for (const extfn_job *job = queue->waiting.first; job && status == EXTFN_OK; job = job->next)
        status = watch_waiting(job, &wanted);
    for (const xf_run *run = queue->runs; run && status == EXTFN_OK; run = run->next) {
        if (xf_run_is_done(run)) /* it could not begin: there is nothing to watch */
            wanted.until_us = 0;
        else
            status = run->batch.executor->watch(&run->batch, &wanted, NULL);
    }
    int64_t until_us = wanted.until_us;
    if (status == EXTFN_OK)
        status = change_watched(queue, &wanted, NULL);
    xf_free(wanted.items);
    set_timer(queue, status == EXTFN_OK ? until_us : 0);
}

/* ---- Making and freeing ---- */

static extfn_status open_descriptors(extfn_queue *queue, extfn_error *err)
{
    queue->epoll = epoll_create1(EPOLL_CLOEXEC);
    queue->due = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    queue->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (queue->epoll < 0 || queue->due < 0 || queue->timer < 0)
        return xf_fail_os(err, errno, "open a queue");
    XF_TRY(epoll_add(queue, queue->due, err));
    return epoll_add(queue, queue->timer, err);
}

extfn_status extfn_queue_new(extfn_host *host, extfn_queue **ret_queue, extfn_error *err)
{
    XF_TRY(xf_host_check_owner(host, err));
    extfn_queue *queue = xf_alloc(sizeof(*queue));
    if (!queue)
        return xf_fail_oom(err);
    *queue = (extfn_queue){.host = host, .epoll = -1, .due = -1, .timer = -1, .timer_us = -1};
    extfn_status status = open_descriptors(queue, err);
    if (status != EXTFN_OK) {
        extfn_queue_free(queue);
        return status;
    }
    *ret_queue = queue;
    return EXTFN_OK;
}

static void free_jobs(xf_jobs *jobs)
{
    for (extfn_job *job = xf_jobs_take(jobs); job; job = xf_jobs_take(jobs))
        extfn_job_free(job);
}

void extfn_queue_free(extfn_queue *queue)
{
    if (!queue)
        return;
    while (queue->runs) {
        xf_run *run = queue->runs;
        queue->runs = run->next;
        if (run->status == EXTFN_OK)
            run->status = xf_fail_canceled(&run->error);
        xf_run_end(run, &queue->done);
    }
    free_jobs(&queue->waiting);
    free_jobs(&queue->done);
    xf_free(queue->watched.items);
    if (queue->epoll >= 0)
        (void)close(queue->epoll);
    if (queue->due >= 0)
        (void)close(queue->due);
    if (queue->timer >= 0)
        (void)close(queue->timer);
    xf_free(queue);
}

int extfn_queue_descriptor(const extfn_queue *queue)
{
    return queue->epoll;
}

size_t extfn_queue_count(const extfn_queue *queue)
{
    size_t count = queue->waiting.count + queue->done.count;
    for (const xf_run *run = queue->runs; run; run = run->next)
        count += run->jobs.count;
    return count;
}

/* ---- Submitting ---- */

static extfn_status new_job(extfn_queue *queue, extfn_function *function,
                            const extfn_call_options *options, void *context, extfn_job **ret_job,
                            extfn_error *err)
{
    XF_TRY(xf_host_check_owner(queue->host, err));
    extfn_call_options known;
    XF_TRY(xf_call_options_read(options, &known, err));
    extfn_job *job = xf_alloc(sizeof(*job));
    if (!job)
        return xf_fail_oom(err);
    *job = (extfn_job){.queue = queue,
                       .host = queue->host,
                       .function = extfn_function_ref(function),
                       .options = known,
                       .patience = xf_patience_of(&known),
                       .context = context,
                       .rows = 1};
    *ret_job = job;
    return EXTFN_OK;
}

static extfn_job *hand_in(extfn_queue *queue, extfn_job *job)
{
    xf_jobs_add(xf_job_recall(job) ? &queue->done : &queue->waiting, job);
    set_timer(queue, 0);
    return job;
}

/* Columns of one row. */
static extfn_status copy_arguments(extfn_job *job, const extfn_value *args, size_t count,
                                   extfn_error *err)
{
    for (size_t i = 0; i < count; i++) {
        XF_TRY(extfn_column_new(args[i].type, &job->owned[i], err));
        job->columns[i] = job->owned[i];
        extfn_status status = extfn_column_append(job->owned[i], &args[i], err);
        if (status != EXTFN_OK)
            return xf_fail_context(err, status, "argument %zu", i);
    }
    return EXTFN_OK;
}

/* NOLINTNEXTLINE(readability-function-size): its parameters are public */
extfn_status extfn_queue_submit(extfn_queue *queue, extfn_function *function,
                                const extfn_value *args, size_t arg_count,
                                const extfn_call_options *options, void *context,
                                extfn_job **ret_job, extfn_error *err)
{
    XF_TRY(xf_check_values(function, args, arg_count, err));
    extfn_job *job = NULL;
    XF_TRY(new_job(queue, function, options, context, &job, err));
    assert(job);
    extfn_status status = copy_arguments(job, args, arg_count, err);
    if (status != EXTFN_OK) {
        extfn_job_free(job);
        return status;
    }
    *ret_job = hand_in(queue, job);
    return EXTFN_OK;
}

/* NOLINTNEXTLINE(readability-function-size): its parameters are public */
extfn_status extfn_queue_submit_columns(extfn_queue *queue, extfn_function *function,
                                        const extfn_column *const *columns, size_t column_count,
                                        int64_t rows, const extfn_call_options *options,
                                        void *context, extfn_job **ret_job, extfn_error *err)
{
    XF_TRY(xf_check_columns(function, columns, column_count, rows, err));
    extfn_job *job = NULL;
    XF_TRY(new_job(queue, function, options, context, &job, err));
    assert(job);
    job->is_columns = true;
    job->rows = rows;
    for (size_t i = 0; i < column_count; i++)
        job->columns[i] = columns[i];
    *ret_job = hand_in(queue, job);
    return EXTFN_OK;
}

/* ---- Stepping ---- */

static void step_runs(extfn_queue *queue)
{
    for (xf_run **slot = &queue->runs; *slot;) {
        xf_run *run = *slot;
        if (!xf_run_is_done(run))
            xf_run_step(run, &queue->done);
        if (!xf_run_is_done(run)) {
            slot = &run->next;
            continue;
        }
        *slot = run->next;
        queue->run_count--;
        xf_run_end(run, &queue->done);
    }
}

static void begin_runs(extfn_queue *queue)
{
    xf_jobs_give_up(&queue->waiting, &queue->done);
    while (queue->waiting.first && queue->run_count < queue->host->options.workers) {
        xf_run *run = xf_run_begin(queue->host, &queue->waiting);
        if (!run) /* what runs gives memory back */
            break;
        run->next = queue->runs;
        queue->runs = run;
        queue->run_count++;
    }
}

extfn_job *extfn_queue_step(extfn_queue *queue)
{
    step_runs(queue);
    begin_runs(queue);
    extfn_job *job = xf_jobs_take(&queue->done);
    watch(queue);
    if (queue->waiting.first && queue->run_count == 0)
        set_timer(queue, 0);
    return job;
}

/* ---- Jobs ---- */

void extfn_job_cancel(extfn_job *job)
{
    if (job->state == XF_JOB_DONE)
        return;
    job->is_canceled = true;
    set_timer(job->queue, 0);
}
