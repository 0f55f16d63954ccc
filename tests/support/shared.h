/* A host and functions that several threads or processes use. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_SHARED_H
#define XF_TESTS_SHARED_H

#include "support/host.h"

typedef struct shared {
    extfn_host *host;
    extfn_function *functions[3];
} shared;

static inline void *call_once(void *context)
{
    const shared *all = context;
    extfn_value arg = extfn_value_number(1);
    extfn_value value = {0};
    return extfn_host_eval(all->host, all->functions[0], &arg, 1, NULL, &value, NULL) == EXTFN_OK
               ? NULL
               : context;
}

/* One worker was enough for all of it. */
static inline void shared_end(shared *all)
{
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(all->host, &stats);
    assert_int_equal(stats.workers_started, 1);
    extfn_function_unref(all->functions[0]);
    extfn_host_free(all->host);
}

#endif
