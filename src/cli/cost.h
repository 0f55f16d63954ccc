/* What a run of the program cost. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_COST_H
#define XF_CLI_COST_H

#include "cli/buf.h"

#include <extfn/receipt.h>

/* The receipt of two calls, one after the other. */
void cli_cost_add(extfn_receipt *total, const extfn_receipt *more);

/* `12.5 ms, CPU 3.2 ms, memory 11.0 MiB, 1 row, 16 bytes in, 8 bytes out, 1 worker started` */
EXTFN_MUST_CHECK extfn_status cli_cost_append(cli_buf *buf, const extfn_receipt *receipt,
                                              extfn_error *err);

/* That as a line on stderr; nothing where no call was made. */
void cli_cost_tell(const extfn_receipt *receipt);

#endif
