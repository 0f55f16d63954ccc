/* The seal proves itself: what a body must not do is tried before any body is there, each attempt
 * so that it would do no harm if it succeeded. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_PROOF_H
#define XF_GUEST_LIB_PROOF_H

#include "wire/wire.h"

typedef enum xf_proof_time {
    XF_PROOF_BEFORE_SEAL, /* the late filter would answer in another layer's place */
    XF_PROOF_AFTER_SEAL,
} xf_proof_time;

/* Bits of enum xf_proof: what failed as it has to. */
uint32_t xf_proof_try(xf_proof_time time);

/* Returns if all that the host asks for is held. Else it tells the host what is, and ends the
 * process: nothing of the body was compiled until then. */
void xf_proof_insist(uint32_t held);

#endif
