/* What extfn report takes, and how it tells what came of it. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_PAGE_END_H
#define XF_CLI_PAGE_END_H

#include "cli/options.h"
#include "cli/page.h"

/* EXTFN_EINVAL for a table that is none of CSV, and for --json where stdout has the page. */
EXTFN_MUST_CHECK extfn_status cli_page_check(const cli_options *options, extfn_error *err);

/* The end of a run that wrote its page. EXTFN_ERUNTIME when a row failed, unless --keep-going, or
 * when a function could not be evaluated; where all that is wrong is a language that is not here,
 * that. With --json all of it is told on stdout, so the message is empty. */
EXTFN_MUST_CHECK extfn_status cli_page_end(const cli_options *options, const cli_page *page,
                                           const extfn_receipt *cost, extfn_error *err);

#endif
