/* Counting values by the bits that they begin with. SPDX-License-Identifier: MIT */
#include "cli/spread.h"

#include "cli/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLACES ((size_t)CLI_SPREAD_LIMIT * 2)
#define SIGN (UINT64_C(1) << 63)

/* ---- Keys: whole numbers in the order of the values ---- */

static uint64_t key_of_number(double number)
{
    double plain = number + 0.0; /* -0.0 is 0.0 */
    uint64_t bits = 0;
    memcpy(&bits, &plain, sizeof(bits));
    return bits & SIGN ? ~bits : bits | SIGN;
}

static double number_of_key(uint64_t key)
{
    uint64_t bits = key & SIGN ? key & ~SIGN : ~key;
    double number = 0;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

static uint64_t key_of_datetime(int64_t microseconds)
{
    return (uint64_t)microseconds ^ SIGN;
}

static long double value_of_key(const cli_spread *spread, uint64_t key)
{
    if (spread->type == EXTFN_DATETIME)
        return (long double)(int64_t)(key ^ SIGN);
    return (long double)number_of_key(key);
}

/* ---- The table ---- */

static cli_spread_group *find_place(cli_spread_group *groups, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 40) % PLACES;
    while (groups[at].count > 0 && groups[at].key != key)
        at = (at + 1) % PLACES;
    return &groups[at];
}

static cli_spread_group *make_table(void)
{
    cli_spread_group *groups = cli_realloc_array(NULL, PLACES, sizeof(*groups));
    if (groups)
        memset(groups, 0, PLACES * sizeof(*groups));
    return groups;
}

static size_t count_into(cli_spread_group *groups, uint64_t key, int64_t count)
{
    cli_spread_group *place = find_place(groups, key);
    bool is_new = place->count == 0;
    place->key = key;
    place->count += count;
    return is_new;
}

/* Tells one bit less of the values apart. */
static extfn_status coarsen(cli_spread *spread, extfn_error *err)
{
    cli_spread_group *groups = make_table();
    if (!groups)
        return cli_fail_oom(err);
    size_t used = 0;
    for (size_t i = 0; i < PLACES; i++) {
        const cli_spread_group *former = &spread->groups[i];
        if (former->count > 0)
            used += count_into(groups, former->key >> 1, former->count);
    }
    cli_free(spread->groups);
    spread->groups = groups;
    spread->used = used;
    spread->shift++;
    return EXTFN_OK;
}

static extfn_status count_key(cli_spread *spread, uint64_t key, extfn_error *err)
{
    if (!spread->groups)
        spread->groups = make_table();
    if (!spread->groups)
        return cli_fail_oom(err);
    spread->used += count_into(spread->groups, key >> spread->shift, 1);
    while (spread->used > CLI_SPREAD_LIMIT)
        CLI_TRY(coarsen(spread, err));
    if (spread->count == 0 || key < spread->least)
        spread->least = key;
    if (spread->count == 0 || key > spread->most)
        spread->most = key;
    spread->count++;
    return EXTFN_OK;
}

/* ---- The spread ---- */

void cli_spread_clear(cli_spread *spread)
{
    cli_free(spread->groups);
    *spread = (cli_spread){.type = spread->type};
}

extfn_status cli_spread_add(cli_spread *spread, const extfn_value *value, extfn_error *err)
{
    if (spread->type == EXTFN_DATETIME) {
        spread->sum += (long double)value->as.datetime;
        return count_key(spread, key_of_datetime(value->as.datetime), err);
    }
    double number = value->as.number;
    if (isfinite(number)) {
        spread->sum += (long double)number;
        return count_key(spread, key_of_number(number), err);
    }
    spread->nans += isnan(number);
    spread->positive_infinities += isinf(number) && number > 0;
    spread->negative_infinities += isinf(number) && number < 0;
    return EXTFN_OK;
}

long double cli_spread_min(const cli_spread *spread)
{
    return value_of_key(spread, spread->least);
}

long double cli_spread_max(const cli_spread *spread)
{
    return value_of_key(spread, spread->most);
}

long double cli_spread_mean(const cli_spread *spread)
{
    return spread->sum / (long double)spread->count;
}

/* The middle of a group, as far as there can be values. */
static long double value_of_group(const cli_spread *spread, uint64_t key)
{
    if (spread->shift == 0)
        return value_of_key(spread, key);
    uint64_t middle = (key << spread->shift) + (UINT64_C(1) << (spread->shift - 1));
    middle = middle < spread->least ? spread->least : middle;
    return value_of_key(spread, middle > spread->most ? spread->most : middle);
}

static int compare_steps(const void *a, const void *b)
{
    const cli_spread_step *x = a;
    const cli_spread_step *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

extfn_status cli_spread_list(const cli_spread *spread, cli_spread_step **ret_steps,
                             extfn_error *err)
{
    cli_spread_step *steps = cli_realloc_array(NULL, spread->used + 1, sizeof(*steps));
    if (!steps)
        return cli_fail_oom(err);
    size_t count = 0;
    for (size_t i = 0; spread->groups && i < PLACES; i++) {
        const cli_spread_group *group = &spread->groups[i];
        if (group->count > 0)
            steps[count++] = (cli_spread_step){value_of_group(spread, group->key), group->count};
    }
    if (count > 0)
        qsort(steps, count, sizeof(*steps), compare_steps);
    *ret_steps = steps;
    return EXTFN_OK;
}

/* The value of that rank, from 0. */
static long double value_at(const cli_spread_step *steps, int64_t rank)
{
    int64_t before = 0;
    size_t at = 0;
    while (before + steps[at].count <= rank)
        before += steps[at++].count;
    return steps[at].value;
}

long double cli_spread_median(const cli_spread *spread, const cli_spread_step *steps)
{
    long double low = value_at(steps, (spread->count - 1) / 2);
    return (low + value_at(steps, spread->count / 2)) / 2;
}
