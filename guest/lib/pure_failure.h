/* What Pure says of a failure, in one line with the line of the author's text.
 * SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_PURE_FAILURE_H
#define XF_GUEST_LIB_PURE_FAILURE_H

#include "pure_values.h"

/* Of the last pure_eval, whose text stands on lines `line` to `last_line` of the body. */
void xf_pure_describe_error(size_t line, size_t last_line, xf_pure_message *ret_message);

/* Of an exception, NULL where Pure has none, in the statement that begins on line `line`; 0: none.
 */
void xf_pure_describe_exception(const pure_expr *exception, size_t line,
                                xf_pure_message *ret_message);

/* Whether it says that no memory was left. */
bool xf_pure_is_memory_error(const pure_expr *exception);

#endif
