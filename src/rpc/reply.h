/* The replies of rpc, one line of JSON each. SPDX-License-Identifier: MIT */
#ifndef XF_RPC_REPLY_H
#define XF_RPC_REPLY_H

#include "registry/members.h"

#include <extfn/host.h>

/* What came of a request; each part borrowed. */
typedef struct xf_outcome {
    const extfn_error *failure; /* or NULL */
    const extfn_value *value;   /* of a single request */
    const extfn_column *column; /* of a batch */
    const extfn_output *output;
    const extfn_receipt *receipt; /* or NULL */
} xf_outcome;

/* Appends the reply; an id without data is null. */
EXTFN_MUST_CHECK extfn_status xf_reply_write(xf_buf *out, const xf_slice *id,
                                             const xf_outcome *outcome, extfn_error *err);

#endif
