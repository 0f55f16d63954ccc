/* Policy and runtime to what the supervisor executes: pure, golden-tested. SPDX-License-Identifier:
 * MIT */
#ifndef XF_SANDBOX_PLAN_H
#define XF_SANDBOX_PLAN_H

#include "base/buf.h"
#include "sandbox/runtime.h"
#include "wire/wire.h"

typedef enum xf_confinement {
    XF_CONFINED,   /* bubblewrap and everything else */
    XF_UNCONFINED, /* no bubblewrap: limits, scrubbed environment, late filter, no root */
    XF_TRUSTED,    /* as the host, but in its own process group with a fixed environment */
} xf_confinement;

typedef struct xf_policy {
    xf_confinement confinement;
    const char *bwrap_path; /* XF_CONFINED only */
    uint64_t memory_bytes;
    uint64_t tmp_bytes;
    uint64_t start_timeout_us;
    uint64_t idle_timeout_us; /* 0: none */
    uint64_t
        spare_timeout_us; /* of a worker that may wait for its function; 0: it gets it at once */
    uint32_t uid_first; /* of the range that a root host drops to; count 0: the host is not root */
    uint32_t uid_count;
    uint32_t landlock; /* enum xf_layer: what this kernel has */
    const char *group; /* folder in which each worker gets a cgroup of its own, or "" */
    uint64_t network;  /* that the worker must not be in (xf_kernel_network), or 0 */
} xf_policy;

#define XF_PLAN_FILE_LIMIT 8

/* Order of the files in every launch. The filter is not there for the trusted, bubblewrap's
 * arguments are the last. */
enum xf_file { XF_FILE_ENTER, XF_FILE_GUEST, XF_FILE_DRIVER, XF_FILE_FILTER };

/* What to hand to the supervisor: `bytes` is an xf_plan with its strings; files[i] becomes
 * descriptor XF_FD_DATA + i (the data of bubblewrap's arguments lies in `args`). */
typedef struct xf_launch {
    xf_buf bytes;
    xf_buf args;
    xf_plan_file files[XF_PLAN_FILE_LIMIT];
    size_t file_count;
    uint64_t memory; /* xf_limits_counted */
} xf_launch;

void xf_launch_clear(xf_launch *launch);

/* The driver is that of the runtime's language. XF_CONFINED: `bwrap --args FD`. */
EXTFN_MUST_CHECK extfn_status xf_launch_build(const xf_policy *policy, const xf_runtime *runtime,
                                              const xf_plan_file *driver, xf_launch *ret_launch,
                                              extfn_error *err);

#endif
