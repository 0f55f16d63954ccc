/* How numbers or datetimes lie, in bounded memory. Values are counted one by one while there are
 * few different ones; then neighbours are counted together, the finer the less they differ. What
 * comes out does not depend on the order. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_SPREAD_H
#define XF_CLI_SPREAD_H

#include "cli/fail.h"

#include <extfn/value.h>

/* Different values, or groups of neighbours, that are told apart: each takes 32 bytes. */
#define CLI_SPREAD_LIMIT 16384U

typedef struct cli_spread_group {
    uint64_t key; /* the values' own, without its last `shift` bits */
    int64_t count;
} cli_spread_group;

/* Starts as `= {.type = ...}`, EXTFN_NUMBER or EXTFN_DATETIME. */
typedef struct cli_spread {
    extfn_type type;
    cli_spread_group *groups; /* a hash table; count 0: a free place */
    size_t used;
    unsigned shift; /* 0: every value has a group of its own */
    uint64_t least; /* keys */
    uint64_t most;
    int64_t count; /* of the finite values; the others are counted apart */
    int64_t nans;
    int64_t positive_infinities;
    int64_t negative_infinities;
    long double sum;
} cli_spread;

void cli_spread_clear(cli_spread *spread);
EXTFN_MUST_CHECK extfn_status cli_spread_add(cli_spread *spread, const extfn_value *value,
                                             extfn_error *err);

/* Values of the type as long double, which holds both exactly; datetimes are microseconds. Only
 * where `count` is more than 0. The median is exact while `shift` is 0. */
long double cli_spread_min(const cli_spread *spread);
long double cli_spread_max(const cli_spread *spread);
long double cli_spread_mean(const cli_spread *spread);

/* Neighbours that are counted together; `value` stands for them. */
typedef struct cli_spread_step {
    long double value;
    int64_t count;
} cli_spread_step;

/* All that there are, `used` of them, by their values; freed by cli_free. */
EXTFN_MUST_CHECK extfn_status cli_spread_list(const cli_spread *spread,
                                              EXTFN_OWN cli_spread_step **ret_steps,
                                              extfn_error *err);

/* Of the list. */
long double cli_spread_median(const cli_spread *spread, const cli_spread_step *steps);

#endif
