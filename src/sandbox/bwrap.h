/* Bubblewrap: where it is, what it is told, and what its complaints mean. SPDX-License-Identifier:
 * MIT */
#ifndef XF_SANDBOX_BWRAP_H
#define XF_SANDBOX_BWRAP_H

#include "sandbox/plan.h"
#include "sandbox/system.h"

/* The first executable `bwrap` in a list like PATH. EXTFN_ESANDBOX when there is none, or when it
 * is setuid root, which gives the confined side a privileged program to attack. */
EXTFN_MUST_CHECK extfn_status xf_bwrap_find(const char *search_path, EXTFN_OWN char **ret_path,
                                            extfn_error *err);

/* Appends bubblewrap's options, each NUL-terminated, for `--args`; files[i] is descriptor
 * XF_FD_DATA + i there, files[0] is extfn-enter. Pure. */
EXTFN_MUST_CHECK extfn_status xf_bwrap_args(const xf_policy *policy, const xf_system *system,
                                            const xf_runtime *runtime, const xf_plan_file *files,
                                            size_t file_count, xf_buf *args, extfn_error *err);

/* Returns EXTFN_ESANDBOX with `sandbox unavailable: REASON; WHAT TO DO` for what bubblewrap wrote
 * to stderr when it could not start. Pure. */
extfn_status xf_sandbox_reason(const char *bwrap_stderr, size_t size, extfn_error *err);

#endif
