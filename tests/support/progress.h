/* What a batch tells of its progress. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_PROGRESS_H
#define XF_TESTS_PROGRESS_H

#include "support/unit.h"

typedef struct progress {
    int64_t last;
    int64_t total;
    unsigned calls;
} progress;

/* Only goes forward. */
static inline void note_progress(int64_t rows_done, int64_t rows_total, void *context)
{
    progress *seen = context;
    assert_true(rows_done > seen->last && rows_done <= rows_total);
    seen->last = rows_done;
    seen->total = rows_total;
    seen->calls++;
}

#endif
