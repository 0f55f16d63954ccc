/* The line of calls that wait for room in memory. A worker that is never idle for longer than it
 * takes its caller to come again would not be had otherwise. It is the turn of the first in line,
 * once it has been first for a while: until then others may pass, so that a worker is not handed
 * over after each call of some microseconds. One that does not ask again loses its place: its
 * caller may do something else before it steps its queue, such as to wait for a call of its own.
 * Callers hold the host's lock. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_LINE_H
#define XF_EVAL_LINE_H

#include <stdbool.h>
#include <stdint.h>

/* How long the first in line lets others pass. */
#define XF_TURN_PASS_US 50000

/* Many times as long as who waits takes to ask again (XF_ROOM_RETRY_US). */
#define XF_TURN_ABSENT_US 200000

/* One call that waits. Starts as `= {0}`: not in line. */
typedef struct xf_turn {
    struct xf_turn *next;
    bool is_in_line;
    bool is_served;   /* it waited and has room now; its worker may have to start */
    bool is_clearing; /* does not ask, since it ends idle workers */
    uint64_t wanted;  /* bytes */
    int64_t asked_us; /* last; 0: never */
    int64_t first_us; /* when it became the first */
} xf_turn;

/* Starts as `= {0}`. */
typedef struct xf_line {
    xf_turn *first;
    xf_turn *last;
} xf_line;

/* Takes a place at the end, or says that it is still wanted. */
void xf_line_ask(xf_line *line, xf_turn *turn, uint64_t wanted, int64_t now_us);

/* There is room for it. Allowed for one that is not in line, as is the next. */
void xf_line_serve(xf_line *line, xf_turn *turn, int64_t now_us);

/* It waits no longer, or, if it was served, its worker is ready: from now on it may use that for as
 * long as others may pass. */
void xf_line_leave(xf_line *line, xf_turn *turn, int64_t now_us);

/* Whose turn it is; NULL: anybody's. */
const xf_turn *xf_line_whose(xf_line *line, int64_t now_us);

#endif
