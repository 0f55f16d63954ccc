/* extfn apply with several tables. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_APPLY_TABLES_H
#define XF_CLI_APPLY_TABLES_H

#include "cli/options.h"

/* Joins the tables from the third operand on by the columns that they share, evaluates the function
 * for each row of that, and writes these columns and the result. As cli_cmd_apply. */
EXTFN_MUST_CHECK extfn_status cli_apply_tables(const cli_options *options, extfn_error *err);

#endif
