/* One instance of a module in a store of its own, and the clock that it is under.
 * SPDX-License-Identifier: MIT */
#ifndef XF_WASM_SESSION_H
#define XF_WASM_SESSION_H

#include "wasm/inside.h"
#include "wasm/limits.h"

/* Elements of a table, and of all tables that a module begins with. */
#define XF_WASM_TABLE_LIMIT 131072

/* Why the clock ended a call. */
typedef enum xf_wasm_stop {
    XF_WASM_STOP_NONE = 0,
    XF_WASM_STOP_ROW,   /* over its limit */
    XF_WASM_STOP_BATCH, /* over the deadline of the whole call */
    XF_WASM_STOP_CANCEL,
} xf_wasm_stop;

/* The clock of a call, and what became of the row under way. */
typedef struct xf_wasm_watch {
    xf_wasm_limits limits;
    int64_t row_begun_us; /* the first look since it began; 0: not looked at yet */
    int32_t row;          /* in the loop module, at the last look */
    xf_wasm_stop stop;
} xf_wasm_watch;

/* The next row begins. */
void xf_wasm_watch_begin_row(xf_wasm_watch *watch);

/* Whether the call as a whole has to end now: EXTFN_ETIMEOUT, EXTFN_ECANCELED. */
EXTFN_MUST_CHECK extfn_status xf_wasm_watch_check(xf_wasm_watch *watch, extfn_error *err);

struct xf_wasm_session {
    xf_wasm_module *module; /* borrowed */
    xf_wasm_watch *watch;   /* of the call that it serves */
    xf_wasm_memory_note memory_note;
    wasmtime_store_t *store;
    wasmtime_context_t *context;
    wasmtime_func_t call;
    wasmtime_func_t alloc;    /* where the signature has Text */
    wasmtime_memory_t memory; /* the same */
    xf_wasm_memory_note loop_note;
    bool has_loop;
    bool is_in_loop;
    wasmtime_func_t loop_run;
    wasmtime_global_t loop_row;
    uint8_t *loop_data; /* its memory, which does not grow */
    xf_wasm_session *next;
};

/* An idle one of a stateless module, or a new one. What its start does wrong, and a memory that is
 * too large, are failures of the row; see `watch->stop` for those of the call. */
EXTFN_MUST_CHECK extfn_status xf_wasm_session_take(xf_wasm_module *module, xf_wasm_watch *watch,
                                                   EXTFN_OWN xf_wasm_session **ret_session,
                                                   extfn_error *err);

/* Keeps one of a stateless module for later calls. */
void xf_wasm_session_give(EXTFN_OWN xf_wasm_session *session);
void xf_wasm_session_free(xf_wasm_session *session);

/* Adds the loop module to the instance's store. */
EXTFN_MUST_CHECK extfn_status xf_wasm_session_add_loop(xf_wasm_session *session, extfn_error *err);

/* Calls a function of the session; `raws` holds arguments first and results then. What it does
 * wrong is EXTFN_ERUNTIME, a row over its limit EXTFN_ETIMEOUT. */
EXTFN_MUST_CHECK extfn_status xf_wasm_session_call(xf_wasm_session *session,
                                                   const wasmtime_func_t *function,
                                                   wasmtime_val_raw_t *raws, size_t raw_count,
                                                   extfn_error *err);

/* The row that the loop module has come to. */
int32_t xf_wasm_session_row(const xf_wasm_session *session);

#endif
