/* Contract 7 as the resource limits that extfn-enter sets. Pure. SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_LIMITS_H
#define XF_SANDBOX_LIMITS_H

#include "sandbox/plan.h"

#define XF_LIMITS_SIZE 256

/* Bytes of its own that a worker can have by then only if it got round what extfn-enter sets; the
 * supervisor ends it. 0: no limit. */
uint64_t xf_limits_watched(const xf_policy *policy, const xf_runtime *runtime);

/* The same for its cgroup, which counts all that the kernel has for it, and the worker's part of
 * the maps. Higher than anything that the other limits let it have. */
uint64_t xf_limits_group(const xf_policy *policy, const xf_runtime *runtime);
#define XF_GROUP_TASKS 64U

/* What it is counted with among all workers of a host: the same, or 0 where nothing limits it. */
uint64_t xf_limits_counted(const xf_policy *policy, const xf_runtime *runtime);

/* How many files there may be in the sandbox's /tmp: each takes a kilobyte of the kernel's memory.
 * 0: it has none of its own. */
#define XF_TMP_FILES 4096U
uint32_t xf_limits_files(const xf_policy *policy);

/* extfn-enter's first argument, `data=1073741824,as=...`. */
void xf_limits_write(const xf_policy *policy, const xf_runtime *runtime,
                     char ret_text[XF_LIMITS_SIZE]);

#endif
