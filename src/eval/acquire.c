#include "eval/acquire.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/layers.h"
#include "base/limits.h"
#include "base/text.h"
#include "eval/cancel.h"
#include "eval/start.h"
#include "sandbox/find.h"
#include "sandbox/proof.h"
#include "worker/outcome.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define FLOOD_END_US 10000000

xf_patience xf_patience_of(const extfn_call_options *options)
{
    return (xf_patience){
        .until_us = options->deadline_us > 0 ? xf_clock_now() + options->deadline_us : -1,
        .cancel_fd = options->cancel ? options->cancel->read_end : -1,
    };
}

extfn_status xf_wait_for_room(const xf_patience *patience, extfn_error *err)
{
    struct pollfd cancel = {.fd = patience->cancel_fd, .events = POLLIN};
    int64_t until_us = xf_clock_earlier(patience->until_us, xf_clock_now() + XF_ROOM_RETRY_US);
    if (poll(&cancel, 1, xf_clock_wait_ms(until_us)) > 0)
        return xf_fail_canceled(err);
    if (patience->until_us >= 0 && xf_clock_now() >= patience->until_us)
        return xf_fail_no_room(err);
    return EXTFN_OK;
}

extfn_status xf_explain_end(const extfn_host *host, const xf_language *language,
                            const xf_worker *worker, extfn_error *err)
{
    if (worker->fault.status != EXTFN_OK) {
        if (err)
            *err = worker->fault;
        return worker->fault.status;
    }
    xf_circumstances circumstances = {
        .language = language,
        .interpreter = language->program,
        .row_limit_us = worker->limit_us,
        .start_limit_us = host->options.start_timeout_us,
        .memory_limit = host->options.memory_bytes,
        .tmp_bytes = host->options.tmp_bytes,
        .stderr_text = worker->err.text.data,
        .stderr_size = worker->err.text.size,
        .is_confined = worker->confinement == XF_CONFINED,
    };
    return xf_outcome(&worker->report, &circumstances, err);
}

/* The end of what was written to stderr, on one line. */
static void last_words(const xf_buf *text, char *ret_words, size_t size)
{
    size_t end = text->size;
    while (end > 0 && text->data[end - 1] == '\n')
        end--;
    size_t count = end < size - 1 ? end : size - 1;
    for (size_t i = 0; i < count; i++) {
        ret_words[i] = text->data[end - count + i];
        if (ret_words[i] == '\n')
            ret_words[i] = ' ';
    }
    ret_words[count] = '\0';
}

/* What was started as bubblewrap did not come as far as extfn-enter. */
static bool is_hollow(const xf_worker *worker)
{
    return worker->confinement == XF_CONFINED && worker->report_size == sizeof(worker->report) &&
           !worker->report.is_ready;
}

static extfn_status explain_flood(xf_worker *worker, extfn_error *err)
{
    xf_worker_stop(worker);
    (void)xf_worker_step(worker, xf_clock_now() + FLOOD_END_US, -1);
    if (is_hollow(worker))
        return xf_sandbox_hollow("it floods its output", err);
    return xf_fail(err, EXTFN_ERUNTIME, "output too large");
}

static extfn_status explain_hollow(const extfn_host *host, const xf_worker *worker,
                                   extfn_error *err)
{
    char limit[XF_NUMBER_SIZE];
    char text[sizeof("it was not ready within ") + XF_NUMBER_SIZE];
    (void)xf_duration_write(host->options.start_timeout_us, limit);
    (void)snprintf(text, sizeof(text), "it was not ready within %s", limit);
    bool is_late = worker->report.cause == XF_CAUSE_START_TIMEOUT;
    return xf_sandbox_hollow(is_late ? text : "it writes where a worker does", err);
}

/* The interpreter ended while it started: its own words say why. */
static extfn_status explain_start(const extfn_host *host, const xf_language *language,
                                  const xf_worker *worker, extfn_error *err)
{
    const xf_report *report = &worker->report;
    bool is_garbage = worker->fault.status != EXTFN_OK ||
                      (report->cause == XF_CAUSE_BROKEN && report->os_errno == EPROTO);
    if (is_hollow(worker) && (is_garbage || report->cause == XF_CAUSE_START_TIMEOUT))
        return explain_hollow(host, worker, err);
    bool is_exit = worker->fault.status == EXTFN_OK && report->cause == XF_CAUSE_EXITED &&
                   WIFEXITED(report->wait_status);
    if (!is_exit)
        return xf_explain_end(host, language, worker, err);
    char words[400];
    last_words(&worker->err.text, words, sizeof(words));
    char reason[512];
    (void)snprintf(reason, sizeof(reason), "its start ended with exit status %d: %s",
                   WEXITSTATUS(report->wait_status), words);
    return xf_language_unavailable(language, reason, "look at the interpreter's installation", err);
}

static extfn_status explain_failure(const xf_language *language, const xf_worker *worker,
                                    extfn_error *err)
{
    xf_reply reply = {.map = worker->maps.reply, .row_count = 1};
    XF_AUTO(xf_buf_clear) xf_buf message = {0};
    if (worker->missing != 0)
        return xf_proof_missing(worker->missing, err);
    XF_TRY(xf_reply_message(&reply, &message, err));
    switch (worker->failure) {
    case XF_FAILURE_LANGUAGE:
        return xf_language_unavailable(language, message.data, "install a complete interpreter",
                                       err);
    case XF_FAILURE_SEAL:
        return xf_fail(err, EXTFN_ESANDBOX,
                       "sandbox unavailable: the worker could not be sealed: %s; use a kernel "
                       "with seccomp filters",
                       message.data);
    default:
        return xf_fail(err, EXTFN_ERUNTIME, "%s", message.data);
    }
}

extfn_status xf_acquire_settle(const extfn_host *host, const extfn_function *function,
                               xf_worker *worker, xf_event event, extfn_error *err)
{
    const xf_language *language = xf_language_get(extfn_function_language(function));
    switch (event) {
    case XF_EVENT_READY:
        return EXTFN_OK;
    case XF_EVENT_FAILED:
        return explain_failure(language, worker, err);
    case XF_EVENT_FLOODED:
        return explain_flood(worker, err);
    case XF_EVENT_CANCEL:
        return xf_fail_canceled(err);
    case XF_EVENT_NONE:
        return xf_fail(err, EXTFN_ETIMEOUT, "the deadline passed while a worker started");
    case XF_EVENT_ENDED:
    case XF_EVENT_DONE: /* not in answer to a setup: frame.c */
    case XF_EVENT_FULL:
    default:
        return explain_start(host, language, worker, err);
    }
}

uint32_t xf_setup_flags(xf_confinement confinement)
{
    uint32_t seal = xf_has_layer(XF_WITH_SEAL) ? XF_SETUP_SEAL : 0;
    switch (confinement) {
    case XF_CONFINED:
        return seal | XF_SETUP_OWN_TMP;
    case XF_UNCONFINED:
        return seal;
    case XF_TRUSTED:
    default:
        return 0;
    }
}

extfn_status xf_acquire_begin(extfn_host *host, extfn_function *function, bool is_waived,
                              xf_turn *turn, xf_worker **ret_worker, extfn_error *err)
{
    const xf_language *language = xf_language_get(extfn_function_language(function));
    const xf_runtime *runtime = NULL;
    XF_TRY(xf_host_runtime(host, language, &runtime, err));
    xf_worker *worker = is_waived ? NULL : xf_spare_take(host, language->id, turn);
    if (!worker)
        XF_TRY(xf_start(host, runtime, is_waived, turn, &worker, err));
    *ret_worker = worker;
    if (!worker)
        return EXTFN_OK;
    uint32_t flags = xf_setup_flags(worker->confinement) | worker->promised << XF_PROOF_SHIFT;
    extfn_status status = xf_setup_encode(function, flags, worker->maps.request, err);
    if (status != EXTFN_OK) {
        *ret_worker = NULL;
        xf_host_end_worker(host, worker);
        return status;
    }
    xf_worker_begin_setup(worker, host->options.start_timeout_us);
    return EXTFN_OK;
}

bool xf_is_worn(const extfn_host *host, const xf_worker *worker)
{
    uint64_t calls = host->options.worker_calls;
    return (calls > 0 && worker->calls_sent >= calls) ||
           xf_clock_now() - worker->started_us >= host->options.worker_age_us;
}

/* Returns the one that has to go instead, or NULL. Its supervisor is asked once, after its first
 * call: what the body loads is there by then. */
static xf_worker *put_to_sleep(extfn_host *host, extfn_function *function, xf_worker *worker)
{
    if (worker->memory > 0 && worker->settle_us == 0)
        xf_worker_settle(worker);
    (void)pthread_mutex_lock(&host->lock);
    xf_host_count_asleep(host, worker);
    worker = xf_pool_put(&host->pool, worker, function);
    (void)pthread_mutex_unlock(&host->lock);
    return worker;
}

static bool wake(extfn_host *host, xf_turn *turn, xf_worker *worker)
{
    if (!xf_host_make_room(host, turn, worker->counted, worker->memory))
        return false;
    worker->counted = worker->memory;
    return true;
}

xf_worker *xf_acquire_warm(extfn_host *host, extfn_function *function, xf_turn *turn)
{
    if (!extfn_function_is_pure(function))
        return NULL;
    for (;;) {
        (void)pthread_mutex_lock(&host->lock);
        bool is_free = !xf_host_is_others_turn(host, turn);
        xf_worker *worker = is_free ? xf_pool_take(&host->pool, function) : NULL;
        (void)pthread_mutex_unlock(&host->lock);
        if (!worker)
            return NULL;
        bool is_fit = xf_worker_is_usable(worker) && !xf_is_worn(host, worker);
        if (is_fit && wake(host, turn, worker))
            return worker;
        xf_host_end_worker(host, is_fit ? put_to_sleep(host, function, worker) : worker);
        if (is_fit) /* nor is there room for a new one */
            return NULL;
    }
}

bool xf_may_waive(const extfn_host *host, const extfn_error *failure)
{
    bool may_pass = failure->os_errno != 0; /* a shortage */
    return failure->status == EXTFN_ESANDBOX && !may_pass && host->options.is_unsandboxed_allowed;
}

static extfn_status start_in_turn(extfn_host *host, extfn_function *function, bool is_waived,
                                  const xf_patience *patience, xf_turn *turn,
                                  xf_worker **ret_worker, extfn_error *err)
{
    xf_worker *worker = NULL;
    int64_t begun_us = xf_clock_now();
    for (;;) {
        XF_TRY(xf_acquire_begin(host, function, is_waived, turn, &worker, err));
        if (!worker) {
            XF_TRY(xf_wait_for_room(patience, err));
            *ret_worker = is_waived ? NULL : xf_acquire_warm(host, function, turn);
            if (*ret_worker)
                return EXTFN_OK;
            continue;
        }
        xf_event event = xf_worker_step(worker, patience->until_us, patience->cancel_fd);
        bool is_dead_spare = event == XF_EVENT_ENDED && worker->started_us < begun_us;
        extfn_status status = xf_acquire_settle(host, function, worker, event, err);
        if (status == EXTFN_OK)
            break;
        xf_host_end_worker(host, worker);
        if (!is_dead_spare)
            return status;
    }
    *ret_worker = worker;
    return EXTFN_OK;
}

static extfn_status start_and_set_up(extfn_host *host, extfn_function *function, bool is_waived,
                                     const xf_patience *patience, xf_worker **ret_worker,
                                     extfn_error *err)
{
    xf_turn turn = {0};
    extfn_status status =
        start_in_turn(host, function, is_waived, patience, &turn, ret_worker, err);
    xf_host_leave_line(host, &turn);
    return status;
}

extfn_status xf_acquire(extfn_host *host, extfn_function *function, const xf_patience *patience,
                        xf_worker **ret_worker, extfn_error *err)
{
    *ret_worker = xf_acquire_warm(host, function, NULL);
    if (*ret_worker)
        return EXTFN_OK;
    extfn_error failure = {0};
    extfn_status status = start_and_set_up(host, function, false, patience, ret_worker, &failure);
    if (status == EXTFN_OK)
        return EXTFN_OK;
    if (xf_may_waive(host, &failure))
        return start_and_set_up(host, function, true, patience, ret_worker, err);
    if (err)
        *err = failure;
    return status;
}

void xf_release(extfn_host *host, extfn_function *function, xf_worker *worker)
{
    if (extfn_function_is_pure(function) && worker->exchange.state == XF_STATE_IDLE &&
        !xf_is_worn(host, worker))
        worker = put_to_sleep(host, function, worker);
    xf_host_end_worker(host, worker);
}
