/* Whether the sandbox can be had: where bubblewrap is, and what its complaints mean.
 * SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_FIND_H
#define XF_SANDBOX_FIND_H

#include "base/error.h"

#include <stddef.h>

/* The first executable `bwrap` in a list like PATH. EXTFN_ESANDBOX when there is none, or when it
 * is setuid root, which gives the confined side a privileged program to attack. */
EXTFN_MUST_CHECK extfn_status xf_bwrap_find(const char *search_path, EXTFN_OWN char **ret_path,
                                            extfn_error *err);

/* Returns EXTFN_ESANDBOX with `sandbox unavailable: REASON; WHAT TO DO` for what bubblewrap wrote
 * to stderr when it could not start; `err->os_errno` is set for what may pass by itself, such as a
 * failure without a word: nobody does without a sandbox for that. Of a path
 * that it cannot reach, looks which folder above it is closed. */
extfn_status xf_sandbox_reason(const char *bwrap_stderr, size_t size, extfn_error *err);

/* The same for one that was killed by a signal. That may pass. */
extfn_status xf_sandbox_killed(int signal_number, extfn_error *err);

/* The same for one that did not even fail as bubblewrap does, but as `what` says. */
EXTFN_MUST_CHECK extfn_status xf_sandbox_hollow(const char *what, extfn_error *err);

/* The same where this process, before there was any sandbox, met one of its limits or was refused
 * what it needs (then `err->os_errno` tells that too); any other failure is passed on. */
extfn_status xf_sandbox_shortage(const extfn_error *failure, extfn_error *err);

#endif
