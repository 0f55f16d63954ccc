/* Bins of round widths. SPDX-License-Identifier: MIT */
#include "cli/bins.h"

#include "cli/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One more may be needed than the width suggests at either end. */
#define WANTED_BINS (CLI_BINS_LIMIT - 2)
#define SECOND 1e6L
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* Widths that people count time in; below and above, powers of ten. */
static const long double time_widths[] = {
    SECOND,  2 * SECOND, 5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND,
    MINUTE,  2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
    HOUR,    2 * HOUR,   3 * HOUR,   6 * HOUR,    12 * HOUR,   DAY,
    2 * DAY, 7 * DAY,    14 * DAY,   28 * DAY,
};

/* The smallest of 1, 2, 5, 10 times a power of ten that is not less; large powers are a little off.
 */
static long double round_up(long double width)
{
    long double power = powl(10, floorl(log10l(width)));
    static const int factors[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
        if (power * factors[i] >= width * (1 - 1e-12L))
            return power * factors[i];
    }
    return power * 10;
}

static long double choose_width(extfn_type type, long double least)
{
    if (type != EXTFN_DATETIME)
        return round_up(least);
    if (least <= SECOND / 2)
        return fmaxl(round_up(least), 1);
    for (size_t i = 0; i < sizeof(time_widths) / sizeof(time_widths[0]); i++) {
        if (time_widths[i] >= least)
            return time_widths[i];
    }
    return DAY * round_up(least / DAY);
}

/* Whole widths from the start to the value, which may miss the edge that it is by rounding. */
static long double widths_to(const cli_bins *bins, long double value)
{
    return floorl((value - bins->start) / bins->width + 1e-9L);
}

static size_t bin_of(const cli_bins *bins, long double value)
{
    if (bins->width <= 0)
        return 0;
    long double at = widths_to(bins, value);
    if (at <= 0)
        return 0;
    return at < bins->count - 1 ? (size_t)at : bins->count - 1;
}

cli_bins cli_bins_make(const cli_spread *spread, const cli_spread_step *steps)
{
    cli_bins bins = {.type = spread->type};
    if (spread->count == 0)
        return bins;
    long double min = cli_spread_min(spread);
    long double max = cli_spread_max(spread);
    bins.count = 1;
    bins.start = min;
    if (max > min) {
        bins.width = choose_width(bins.type, (max - min) / WANTED_BINS);
        bins.start = 0;
        bins.start = widths_to(&bins, min) * bins.width;
        long double count = widths_to(&bins, max) + 1;
        bins.count = count < CLI_BINS_LIMIT ? (size_t)count : CLI_BINS_LIMIT;
        bins.count += bins.count % 2; /* so that an edge is in the middle */
    }
    for (size_t i = 0; i < spread->used; i++)
        bins.counts[bin_of(&bins, steps[i].value)] += steps[i].count;
    for (size_t i = 0; i < bins.count; i++)
        bins.highest = bins.counts[i] > bins.highest ? bins.counts[i] : bins.highest;
    return bins;
}

/* ---- Labels ---- */

#define PLAIN_LIMIT 1e15L /* larger numbers are written with an exponent */

/* Digits behind the point, or in all where the number is very large or small. */
static extfn_status append_number(cli_buf *buf, long double value, bool is_plain, int digits,
                                  extfn_error *err)
{
    char text[64];
    if (is_plain) {
        (void)snprintf(text, sizeof(text), "%.*Lf", digits, value);
    } else {
        (void)snprintf(text, sizeof(text), "%.*Lg", digits, value);
    }
    return cli_buf_append_text(buf, text, err);
}

static extfn_status append_rounded(cli_buf *buf, long double value, extfn_error *err)
{
    bool is_large = fabsl(value) >= 1e6L && fabsl(value) < PLAIN_LIMIT;
    return append_number(buf, value, is_large, is_large ? 0 : 6, err);
}

/* As many characters of `2025-01-02 03:04:05` as are asked for; decimals follow where there are. */
static extfn_status append_time(cli_buf *buf, long double value, size_t size, extfn_error *err)
{
    static const long double first = -62135596800e6L; /* year 1 */
    static const long double last = 253402300799999999.0L;
    long double held = value < first ? first : value;
    extfn_value time = extfn_value_datetime((int64_t)(held > last ? last : held));
    CLI_AUTO(cli_text_clear) char *text = NULL;
    size_t whole = 0;
    CLI_TRY(extfn_value_format(&time, &text, &whole, err));
    char *letter = strchr(text, 'T');
    if (letter)
        *letter = ' ';
    whole -= whole > 0 && text[whole - 1] == 'Z';
    return cli_buf_append(buf, text, size < whole ? size : whole, err);
}

static extfn_status append_number_edge(cli_buf *buf, const cli_bins *bins, long double edge,
                                       extfn_error *err)
{
    if (bins->width <= 0)
        return append_rounded(buf, edge, err);
    long double end = bins->start + (long double)bins->count * bins->width;
    long double largest = fmaxl(fabsl(bins->start), fabsl(end));
    long double shown = fabsl(edge) < bins->width / 2 ? 0 : edge; /* what rounding left of 0 */
    if (largest < PLAIN_LIMIT && bins->width >= 1e-6L) {
        int decimals = (int)-floorl(log10l(bins->width) + 1e-9L);
        return append_number(buf, shown, true, decimals < 0 ? 0 : decimals, err);
    }
    int digits = (int)ceill(log10l(largest / bins->width)) + 1;
    return append_number(buf, shown, false, digits < 17 ? digits : 17, err);
}

extfn_status cli_bins_append_edge(cli_buf *buf, const cli_bins *bins, size_t i, extfn_error *err)
{
    long double edge = bins->start + (long double)i * bins->width;
    if (bins->type != EXTFN_DATETIME)
        return append_number_edge(buf, bins, edge, err);
    bool is_day = bins->width > 0 && fmodl(bins->width, DAY) == 0;
    bool is_minute = bins->width > 0 && fmodl(bins->width, MINUTE) == 0;
    return append_time(buf, edge, is_day ? 10 : is_minute ? 16 : 32, err);
}

extfn_status cli_bins_append_value(cli_buf *buf, extfn_type type, long double value, bool is_exact,
                                   extfn_error *err)
{
    if (type == EXTFN_DATETIME)
        return append_time(buf, value, is_exact ? 32 : 19, err);
    if (!is_exact)
        return append_rounded(buf, value, err);
    extfn_value number = extfn_value_number((double)value);
    CLI_AUTO(cli_text_clear) char *text = NULL;
    size_t size = 0;
    CLI_TRY(extfn_value_format(&number, &text, &size, err));
    return cli_buf_append(buf, text, size, err);
}
