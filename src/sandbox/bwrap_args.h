/* Policy and runtime to bubblewrap's options. Pure, golden-tested. SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_BWRAP_ARGS_H
#define XF_SANDBOX_BWRAP_ARGS_H

#include "sandbox/host_libraries.h"
#include "sandbox/plan.h"

/* Appends bubblewrap's options, each NUL-terminated, for `--args`; files[i] is descriptor
 * XF_FD_DATA + i there, in the order of enum xf_file. */
EXTFN_MUST_CHECK extfn_status xf_bwrap_args(const xf_policy *policy,
                                            const xf_host_libraries *libraries,
                                            const xf_runtime *runtime, const xf_plan_file *files,
                                            size_t file_count, xf_buf *args, extfn_error *err);

#endif
