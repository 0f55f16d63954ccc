/* What is said of a function that broke a limit, in the same words wherever it ran.
 * SPDX-License-Identifier: MIT */
#ifndef XF_BASE_LIMITS_H
#define XF_BASE_LIMITS_H

#include "base/error.h"

#include <stdint.h>

/* `function timed out after 2s`. */
EXTFN_MUST_CHECK extfn_status xf_fail_timeout(extfn_error *err, int64_t limit_us);

/* `function start timed out after 30s`. */
EXTFN_MUST_CHECK extfn_status xf_fail_start_timeout(extfn_error *err, int64_t limit_us);

/* `memory limit of 1 GiB reached`. */
EXTFN_MUST_CHECK extfn_status xf_fail_memory(extfn_error *err, uint64_t limit_bytes);

/* `results of more than 6 GiB together; apply it to fewer rows at a time`. */
EXTFN_MUST_CHECK extfn_status xf_fail_results(extfn_error *err, uint64_t limit_bytes);

/* `the deadline passed while a worker waited for memory that others have`. */
EXTFN_MUST_CHECK extfn_status xf_fail_no_room(extfn_error *err);

/* `canceled by the host`. */
EXTFN_MUST_CHECK extfn_status xf_fail_canceled(extfn_error *err);

#endif
