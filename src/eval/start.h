/* Starts of workers, within the room in memory that there is, and spare ones ahead.
 * SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_START_H
#define XF_EVAL_START_H

#include "eval/host.h"

/* Starts a worker of this runtime without setting it up. NULL: there is no room for it. */
EXTFN_MUST_CHECK extfn_status xf_start(extfn_host *host, const xf_runtime *runtime, bool is_waived,
                                       xf_turn *turn, EXTFN_OWN xf_worker **ret_worker,
                                       extfn_error *err);

/* The spare worker of the language, if there is one and room for what it is to do; or NULL. */
EXTFN_OWN xf_worker *xf_spare_take(extfn_host *host, extfn_language language, xf_turn *turn);

/* Starts the next one where the host keeps spares, has none, and has room without ending others.
 * What fails is left for a call to find. */
void xf_spare_keep(extfn_host *host, const xf_language *language);

#endif
