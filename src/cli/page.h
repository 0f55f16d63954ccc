/* The page that `extfn report` writes: HTML that needs nothing else, from what was seen of each
 * function. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_PAGE_H
#define XF_CLI_PAGE_H

#include "cli/html.h"
#include "cli/io.h"
#include "cli/survey.h"

#include <time.h>

typedef struct cli_page {
    const char *library; /* as they were named */
    const char *table;
    time_t made;
    int64_t rows; /* of the table */
    cli_survey *surveys;
    size_t count;
    const cli_table *bad_files; /* a message each */
} cli_page;

/* Whatever differs from run to run (when, how long) has the class `timing`. */
EXTFN_MUST_CHECK extfn_status cli_page_write(const cli_page *page, cli_output *output,
                                             extfn_error *err);

#endif
