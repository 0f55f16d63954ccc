/* A table that is read in blocks of rows. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_BLOCKS_H
#define XF_CLI_BLOCKS_H

#include "cli/csv_read.h"
#include "cli/io.h"

/* What is done with it; the first that fails ends it. */
typedef struct cli_blocks {
    extfn_status (*begin)(void *context, extfn_error *err); /* once the header is known */
    /* The reader's rows, which it drops; without any at the end. */
    extfn_status (*take)(void *context, extfn_error *err);
} cli_blocks;

EXTFN_MUST_CHECK extfn_status cli_blocks_read(cli_input *input, cli_csv_reader *reader,
                                              const cli_blocks *blocks, void *context,
                                              extfn_error *err);

#endif
