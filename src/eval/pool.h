/* Idle workers of one host, each with the function that it serves; oldest go first. Callers hold
 * the host's lock. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_POOL_H
#define XF_EVAL_POOL_H

#include "worker/worker.h"

typedef struct xf_warm {
    xf_worker *worker;
    extfn_function *function;
} xf_warm;

/* Starts as `= {.limit = n}`. */
typedef struct xf_pool {
    xf_warm *idle; /* oldest first */
    size_t count;
    size_t limit;
} xf_pool;

EXTFN_MUST_CHECK extfn_status xf_pool_init(xf_pool *pool, size_t limit, extfn_error *err);

/* Takes out the newest worker of an equal function, or returns NULL. */
EXTFN_OWN xf_worker *xf_pool_take(xf_pool *pool, const extfn_function *function);

/* Keeps an idle worker. Returns the one that has to go, or NULL; the caller frees it without the
 * lock. */
EXTFN_OWN xf_worker *xf_pool_put(xf_pool *pool, xf_worker *worker, extfn_function *function);

/* Takes out the oldest worker, or returns NULL. */
EXTFN_OWN xf_worker *xf_pool_drain(xf_pool *pool);

/* Bytes that its workers are counted with. */
uint64_t xf_pool_memory(const xf_pool *pool);

void xf_pool_clear(xf_pool *pool);

#endif
