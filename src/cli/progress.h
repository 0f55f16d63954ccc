/* A line on the terminal that tells how far `apply` is. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_PROGRESS_H
#define XF_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Shown only where stderr is a terminal on which nothing else is written meanwhile. */
typedef struct cli_progress {
    bool is_terminal;
    bool is_shown;
    int64_t rows_before; /* of the blocks that are done */
    int64_t shown_ms;
} cli_progress;

/* `output` is where the rows go, as the option has it: NULL or "-" is stdout. */
void cli_progress_start(cli_progress *progress, const char *output);

/* An extfn_progress_fn; `context` is the cli_progress. */
void cli_progress_rows(int64_t rows_done, int64_t rows_total, void *context);

/* Removes the line, before anything else is written to stderr. */
void cli_progress_hide(cli_progress *progress);

#endif
