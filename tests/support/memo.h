/* Hosts that keep values, and what shows whether they did. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_MEMO_H
#define XF_TESTS_MEMO_H

#include "support/batch.h"

#define MEMO_BYTES (UINT64_C(1) << 20)

/* A pure function that breaks its word, so that it shows whether it was evaluated. */
#define ENTROPY "import os\nresult = float(int.from_bytes(os.urandom(6), 'big'))"

static inline extfn_host *memo_host(extfn_host_options options)
{
    options.memo_bytes = MEMO_BYTES;
    return test_host(&options);
}

static inline extfn_stats stats_of(extfn_host *host)
{
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    return stats;
}

#endif
