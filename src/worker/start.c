#include "worker/worker.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "base/clock.h"
#include "os/end.h"
#include "os/fd.h"
#include "os/spawn.h"
#include "sandbox/find.h"
#include "sandbox/programs.h"
#include "sandbox/proof.h"
#include "worker/supervisor.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* How long one outside of a sandbox may take to end by itself: the R driver removes its temporary
 * directory, which lies in the host's /tmp. */
#define QUIT_LIMIT_US 300000

#define SUPERVISOR_FD_LIMIT (XF_FD_DATA + XF_PLAN_FILE_LIMIT + 1)

/* Descriptors that only the supervisor needs: closed here once it has them. */
typedef struct lent {
    int fds[SUPERVISOR_FD_LIMIT];
    size_t count;
} lent;

static void lent_close(lent *loan)
{
    for (size_t i = 0; i < loan->count; i++)
        (void)close(loan->fds[i]);
    loan->count = 0;
}

/* A pipe of which the supervisor gets one end. */
static extfn_status lend_pipe(lent *loan, bool is_read_lent, int *ret_kept, int *ret_lent,
                              extfn_error *err)
{
    int ends[2];
    XF_TRY(xf_pipe_open(&ends[0], &ends[1], err));
    *ret_lent = ends[is_read_lent ? 0 : 1];
    *ret_kept = ends[is_read_lent ? 1 : 0];
    loan->fds[loan->count++] = *ret_lent;
    return EXTFN_OK;
}

static extfn_status lend_bytes(lent *loan, const char *name, const void *data, size_t size,
                               int *ret_fd, extfn_error *err)
{
    XF_TRY(xf_memfd_with(name, data, size, ret_fd, err));
    loan->fds[loan->count++] = *ret_fd;
    return EXTFN_OK;
}

static extfn_status open_pipes(xf_worker *worker, lent *loan, int *fds, extfn_error *err)
{
    int empty = -1;
    XF_TRY(lend_pipe(loan, true, &empty, &fds[XF_FD_STDIN], err));
    (void)close(empty);
    XF_TRY(lend_pipe(loan, false, &worker->out.fd, &fds[XF_FD_STDOUT], err));
    XF_TRY(lend_pipe(loan, false, &worker->err.fd, &fds[XF_FD_STDERR], err));
    XF_TRY(xf_pipe_open(&worker->request_keep, &worker->request_pipe, err));
    fds[XF_FD_REQUEST_PIPE] = worker->request_keep;
    XF_TRY(lend_pipe(loan, false, &worker->reply_pipe, &fds[XF_FD_REPLY_PIPE], err));
    XF_TRY(lend_pipe(loan, false, &worker->report_pipe, &fds[XF_FD_REPORT], err));
    XF_TRY(xf_pipe_open(&worker->lifeline_keep, &worker->lifeline, err));
    fds[XF_FD_LIFELINE] = worker->lifeline_keep;
    fds[XF_FD_REPLY_PEEK] = worker->reply_pipe;
    const int polled[] = {worker->out.fd, worker->err.fd, worker->reply_pipe, worker->report_pipe,
                          worker->lifeline};
    for (size_t i = 0; i < sizeof(polled) / sizeof(polled[0]); i++)
        XF_TRY(xf_fd_set_nonblocking(polled[i], err));
    return EXTFN_OK;
}

static extfn_status open_files(const xf_launch *launch, lent *loan, int *fds, extfn_error *err)
{
    XF_TRY(xf_pidfd_open_self(&fds[XF_FD_HOST_PIDFD], err));
    loan->fds[loan->count++] = fds[XF_FD_HOST_PIDFD];
    XF_TRY(lend_bytes(loan, "extfn-plan", launch->bytes.data, launch->bytes.size, &fds[XF_FD_PLAN],
                      err));
    for (size_t i = 0; i < launch->file_count; i++)
        XF_TRY(lend_bytes(loan, "extfn-file", launch->files[i].data, launch->files[i].size,
                          &fds[XF_FD_DATA + i], err));
    return EXTFN_OK;
}

/* The program itself is the descriptor after the plan's files; the supervisor closes it first of
 * all. */
static extfn_status spawn_supervisor(xf_worker *worker, lent *loan, int *fds, size_t fd_count,
                                     extfn_error *err)
{
    XF_TRY(lend_bytes(loan, "extfn-supervise", xf_program_supervise, xf_program_supervise_size,
                      &fds[fd_count], err));
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%zu", fd_count);
    char name[] = "extfn-supervise";
    char *const argv[] = {name, NULL};
    char *const env[] = {NULL};
    extfn_error failure = {0};
    extfn_status status =
        xf_spawn(path, argv, env, fds, fd_count + 1, &worker->supervisor, &failure);
    if (status == EXTFN_OK)
        return EXTFN_OK;
    if (failure.os_errno == ENOENT)
        return xf_fail(err, EXTFN_ESANDBOX, "sandbox unavailable: /proc is not there; mount it");
    if (failure.os_errno == 0)
        return xf_fail(err, status, "%s", failure.message);
    return xf_fail_os(err, failure.os_errno, "start a worker's supervisor");
}

static extfn_status start(xf_worker *worker, const xf_launch *launch, lent *loan, extfn_error *err)
{
    int fds[SUPERVISOR_FD_LIMIT];
    XF_TRY(xf_maps_open(&worker->maps, err));
    XF_TRY(open_pipes(worker, loan, fds, err));
    XF_TRY(open_files(launch, loan, fds, err));
    fds[XF_FD_REQUEST_MAP] = worker->maps.request_fd;
    fds[XF_FD_REPLY_MAP] = worker->maps.reply_fd;
    XF_TRY(spawn_supervisor(worker, loan, fds, XF_FD_DATA + launch->file_count, err));
    return xf_child_hold(worker->supervisor, &worker->supervisor_fd, err);
}

static extfn_status explain(const xf_policy *policy, const extfn_error *failure, extfn_error *err)
{
    if (policy->confinement == XF_CONFINED)
        return xf_sandbox_shortage(failure, err);
    if (err)
        *err = *failure;
    return failure->status;
}

extfn_status xf_worker_start(const xf_policy *policy, const xf_launch *launch,
                             xf_worker **ret_worker, extfn_error *err)
{
    xf_worker *worker = xf_alloc(sizeof(*worker));
    if (!worker)
        return xf_fail_oom(err);
    *worker = (xf_worker){
        .maps = XF_MAPS_CLOSED,
        .out.fd = -1,
        .err.fd = -1,
        .request_pipe = -1,
        .request_keep = -1,
        .reply_pipe = -1,
        .report_pipe = -1,
        .lifeline = -1,
        .lifeline_keep = -1,
        .supervisor_fd = -1,
        .confinement = policy->confinement,
        .promised = xf_proof_promise(policy),
        .started_us = xf_clock_now(),
        .limit_us = (int64_t)policy->start_timeout_us,
        .memory = launch->memory,
    };
    lent loan = {.count = 0};
    extfn_error failure = {0};
    extfn_status status = start(worker, launch, &loan, &failure);
    lent_close(&loan);
    xf_maps_close_fds(&worker->maps);
    if (status != EXTFN_OK) {
        xf_worker_abandon(worker);
        return explain(policy, &failure, err);
    }
    *ret_worker = worker;
    return EXTFN_OK;
}

void xf_worker_abandon(xf_worker *worker)
{
    if (!worker)
        return;
    const int fds[] = {worker->request_pipe, worker->request_keep, worker->reply_pipe,
                       worker->report_pipe,  worker->lifeline,     worker->lifeline_keep,
                       worker->supervisor_fd};
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        if (fds[i] >= 0)
            (void)close(fds[i]);
    }
    xf_capture_close(&worker->out);
    xf_capture_close(&worker->err);
    xf_maps_close(&worker->maps);
    xf_free(worker);
}

static bool may_quit(const xf_worker *worker)
{
    xf_state state = worker->exchange.state;
    bool is_waiting = state == XF_STATE_IDLE || state == XF_STATE_STARTING || worker->failure != 0;
    return worker->confinement != XF_CONFINED && worker->fault.status == EXTFN_OK && is_waiting;
}

/* A driver that finds its pipe closed ends. */
static void let_quit(xf_worker *worker)
{
    int64_t until = xf_clock_now() + QUIT_LIMIT_US;
    (void)close(worker->request_pipe);
    worker->request_pipe = -1;
    while (xf_worker_step(worker, until, -1) == XF_EVENT_FLOODED && xf_clock_now() < until) {
    }
}

/* At the latest until nothing more is expected of supervisors that do not answer. */
static void stop_and_wait(xf_worker *worker)
{
    xf_worker_stop(worker);
    xf_event event = XF_EVENT_NONE;
    while (event != XF_EVENT_ENDED && worker->answer_us > 0) {
        event = xf_worker_step(worker, worker->answer_us, -1);
        if (event == XF_EVENT_NONE)
            xf_worker_look(worker, xf_clock_now());
    }
}

bool xf_worker_free(xf_worker *worker)
{
    if (worker->report_size < sizeof(worker->report) && may_quit(worker))
        let_quit(worker);
    if (worker->report_size < sizeof(worker->report))
        stop_and_wait(worker);
    bool is_proven = worker->report_size == sizeof(worker->report);
    int64_t left_us = worker->answer_us - xf_clock_now(); /* of the time that began with the stop */
    xf_child_end(worker->supervisor, worker->supervisor_fd, left_us > 0 ? left_us : 0);
    xf_worker_abandon(worker);
    return is_proven;
}
