/* Bytes as base64 text (RFC 4648, with padding). SPDX-License-Identifier: MIT */
#ifndef XF_BASE_BASE64_H
#define XF_BASE_BASE64_H

#include "base/buf.h"

/* Appends the text of the bytes. */
EXTFN_MUST_CHECK extfn_status xf_base64_write(const void *bytes, size_t size, xf_buf *text,
                                              extfn_error *err);

#endif
