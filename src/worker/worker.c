#include "worker/worker.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/layers.h"
#include "worker/supervisor.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A wait of the host that is longer than this share of the limit makes the supervisor look closer.
 */
#define LOOK_SHARE 8
#define LOOK_LONGEST_US 250000

/* A row may be as late as this before the supervisor is asked whether it is there. */
#define LATE_US 1000000

/* ---- Sending ---- */

static void command(const xf_worker *worker, char byte)
{
    /* A full pipe, which has a supervisor that does not read, is not waited for. Its reader may be
     * gone: host keeps both ends of the pipes that it writes to, so that is no signal. */
    (void)!write(worker->lifeline, &byte, 1);
}

static void send_frame(xf_worker *worker, uint16_t type)
{
    xf_frame frame = {
        .magic = XF_WIRE_MAGIC,
        .version = XF_WIRE_VERSION,
        .type = type,
        .call = worker->exchange.call,
        .first_row = worker->exchange.first_row,
        .row_count = worker->exchange.row_count,
    };
    /* Shorter than PIPE_BUF and one at a time: whole or, to a dead worker, without effect. */
    (void)!write(worker->request_pipe, &frame, sizeof(frame));
}

static int64_t look_time(int64_t limit_us)
{
    int64_t look = limit_us / LOOK_SHARE;
    return look > LOOK_LONGEST_US ? LOOK_LONGEST_US : look;
}

static void set_active(const xf_worker *worker, bool is_active)
{
    __atomic_store_n(&xf_maps_header(&worker->maps)->is_active, is_active, __ATOMIC_RELEASE);
}

/* From now on the worker's time is counted, until it waits for the host. */
static void start_clock(xf_worker *worker)
{
    worker->look_us = worker->limit_us > 0 ? xf_clock_now() + look_time(worker->limit_us) : -1;
    worker->is_looking = false;
    set_active(worker, true);
}

static void begin(xf_worker *worker, xf_state state, uint32_t row_count, int64_t limit_us)
{
    worker->exchange =
        (xf_exchange){.state = state, .call = worker->exchange.call + 1, .row_count = row_count};
    worker->limit_us = limit_us;
    xf_request_header *header = xf_maps_header(&worker->maps);
    header->row_count = row_count;
    header->is_setup = state == XF_STATE_SETUP;
    header->limit_us = xf_has_layer(XF_WITH_CLOCK) ? (uint64_t)limit_us : 0;
    header->call = worker->exchange.call;
    start_clock(worker);
}

void xf_worker_begin_setup(xf_worker *worker, int64_t limit_us)
{
    begin(worker, XF_STATE_SETUP, 1, limit_us);
    send_frame(worker, XF_FRAME_SETUP);
}

void xf_worker_begin_compile(xf_worker *worker, int64_t limit_us)
{
    begin(worker, XF_STATE_SETUP, 1, limit_us);
    send_frame(worker, XF_FRAME_COMPILE);
}

void xf_worker_begin_call(xf_worker *worker, uint32_t row_count, int64_t limit_us)
{
    worker->rows_sent += row_count;
    worker->calls_sent++;
    xf_capture_reset(&worker->out);
    xf_capture_reset(&worker->err);
    memset(worker->maps.reply + XF_MAP_START, XF_ROW_NOT_DONE, row_count);
    begin(worker, XF_STATE_BUSY, row_count, limit_us);
    send_frame(worker, XF_FRAME_CALL);
}

void xf_worker_continue(xf_worker *worker)
{
    worker->exchange.state = XF_STATE_BUSY;
    start_clock(worker);
    send_frame(worker, XF_FRAME_CONTINUE);
}

void xf_worker_stop(xf_worker *worker)
{
    worker->exchange.state = XF_STATE_ENDED;
    command(worker, XF_COMMAND_STOP);
    xf_supervisor_expect(worker);
}

/* ---- Receiving ---- */

static void break_off(xf_worker *worker)
{
    if (worker->fault.status == EXTFN_OK)
        (void)xf_fail(&worker->fault, EXTFN_ERUNTIME, "worker broke the protocol");
    xf_worker_stop(worker);
}

/* Reads what is there of a fixed-size message. Returns false at the end of the pipe. */
static bool read_part(int fd, void *message, size_t size, size_t *used)
{
    while (*used < size) {
        ssize_t got = read(fd, (char *)message + *used, size - *used);
        if (got > 0)
            *used += (size_t)got;
        else if (got == 0)
            return false;
        else if (errno != EINTR)
            return errno == EAGAIN;
    }
    return true;
}

static xf_event frame_event(uint16_t type)
{
    switch (type) {
    case XF_FRAME_READY:
        return XF_EVENT_READY;
    case XF_FRAME_FAILED:
        return XF_EVENT_FAILED;
    case XF_FRAME_FULL:
        return XF_EVENT_FULL;
    default:
        return XF_EVENT_DONE;
    }
}

static bool is_sealed_as_promised(xf_worker *worker)
{
    worker->missing = worker->promised & ~(worker->frame.detail >> XF_PROOF_SHIFT);
    if (worker->missing != 0)
        return false;
    return worker->confinement == XF_TRUSTED || !xf_has_layer(XF_WITH_SEAL) ||
           (worker->frame.detail & XF_READY_SEALED);
}

static xf_event receive(xf_worker *worker)
{
    if (worker->exchange.state == XF_STATE_ENDED)
        return XF_EVENT_NONE;
    (void)read_part(worker->reply_pipe, &worker->frame, sizeof(worker->frame), &worker->frame_size);
    if (worker->frame_size < sizeof(worker->frame))
        return XF_EVENT_NONE;
    worker->frame_size = 0;
    if (xf_exchange_accept(&worker->exchange, &worker->frame, &worker->fault) != EXTFN_OK) {
        break_off(worker);
        return XF_EVENT_NONE;
    }
    if (worker->exchange.state == XF_STATE_IDLE || worker->exchange.state == XF_STATE_FULL)
        set_active(worker, false);
    xf_event event = frame_event(worker->frame.type);
    if (event == XF_EVENT_READY && !is_sealed_as_promised(worker)) {
        worker->failure = XF_FAILURE_SEAL;
        return XF_EVENT_FAILED;
    }
    if (event == XF_EVENT_READY)
        worker->ready = worker->frame.detail;
    if (event == XF_EVENT_FAILED)
        worker->failure = worker->frame.detail;
    return event;
}

static xf_worker_usage usage_of(const xf_report *report)
{
    return (xf_worker_usage){report->cpu_us, report->peak_memory, report->idle_memory};
}

/* One that was told to stop has yet to say that it has. */
static void take_answer(xf_worker *worker)
{
    worker->usage = usage_of(&worker->report);
    worker->report_size = 0;
    if (worker->answers_due > 0)
        worker->answers_due--;
    if (worker->answers_due == 0 && worker->exchange.state != XF_STATE_ENDED)
        xf_supervisor_excuse(worker);
}

/* The last report is the last thing that is heard of a worker; those before it are answers. What is
 * due after it is the end of the pipe, without which nothing would wake who waits for the worker.
 */
static bool has_ended(xf_worker *worker)
{
    for (;;) {
        bool is_open = read_part(worker->report_pipe, &worker->report, sizeof(worker->report),
                                 &worker->report_size);
        bool is_whole = worker->report_size == sizeof(worker->report);
        if (is_whole && worker->report.cause != XF_CAUSE_LIVES) {
            xf_supervisor_expect(worker);
            return true;
        }
        if (!is_whole && is_open)
            return false;
        if (!is_whole) {
            worker->report = (xf_report){.cause = XF_CAUSE_BROKEN, .os_errno = EPIPE};
            return true;
        }
        take_answer(worker);
    }
}

/* ---- Waiting ---- */

enum { REPORT, REPLY, OUT, ERR };

static bool is_flooded(const xf_worker *worker)
{
    if (!xf_has_layer(XF_WITH_OUTPUT_LIMIT))
        return false;
    return worker->out.total > XF_OUTPUT_LIMIT || worker->err.total > XF_OUTPUT_LIMIT;
}

void xf_worker_watch(const xf_worker *worker, struct pollfd watched[XF_WORKER_WATCHED])
{
    bool is_full = is_flooded(worker);
    const int fds[XF_WORKER_WATCHED] = {
        [REPORT] = worker->report_pipe,
        [REPLY] = worker->reply_pipe,
        [OUT] = is_full ? -1 : worker->out.fd,
        [ERR] = is_full ? -1 : worker->err.fd,
    };
    for (int i = 0; i < XF_WORKER_WATCHED; i++)
        watched[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
}

/* A pipe that only says that it has ended would wake every wait. */
static void close_ended(xf_worker *worker, const struct pollfd *reply)
{
    if (reply->revents == 0 || reply->revents & POLLIN)
        return;
    (void)close(worker->reply_pipe);
    worker->reply_pipe = -1;
}

/* Streams first: what a row printed is there before its answer, and before the end. */
xf_event xf_worker_hear(xf_worker *worker, const struct pollfd watched[XF_WORKER_WATCHED])
{
    bool is_settling = watched[REPLY].revents || watched[REPORT].revents;
    if (is_settling || watched[OUT].revents)
        xf_capture_drain(&worker->out);
    if (is_settling || watched[ERR].revents)
        xf_capture_drain(&worker->err);
    xf_event event = watched[REPLY].revents & POLLIN ? receive(worker) : XF_EVENT_NONE;
    close_ended(worker, &watched[REPLY]);
    if (is_flooded(worker) && worker->exchange.state != XF_STATE_ENDED)
        return XF_EVENT_FLOODED;
    if (event != XF_EVENT_NONE)
        return event;
    if (watched[REPORT].revents && has_ended(worker)) {
        worker->exchange.state = XF_STATE_ENDED;
        return XF_EVENT_ENDED;
    }
    return XF_EVENT_NONE;
}

static void ask(xf_worker *worker, char question)
{
    if (worker->report_size == sizeof(worker->report))
        return;
    command(worker, question);
    worker->answers_due++;
    xf_supervisor_expect(worker);
}

int64_t xf_worker_look_time(const xf_worker *worker)
{
    return xf_clock_earlier(worker->look_us, worker->answer_us > 0 ? worker->answer_us : -1);
}

/* Once the limit is over the supervisor should have ended the row, or the next one has begun: which
 * of both, it alone can tell. An answer that has come while this process stood still counts. */
void xf_worker_look(xf_worker *worker, int64_t now_us)
{
    if (worker->look_us >= 0 && now_us >= worker->look_us) {
        if (worker->is_looking && worker->answers_due == 0)
            ask(worker, XF_COMMAND_MEASURE);
        else if (!worker->is_looking)
            command(worker, XF_COMMAND_LOOK);
        worker->is_looking = true;
        worker->look_us = now_us + worker->limit_us + LATE_US;
    }
    if (worker->answer_us > 0 && now_us >= worker->answer_us) {
        (void)has_ended(worker);
        xf_supervisor_judge(worker, now_us);
    }
}

xf_event xf_worker_step(xf_worker *worker, int64_t until_us, int cancel_fd)
{
    for (;;) {
        struct pollfd watched[XF_WORKER_WATCHED + 1];
        xf_worker_watch(worker, watched);
        struct pollfd *cancel = &watched[XF_WORKER_WATCHED];
        *cancel = (struct pollfd){.fd = cancel_fd, .events = POLLIN};
        int count = poll(watched, XF_WORKER_WATCHED + 1,
                         xf_clock_wait_ms(xf_clock_earlier(until_us, xf_worker_look_time(worker))));
        xf_event event = count > 0 ? xf_worker_hear(worker, watched) : XF_EVENT_NONE;
        if (event != XF_EVENT_NONE)
            return event;
        if (count > 0 && cancel->revents)
            return XF_EVENT_CANCEL;
        int64_t now_us = xf_clock_now();
        if (until_us >= 0 && now_us >= until_us)
            return XF_EVENT_NONE;
        xf_worker_look(worker, now_us);
    }
}

bool xf_worker_measure(xf_worker *worker, int64_t until_us, xf_worker_usage *ret_usage)
{
    ask(worker, XF_COMMAND_MEASURE);
    for (;;) {
        if (has_ended(worker)) {
            *ret_usage = usage_of(&worker->report);
            return true;
        }
        if (worker->answers_due == 0) {
            *ret_usage = worker->usage;
            return true;
        }
        int64_t now_us = xf_clock_now();
        xf_supervisor_judge(worker, now_us);
        if (worker->answer_us == 0 || (until_us >= 0 && now_us >= until_us))
            return false;
        struct pollfd report = {.fd = worker->report_pipe, .events = POLLIN};
        (void)poll(&report, 1, xf_clock_wait_ms(xf_clock_earlier(until_us, worker->answer_us)));
    }
}

void xf_worker_settle(xf_worker *worker)
{
    ask(worker, XF_COMMAND_SETTLE);
    worker->settle_us = xf_clock_now();
}

bool xf_worker_has_answered(xf_worker *worker)
{
    bool is_over = worker->answers_due > 0 && has_ended(worker);
    return is_over || worker->answers_due == 0;
}

static bool is_overdue(const xf_worker *worker)
{
    return worker->answer_us > 0 && xf_clock_now() >= worker->answer_us;
}

static bool is_silent(xf_worker *worker, xf_state state)
{
    if (worker->exchange.state != state || worker->frame_size > 0 || worker->reply_pipe < 0 ||
        has_ended(worker) || worker->report_size > 0 || is_overdue(worker))
        return false;
    struct pollfd reply = {.fd = worker->reply_pipe, .events = POLLIN};
    return poll(&reply, 1, 0) == 0;
}

bool xf_worker_is_usable(xf_worker *worker)
{
    return is_silent(worker, XF_STATE_IDLE);
}

bool xf_worker_is_fresh(xf_worker *worker)
{
    return is_silent(worker, XF_STATE_STARTING);
}

bool xf_worker_has_begun(const xf_worker *worker)
{
    const xf_reply_header *header = (const void *)worker->maps.reply;
    return __atomic_load_n(&header->call, __ATOMIC_ACQUIRE) == worker->exchange.call;
}
