/* How many of a library's functions or examples are sound, and the exit status that this makes.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_TALLY_H
#define XF_CLI_TALLY_H

#include "cli/fail.h"

#include <stddef.h>

/* Starts as `= {0}`. */
typedef struct cli_tally {
    size_t done;
    size_t failed;
    extfn_status worst; /* of the failures: the function's own first, then sandbox, language */
} cli_tally;

void cli_tally_count(cli_tally *tally, extfn_status status);

#endif
