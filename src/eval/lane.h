/* One worker process at a time and the rows that it is given: a state machine that never waits,
 * beyond the end of a worker that it ends. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_LANE_H
#define XF_EVAL_LANE_H

#include "eval/batch.h"

/* Rows of a batch that follow each other, and what came of them. */
typedef struct xf_span {
    struct xf_span *next; /* the rows after these */
    int64_t base;         /* row of the batch that is row 0 of `result` */
    int64_t end;          /* row of the batch after the last one */
    extfn_column *result; /* its own, or the batch's */
    xf_streak deadly;
    bool is_stopped; /* the batch fails for them once those before them are decided */
    xf_buf refusal;  /* why, if it is no streak; NUL-terminated, empty: it is */
    bool has_printed;
    bool is_next_printed; /* what the next row prints was kept already */
    xf_buf out;           /* of these rows, the first XF_OUTPUT_LIMIT bytes */
    xf_buf err;
} xf_span;

/* Rows `first` to `end` of a batch whose result is `whole`: where all rows before them are decided
 * they go straight to where they belong. */
EXTFN_MUST_CHECK extfn_status xf_span_new(extfn_column *whole, int64_t first, int64_t end,
                                          EXTFN_OWN xf_span **ret_span, extfn_error *err);
void xf_span_free(EXTFN_OWN xf_span *span, const extfn_column *whole);

/* The first row that is not decided. */
int64_t xf_span_next_row(const xf_span *span);
bool xf_span_is_decided(const xf_span *span);

typedef enum xf_lane_state {
    XF_LANE_FREE,    /* nothing is under way; the span, if there was one, is decided */
    XF_LANE_WAIT,    /* there is no room in memory for its worker */
    XF_LANE_SETUP,   /* its worker starts */
    XF_LANE_COMPILE, /* and takes time to get quicker */
    XF_LANE_CALL,
    XF_LANE_CLOSED, /* for good */
} xf_lane_state;

/* Starts as `= {.run = run}`. */
typedef struct xf_lane {
    xf_batch *run;
    xf_lane_state state;
    xf_worker *worker; /* NULL: the next call needs a new one */
    uint64_t cpu_us;   /* what the worker had used when it came, for the receipt */
    xf_span *span;     /* borrowed; NULL while free */
    int64_t *selected; /* rows of the call under way: `count` of them, those before `first` done */
    uint32_t count;
    uint32_t first;
    int64_t begun_us; /* the call, or the setup */
    int64_t rows_called;
    unsigned deaths;
    int64_t retry_us;    /* when to look for room again, while it waits */
    xf_turn turn;        /* for it */
    bool is_waived;      /* goes without bubblewrap, which does not start here */
    bool is_output_kept; /* that of the call under way */
    size_t out_before;   /* bytes of it when the rows before `first` had been read */
    size_t err_before;
    bool is_left_lazy; /* compiling for many rows was of no use */
    bool is_put_off;   /* closed for want of room: may be opened again */
} xf_lane;

/* Room for the calls of a lane, and its first worker, or NULL. */
EXTFN_MUST_CHECK extfn_status xf_lane_open(xf_lane *lane, EXTFN_OWN xf_worker *warm,
                                           extfn_error *err);

/* Takes the rows on, and goes as far as it can. Free afterwards: they are decided. Fails for what
 * is wrong with the batch as a whole. */
EXTFN_MUST_CHECK extfn_status xf_lane_begin(xf_lane *lane, xf_span *span, extfn_error *err);

/* The same after an event of its worker. */
EXTFN_MUST_CHECK extfn_status xf_lane_hear(xf_lane *lane, xf_event event, extfn_error *err);

/* Looks for room again; the lane waits for it. */
EXTFN_MUST_CHECK extfn_status xf_lane_retry(xf_lane *lane, extfn_error *err);

/* Rows decided so far of all that it was given, also within the call under way. */
int64_t xf_lane_rows_done(const xf_lane *lane);

/* Frees all but the lane itself, and leaves it the span. `is_done`: its worker may serve others. */
void xf_lane_close(xf_lane *lane, bool is_done);

#endif
