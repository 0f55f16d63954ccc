/* Inside of values, for this layer and those that move whole columns. SPDX-License-Identifier: MIT
 */
#ifndef XF_VALUE_VALUE_H
#define XF_VALUE_VALUE_H

#include <extfn/value.h>

/* A static string such as "custom", or NULL for what is no kind. */
const char *xf_error_kind_text(extfn_error_kind kind);

/* NUL-terminated; NULL when out of memory. */
EXTFN_OWN char *xf_text_copy(const char *data, size_t size);

/* An Error value whose message may hold U+0000; EXTFN_EINVAL as extfn_value_error. */
EXTFN_MUST_CHECK extfn_status xf_value_error(extfn_error_kind kind, const char *message,
                                             size_t size, extfn_value *ret_value, extfn_error *err);

#endif
