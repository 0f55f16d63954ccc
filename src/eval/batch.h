/* Rows through workers: the one path of every evaluation. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_BATCH_H
#define XF_EVAL_BATCH_H

#include "eval/host.h"

/* Arguments are checked: the columns fit the function and are `rows` long. See extfn_host_apply. */
EXTFN_MUST_CHECK extfn_status xf_batch_run(extfn_host *host, extfn_function *function,
                                           const extfn_column *const *columns, int64_t rows,
                                           const extfn_call_options *options,
                                           EXTFN_OWN extfn_column **ret_result, extfn_error *err);

#endif
