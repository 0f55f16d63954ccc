/* Waiting for a call without the lock of the interpreter. Python hears of signals, Ctrl-C among
 * them, in the main thread alone, and only when that asks. So the main thread does not wait inside
 * of the library: it polls a queue, which a signal wakes. What no queue can do, WebAssembly, which
 * runs in the thread that calls, and measures, another thread does for it. All other threads just
 * call. SPDX-License-Identifier: MIT */
#include "module.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* How often signals that another thread received are looked for. */
#define LOOK_MS 50

/* One call in WebAssembly gets so long before it is begun again in another thread, which takes ten
 * times as long to start as most calls take. It can tell no difference: it sees nothing but its
 * arguments. */
#define SHORT_CALL_US 20000

static bool is_main_thread(void)
{
    return getpid() == gettid();
}

static void evaluate(extfn_host *host, py_request *request)
{
    if (request->is_refresh) {
        request->status = extfn_refresh(host, request->function, request->measures, request->count,
                                        &request->options, &request->cells, &request->error);
    } else if (request->is_batch) {
        request->status =
            extfn_host_apply(host, request->function, request->columns, request->count,
                             request->rows, &request->options, &request->column, &request->error);
    } else {
        request->status = extfn_host_eval(host, request->function, request->args, request->count,
                                          &request->options, &request->value, &request->error);
    }
}

/* Runs the handlers of signals that came: false if one raised, as Ctrl-C does. The caller has no
 * lock. */
static bool run_handlers(void)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    int status = PyErr_CheckSignals();
    PyGILState_Release(lock);
    return status == 0;
}

/* ---- By a queue ---- */

static void submit(extfn_queue *queue, py_request *request, extfn_job **ret_job)
{
    if (request->is_batch) {
        request->status =
            extfn_queue_submit_columns(queue, request->function, request->columns, request->count,
                                       request->rows, &request->options, NULL, ret_job,
                                       &request->error);
    } else {
        request->status =
            extfn_queue_submit(queue, request->function, request->args, request->count,
                               &request->options, NULL, ret_job, &request->error);
    }
}

/* False: a handler raised, and the job was canceled. */
static bool wait_for_job(extfn_queue *queue, extfn_job *job, extfn_job **ret_done)
{
    bool is_wanted = true;
    for (;;) {
        *ret_done = extfn_queue_step(queue);
        if (*ret_done)
            return is_wanted;
        struct pollfd ready = {.fd = extfn_queue_descriptor(queue), .events = POLLIN};
        if (poll(&ready, 1, LOOK_MS) > 0 || !is_wanted)
            continue;
        is_wanted = run_handlers();
        if (!is_wanted)
            extfn_job_cancel(job);
    }
}

static bool evaluate_by_queue(extfn_queue *queue, py_request *request)
{
    extfn_job *job = NULL;
    submit(queue, request, &job);
    if (request->status != EXTFN_OK)
        return true;
    bool is_wanted = wait_for_job(queue, job, &job);
    request->status = request->is_batch
                          ? extfn_job_take_column(job, &request->column, &request->error)
                          : extfn_job_take_value(job, &request->value, &request->error);
    extfn_job_free(job);
    return is_wanted;
}

/* The host object's queue, unless a call has it already, whose handler of a signal makes this one.
 */
static extfn_queue *take_queue(py_host *host)
{
    extfn_queue *queue = host->queue;
    host->queue = NULL;
    extfn_error err = {0};
    if (!queue && extfn_queue_new(host->host, &queue, &err) != EXTFN_OK)
        return py_raise(&err, NULL, -1);
    return queue;
}

static void give_queue_back(py_host *host, extfn_queue *queue)
{
    if (host->queue)
        extfn_queue_free(queue);
    else
        host->queue = queue;
}

static bool by_queue(py_host *host, py_request *request)
{
    extfn_queue *queue = take_queue(host);
    if (!queue)
        return false;
    PyThreadState *thread = PyEval_SaveThread();
    bool is_wanted = evaluate_by_queue(queue, request);
    PyEval_RestoreThread(thread);
    give_queue_back(host, queue);
    return is_wanted;
}

/* ---- By another thread ---- */

typedef struct errand {
    extfn_host *host;
    py_request *request;
    sem_t is_done;
} errand;

static void *run_errand(void *context)
{
    errand *own = context;
    evaluate(own->host, own->request);
    (void)sem_post(&own->is_done);
    return NULL;
}

/* Signals are the main thread's. */
static int start_errand(errand *own, pthread_t *ret_thread)
{
    sigset_t all;
    sigset_t former;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &former);
    int status = pthread_create(ret_thread, NULL, run_errand, own);
    (void)pthread_sigmask(SIG_SETMASK, &former, NULL);
    return status;
}

static bool wait_for_errand(errand *own)
{
    bool is_wanted = true;
    for (;;) {
        struct timespec until;
        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long)LOOK_MS * 1000000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        if (sem_timedwait(&own->is_done, &until) == 0)
            return is_wanted;
        if (is_wanted && !run_handlers()) {
            is_wanted = false;
            extfn_cancel_trigger(own->request->cancel);
        }
    }
}

static bool by_thread(py_host *host, py_request *request)
{
    errand own = {.host = host->host, .request = request};
    pthread_t thread;
    if (!request->cancel && extfn_cancel_new(&request->cancel, &request->error) != EXTFN_OK)
        return py_raise(&request->error, NULL, -1);
    request->options.cancel = request->cancel;
    (void)sem_init(&own.is_done, 0, 0);
    errno = start_errand(&own, &thread);
    if (errno != 0) {
        (void)sem_destroy(&own.is_done);
        (void)PyErr_SetFromErrno(PyExc_OSError);
        return false;
    }
    PyThreadState *state = PyEval_SaveThread();
    bool is_wanted = wait_for_errand(&own);
    (void)pthread_join(thread, NULL);
    PyEval_RestoreThread(state);
    (void)sem_destroy(&own.is_done);
    return is_wanted;
}

/* ---- Here ---- */

static bool by_itself(py_host *host, py_request *request)
{
    extfn_host *shared = host->host;
    PyThreadState *thread = PyEval_SaveThread();
    evaluate(shared, request);
    PyEval_RestoreThread(thread);
    return true;
}

static int64_t now_us(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static bool in_webassembly(py_host *host, py_request *request)
{
    int64_t deadline_us = request->options.deadline_us;
    bool is_short = deadline_us > 0 && deadline_us <= SHORT_CALL_US;
    if (request->is_batch && !is_short)
        return by_thread(host, request);
    int64_t begin_us = now_us();
    if (!is_short)
        request->options.deadline_us = SHORT_CALL_US;
    (void)by_itself(host, request);
    int64_t spent_us = now_us() - begin_us;
    if (is_short || request->status != EXTFN_ETIMEOUT || spent_us < SHORT_CALL_US)
        return true;
    extfn_output_clear(&request->output);
    request->options.deadline_us = deadline_us == 0 ? 0 : deadline_us - spent_us;
    if (deadline_us > 0 && deadline_us <= spent_us)
        return true;
    return by_thread(host, request);
}

/* No result without a sandbox goes by in silence; Python tells it once for each place in a program
 * unless it is asked for more, or for an exception. */
static void warn_unsandboxed(void)
{
    (void)
        PyErr_WarnEx(PyExc_RuntimeWarning,
                     "ran without sandbox, as the host object or IMPROV_EXTFN_ALLOW_UNSANDBOXED=1 "
                     "allows",
                     1);
}

bool py_evaluate(py_host *host, py_request *request)
{
    request->options.struct_size = sizeof(request->options);
    request->options.output = &request->output;
    if (!py_host_enter(host))
        return false;
    bool is_wasm = extfn_function_language(request->function) == EXTFN_WASM;
    bool is_wanted = !is_main_thread()     ? by_itself(host, request)
                     : request->is_refresh ? by_thread(host, request)
                     : is_wasm             ? in_webassembly(host, request)
                                           : by_queue(host, request);
    py_host_leave(host);
    if (request->is_interrupted && is_wanted) {
        PyErr_Restore(request->raised[0], request->raised[1], request->raised[2]);
    } else {
        for (size_t i = 0; i < 3; i++)
            Py_XDECREF(request->raised[i]);
    }
    if (is_wanted && !PyErr_Occurred() && request->status != EXTFN_OK)
        (void)py_raise(&request->error, &request->output, -1);
    if (request->output.is_unsandboxed && !PyErr_Occurred())
        warn_unsandboxed();
    extfn_cancel_free(request->cancel);
    request->cancel = NULL;
    extfn_output_clear(&request->output);
    if (!PyErr_Occurred())
        return true;
    extfn_value_clear(&request->value);
    extfn_column_free(request->column);
    extfn_cells_free(request->cells);
    return false;
}
