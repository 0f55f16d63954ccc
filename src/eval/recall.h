/* Calls of one row and the memo: asked before, told after. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_RECALL_H
#define XF_EVAL_RECALL_H

#include "eval/memo.h"
#include "eval/select.h"

#include <extfn/host.h>

/* What the memo did not know; starts as `= {0}`. The function is borrowed. */
typedef struct xf_question {
    bool is_open; /* the row is to be evaluated, and what comes of it told */
    bool is_lost; /* its value is not kept whatever it is; there is no key then */
    xf_memo_key key;
    xf_buf args; /* the key's */
} xf_question;

void xf_question_clear(xf_question *question);

/* Whether values of the function are kept at all: never those of an impure one. */
bool xf_may_recall(const extfn_host *host, const extfn_function *function);

/* Appends the value of row 0 to the result and returns true, or opens the question, unless the row
 * is not evaluated. Arguments too large to be kept with any value are not looked at. `limit_us` is
 * the row's. */
bool xf_recall(extfn_host *host, extfn_function *function, const xf_arguments *arguments,
               int64_t limit_us, xf_question *question, extfn_column *result,
               bool *ret_is_unsandboxed);

/* An open question was evaluated, and is closed: it counts as a miss, and the value of that row of
 * the result is kept, an error never. `result` is NULL where there is none, or where something was
 * printed, which a call that is not evaluated would not print. `stamp` is that of the module that
 * evaluated it, zero in other languages; it may be another than the path led to when the question
 * was asked, and the value is not kept then. */
void xf_recall_tell(extfn_host *host, xf_question *question, const extfn_column *result,
                    int64_t row, bool is_unsandboxed, const xf_wasm_stamp *stamp);

#endif
