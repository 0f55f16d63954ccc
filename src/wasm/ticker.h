/* What makes running modules look at the clock: a thread that moves the engine's epoch on while
 * calls are under way, and sleeps while there are none. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_TICKER_H
#define XF_WASM_TICKER_H

#include "base/error.h"

#include <pthread.h>
#include <stdatomic.h>

/* Limits hold to within two ticks. */
#define XF_WASM_TICK_US 2000

typedef struct xf_wasm_ticker {
    void (*on_tick)(void *context);
    void *context;
    atomic_uint active;    /* calls under way */
    atomic_bool is_asleep; /* until woken; changes under the lock */
    pthread_mutex_t lock;  /* of what follows */
    pthread_cond_t changed;
    unsigned long thread;
    bool is_started;
    bool is_ended;
} xf_wasm_ticker;

/* Starts nothing. */
void xf_wasm_ticker_init(xf_wasm_ticker *ticker, void (*on_tick)(void *context), void *context);
void xf_wasm_ticker_clear(xf_wasm_ticker *ticker);

/* Around each call. The first one starts the thread. */
EXTFN_MUST_CHECK extfn_status xf_wasm_ticker_begin(xf_wasm_ticker *ticker, extfn_error *err);
void xf_wasm_ticker_end(xf_wasm_ticker *ticker);

#endif
