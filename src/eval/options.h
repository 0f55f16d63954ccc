/* The host's options with their defaults. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_OPTIONS_H
#define XF_EVAL_OPTIONS_H

#include <extfn/host.h>

/* A copy with defaults filled in and texts owned. `given` may be NULL or shorter than today's
 * struct. */
EXTFN_MUST_CHECK extfn_status xf_options_copy(const extfn_host_options *given,
                                              extfn_host_options *ret_options, extfn_error *err);
void xf_options_clear(extfn_host_options *options);

/* Bytes that the texts and messages of a batch may take together. */
uint64_t xf_options_result_limit(void);

/* The call's options, all of today's fields; `given` as above. */
extfn_call_options xf_call_options_copy(const extfn_call_options *given);

/* The same, checked: EXTFN_EINVAL when a limit is negative. */
EXTFN_MUST_CHECK extfn_status xf_call_options_read(const extfn_call_options *given,
                                                   extfn_call_options *ret_options,
                                                   extfn_error *err);

#endif
