/* A request of rpc, told apart into its parts. SPDX-License-Identifier: MIT */
#ifndef XF_RPC_REQUEST_H
#define XF_RPC_REQUEST_H

#include "registry/members.h"

#include <extfn/registry.h>

/* Starts as `= {0}`. Slices lie within the line. */
typedef struct xf_request {
    xf_slice id;
    extfn_function *function; /* owned */
    bool is_call;             /* the registry's function */
    bool is_batch;
    bool is_cost_told;
    xf_slice values;    /* the array `args`, or `columns` */
    int64_t rows;       /* of a batch without columns */
    int64_t timeout_us; /* 0: the request sets none */
} xf_request;

void xf_request_clear(xf_request *request);

/* Reads a line that holds one request. `request->id` is set on failure too, where the line has one.
 * EXTFN_EINVAL, EXTFN_ENOTFOUND. */
EXTFN_MUST_CHECK extfn_status xf_request_read(xf_request *request, const extfn_registry *registry,
                                              const char *line, size_t size, extfn_error *err);

#endif
