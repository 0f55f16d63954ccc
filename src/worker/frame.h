/* What a worker may say when: the state table of the protocol. Pure. SPDX-License-Identifier: MIT
 */
#ifndef XF_WORKER_FRAME_H
#define XF_WORKER_FRAME_H

#include "base/error.h"
#include "wire/wire.h"

typedef enum xf_state {
    XF_STATE_STARTING, /* nothing was asked yet */
    XF_STATE_SETUP,    /* SETUP is under way */
    XF_STATE_IDLE,
    XF_STATE_BUSY,  /* CALL or CONTINUE is under way */
    XF_STATE_FULL,  /* it waits until its heap was read */
    XF_STATE_ENDED, /* no process of it is left, or it is being ended */
} xf_state;

/* The call that an answer has to be about. */
typedef struct xf_exchange {
    xf_state state;
    uint32_t call;
    uint32_t row_count;
    uint32_t first_row; /* rows before it were read */
} xf_exchange;

/* Checks a frame that a worker sent, hostile bytes, against the exchange, and moves its state on.
 * EXTFN_ERUNTIME says what was wrong; the exchange is unchanged then. */
EXTFN_MUST_CHECK extfn_status xf_exchange_accept(xf_exchange *exchange, const xf_frame *frame,
                                                 extfn_error *err);

#endif
