/* Writes cells of CSV, quoted where RFC 4180 needs it. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_CSV_WRITE_H
#define XF_CLI_CSV_WRITE_H

#include "cli/buf.h"

EXTFN_MUST_CHECK extfn_status cli_csv_append_cell(cli_buf *line, const char *data, size_t size,
                                                  extfn_error *err);

#endif
