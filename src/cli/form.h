/* How a value is written: what messages add where a text is none. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_FORM_H
#define XF_CLI_FORM_H

#include "cli/buf.h"

#include <extfn/value.h>

/* Appends `; SUBJECT is written like 2025-01-02T03:04:05Z`, or a better reason why the text is no
 * value of the type; `failure` is what its reader said. */
EXTFN_MUST_CHECK extfn_status cli_form_append(cli_buf *buf, const char *subject, extfn_type type,
                                              const char *text, size_t size,
                                              const extfn_error *failure, extfn_error *err);

#endif
