/* Why a worker ended, in the contract's words. Pure. SPDX-License-Identifier: MIT */
#ifndef XF_WORKER_OUTCOME_H
#define XF_WORKER_OUTCOME_H

#include "base/error.h"
#include "lang/language.h"
#include "wire/wire.h"

#include <stdbool.h>

typedef struct xf_circumstances {
    const xf_language *language;
    const char *interpreter; /* its path */
    int64_t row_limit_us;
    int64_t start_limit_us;
    uint64_t memory_limit;
    uint64_t tmp_bytes;
    const char *stderr_text; /* what came before the sandbox was ready: bubblewrap's own words */
    size_t stderr_size;
    bool is_confined;
} xf_circumstances;

/* Fails with the error of the row (or of the start) that the report is about. */
EXTFN_MUST_CHECK extfn_status xf_outcome(const xf_report *report,
                                         const xf_circumstances *circumstances, extfn_error *err);

#endif
