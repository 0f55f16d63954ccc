/* A histogram: bins of one width, which is a round one, over all that a spread holds.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_BINS_H
#define XF_CLI_BINS_H

#include "cli/buf.h"
#include "cli/spread.h"

#define CLI_BINS_LIMIT 48U

/* Bin i goes from start + i * width, inclusive, to the next one. */
typedef struct cli_bins {
    extfn_type type;
    size_t count; /* 1 of width 0 where all values are equal; 0 where there is none */
    long double start;
    long double width;
    int64_t counts[CLI_BINS_LIMIT];
    int64_t highest; /* of the counts */
} cli_bins;

/* `steps` are those of cli_spread_list. */
cli_bins cli_bins_make(const cli_spread *spread, const cli_spread_step *steps);

/* The number or the time where bin i begins, in as few digits as tell it from its neighbours;
 * i == count is the end of the last. */
EXTFN_MUST_CHECK extfn_status cli_bins_append_edge(cli_buf *buf, const cli_bins *bins, size_t i,
                                                   extfn_error *err);

/* A value of that type, which it holds exactly or which is a mean of some. */
EXTFN_MUST_CHECK extfn_status cli_bins_append_value(cli_buf *buf, extfn_type type,
                                                    long double value, bool is_exact,
                                                    extfn_error *err);

#endif
