/* One worker: a sandboxed process that serves one function. A state machine over its descriptors:
 * begin an exchange, then step until something happens. Belongs to one thread at a time.
 * SPDX-License-Identifier: MIT */
#ifndef XF_WORKER_WORKER_H
#define XF_WORKER_WORKER_H

#include "sandbox/plan.h"
#include "worker/capture.h"
#include "worker/decode.h"
#include "worker/encode.h"
#include "worker/frame.h"
#include "worker/maps.h"

#include <poll.h>
#include <sys/types.h>

#define XF_WORKER_WATCHED 4 /* descriptors to poll for one worker */

/* What the processes of a worker have used since it was started. */
typedef struct xf_worker_usage {
    uint64_t cpu_us;
    uint64_t peak_memory; /* bytes, largest resident set of one process */
    uint64_t idle_memory; /* bytes, of all together, that its supervisor lets it keep between
                             calls; 0: it was not told to settle, or has no limit */
} xf_worker_usage;

typedef struct xf_worker {
    xf_maps maps;
    xf_exchange exchange;
    int64_t limit_us;  /* of the exchange under way */
    int64_t look_us;   /* when the supervisor is to be told or asked something; -1: never */
    bool is_looking;   /* it was told to look at the clock more often */
    xf_frame frame;    /* being read */
    size_t frame_size; /* bytes of it that are there */
    xf_capture out;
    xf_capture err;
    int request_pipe;      /* write end */
    int request_keep;      /* read end, so that a dead worker is no SIGPIPE for the host */
    int reply_pipe;        /* read end, non-blocking */
    int report_pipe;       /* read end, non-blocking */
    int lifeline;          /* write end */
    int lifeline_keep;     /* read end, for the same reason */
    pid_t supervisor;      /* the first of two; 0: never started */
    int supervisor_fd;     /* its pidfd */
    int64_t answer_us;     /* when it has to have answered; 0: nothing is due */
    unsigned kills;        /* of those that did not */
    xf_report report;      /* valid once the event XF_EVENT_ENDED was seen */
    size_t report_size;    /* bytes of it that are there */
    xf_worker_usage usage; /* that the supervisor told last */
    uint32_t answers_due;  /* questions that the supervisor has yet to answer */
    int64_t settle_us;     /* xf_clock_now when it was told to settle; 0: it was not */
    extfn_error fault;     /* EXTFN_ERUNTIME when it was stopped for breaking the protocol */
    uint32_t failure;      /* enum xf_failure of XF_FRAME_FAILED */
    uint32_t ready;        /* enum xf_ready_bit of XF_FRAME_READY */
    uint64_t rows_sent;    /* of all calls */
    uint64_t calls_sent;
    int64_t started_us; /* xf_clock_now */
    uint64_t memory;    /* bytes that it may have, all its processes together; 0: no limit */
    uint64_t counted;   /* bytes of that its owner counts now */
    xf_confinement confinement;
    uint32_t promised; /* enum xf_proof: what has to hold */
    uint32_t missing;  /* what of it does not */
} xf_worker;

typedef enum xf_event {
    XF_EVENT_NONE,    /* the time was over first */
    XF_EVENT_CANCEL,  /* the cancel descriptor is readable */
    XF_EVENT_READY,   /* set up, idle */
    XF_EVENT_FAILED,  /* could not be set up: see failure and xf_reply_message */
    XF_EVENT_DONE,    /* every row has its result, or those before exchange.first_row; idle */
    XF_EVENT_FULL,    /* rows before exchange.first_row have theirs; read them, then continue */
    XF_EVENT_ENDED,   /* nothing of it is left: see fault, report */
    XF_EVENT_FLOODED, /* one stream passed its limit: XF_OUTPUT_LIMIT */
} xf_event;

/* Starts the process; nothing is waited for. The caller frees the worker. */
EXTFN_MUST_CHECK extfn_status xf_worker_start(const xf_policy *policy, const xf_launch *launch,
                                              EXTFN_OWN xf_worker **ret_worker, extfn_error *err);

/* Stops it, waits until nothing of it is left, frees it. False: nobody could say that nothing is
 * left. */
bool xf_worker_free(EXTFN_OWN xf_worker *worker);

/* In a forked child of the host: frees memory and descriptors and leaves the worker alone. */
void xf_worker_abandon(xf_worker *worker);

/* Begin an exchange; the payload is in the request map. Only in the state that the event before
 * allows. */
void xf_worker_begin_setup(xf_worker *worker, int64_t limit_us);
void xf_worker_begin_compile(xf_worker *worker, int64_t limit_us);
void xf_worker_begin_call(xf_worker *worker, uint32_t row_count, int64_t limit_us);
void xf_worker_continue(xf_worker *worker);

/* Waits until an event or until `until_us` (xf_clock_now; negative: for ever). cancel_fd may be -1.
 */
xf_event xf_worker_step(xf_worker *worker, int64_t until_us, int cancel_fd);

/* The parts of a step, for who waits for several workers at once. What to poll for: descriptors
 * that are -1 have nothing to say. */
void xf_worker_watch(const xf_worker *worker, struct pollfd watched[XF_WORKER_WATCHED]);

/* What poll said of them; XF_EVENT_NONE: go on waiting. */
xf_event xf_worker_hear(xf_worker *worker, const struct pollfd watched[XF_WORKER_WATCHED]);

/* The next time at which xf_worker_look has something to do; negative: never. */
int64_t xf_worker_look_time(const xf_worker *worker);

/* Looks after the supervisor when a wait takes long: it is told that its clock has to be as fine as
 * the limit, asked whether it is there, and killed if it does not answer: XF_EVENT_ENDED follows.
 */
void xf_worker_look(xf_worker *worker, int64_t now_us);

/* Asks the supervisor to kill everything; XF_EVENT_ENDED follows. */
void xf_worker_stop(xf_worker *worker);

/* Asks the supervisor, and waits for its answer (some 100 us), at most until `until_us`; of a
 * worker that has ended, or that ends first, what the report says. False: there was no answer. */
EXTFN_MUST_CHECK bool xf_worker_measure(xf_worker *worker, int64_t until_us,
                                        xf_worker_usage *ret_usage);

/* Tells an idle one to keep to what it has, and some more, whenever it is idle from now on. How
 * much that is stands in usage.idle_memory some time later; nothing is waited for. */
void xf_worker_settle(xf_worker *worker);

/* Reads what the supervisor of an idle one has answered, without waiting. False: it has yet to. */
bool xf_worker_has_answered(xf_worker *worker);

/* An idle worker whose process is still there and that said nothing out of turn. */
bool xf_worker_is_usable(xf_worker *worker);

/* The same of one that was started and asked nothing yet. */
bool xf_worker_is_fresh(xf_worker *worker);

/* Whether the worker took up the call that was begun last. If not, nothing of its rows was
 * evaluated: it died while it was idle. */
bool xf_worker_has_begun(const xf_worker *worker);

#endif
