/* What extfn apply takes, and how it tells what came of it. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_APPLY_END_H
#define XF_CLI_APPLY_END_H

#include "cli/options.h"

#include <extfn/receipt.h>

/* EXTFN_EINVAL for files that are none of CSV, and for --json where stdout has the table. */
EXTFN_MUST_CHECK extfn_status cli_apply_check(const cli_options *options, extfn_error *err);

/* The same for one file. */
EXTFN_MUST_CHECK extfn_status cli_apply_check_format(const char *path, extfn_error *err);

/* A table that was written; all is borrowed. */
typedef struct cli_applied {
    const cli_options *options;
    const char *column;
    const char *error_column;
    int64_t rows;
    int64_t failed;
    const extfn_receipt *cost;
} cli_applied;

/* The end of a run that wrote its table: EXTFN_ERUNTIME when a row failed, unless --keep-going.
 * With --json all of it is told on stdout, so the message is empty. */
EXTFN_MUST_CHECK extfn_status cli_apply_end(const cli_applied *done, extfn_error *err);

/* The end of one that did not: tells the failure, which is that of the function as a whole where it
 * is EXTFN_ERUNTIME, and returns its status. With --json it is an object on stdout. */
EXTFN_MUST_CHECK extfn_status cli_apply_fail(const cli_options *options,
                                             const extfn_function *function, extfn_status status,
                                             extfn_error *err);

#endif
