/* What every worker has to prove before a body is in it. Pure. SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_PROOF_H
#define XF_SANDBOX_PROOF_H

#include "base/error.h"
#include "sandbox/plan.h"

/* Bits of enum xf_proof. */
uint32_t xf_proof_promise(const xf_policy *policy);

/* Returns EXTFN_ESANDBOX that names the first of these layers, and what to do. */
EXTFN_MUST_CHECK extfn_status xf_proof_missing(uint32_t missing, extfn_error *err);

#endif
