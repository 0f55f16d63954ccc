/* How a function's results are distributed: charts in SVG, and figures. SPDX-License-Identifier:
 * MIT
 */
#include "cli/page_parts.h"

#include "cli/alloc.h"
#include "cli/bins.h"

#include <inttypes.h>
#include <stdio.h>

#define VALUES_SHOWN 12U
#define CHART_HEIGHT 100.0

static void free_steps(cli_spread_step **slot)
{
    cli_free(*slot);
}

static cli_page_text decimal(double number)
{
    cli_page_text text = {{0}};
    (void)snprintf(text.data, sizeof(text.data), "%.3f", number);
    return text;
}

/* ---- Figures ---- */

/* A name and a value for the list below a chart. */
static extfn_status append_figure(cli_page_writer *writer, const char *name, const char *value)
{
    return CLI_PAGE_PART(writer, "figure", cli_page_field("name", name),
                         cli_page_field("value", value));
}

static extfn_status append_count(cli_page_writer *writer, const char *name, int64_t count)
{
    return count > 0 ? append_figure(writer, name, cli_page_count(count).data) : EXTFN_OK;
}

static extfn_status append_value(cli_page_writer *writer, const char *name, extfn_type type,
                                 long double value, bool is_exact)
{
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    CLI_TRY(cli_bins_append_value(&text, type, value, is_exact, writer->err));
    return append_figure(writer, name, text.data);
}

/* The median of many different values is one near it, and that of two may lie between them. */
static extfn_status append_middle(cli_page_writer *writer, const cli_spread *spread,
                                  const cli_spread_step *steps)
{
    bool is_number = spread->type == EXTFN_NUMBER;
    bool is_exact = spread->shift == 0;
    long double median = cli_spread_median(spread, steps);
    CLI_TRY(append_value(writer, is_exact ? "median" : "median, about", spread->type, median,
                         is_exact));
    return is_number ? append_value(writer, "mean", spread->type, cli_spread_mean(spread), false)
                     : EXTFN_OK;
}

static extfn_status append_figures(cli_page_writer *writer, const cli_spread *spread,
                                   const cli_spread_step *steps)
{
    bool is_number = spread->type == EXTFN_NUMBER;
    CLI_TRY(CLI_PAGE_PLAIN(writer, "figures"));
    if (spread->count > 0) {
        CLI_TRY(append_value(writer, is_number ? "min" : "earliest", spread->type,
                             cli_spread_min(spread), true));
        CLI_TRY(append_middle(writer, spread, steps));
        CLI_TRY(append_value(writer, is_number ? "max" : "latest", spread->type,
                             cli_spread_max(spread), true));
    }
    CLI_TRY(append_count(writer, is_number ? "finite" : "results", spread->count));
    CLI_TRY(append_count(writer, "NaN", spread->nans));
    CLI_TRY(append_count(writer, "infinite", spread->positive_infinities));
    CLI_TRY(append_count(writer, "negative infinite", spread->negative_infinities));
    return CLI_PAGE_PLAIN(writer, "figures_end");
}

/* ---- Histogram ---- */

/* A bin's ends as `0 to 5`, or the one value of all. */
static extfn_status append_range(cli_buf *buf, const cli_bins *bins, size_t i, extfn_error *err)
{
    CLI_TRY(cli_bins_append_edge(buf, bins, i, err));
    if (bins->width <= 0)
        return EXTFN_OK;
    CLI_TRY(cli_buf_append_text(buf, " to ", err));
    return cli_bins_append_edge(buf, bins, i + 1, err);
}

static extfn_status append_bar(cli_page_writer *writer, const cli_bins *bins, size_t i)
{
    CLI_AUTO(cli_buf_clear) cli_buf title = {0};
    CLI_TRY(append_range(&title, bins, i, writer->err));
    CLI_TRY(cli_buf_append_text(&title, ": ", writer->err));
    CLI_TRY(
        cli_buf_append_text(&title, cli_page_counted(bins->counts[i], "row").data, writer->err));
    double height = CHART_HEIGHT * (double)bins->counts[i] / (double)bins->highest;
    if (bins->counts[i] > 0 && height < 1)
        height = 1; /* one row among a million can be seen */
    cli_page_text x = decimal((double)i);
    cli_page_text y = decimal(CHART_HEIGHT - height);
    cli_page_text tall = decimal(height);
    return CLI_PAGE_PART(writer, "bar", cli_page_field("title", title.data),
                         cli_page_field("x", x.data), cli_page_field("y", y.data),
                         cli_page_field("height", tall.data));
}

static extfn_status append_median(cli_page_writer *writer, const cli_spread *spread,
                                  const cli_spread_step *steps, const cli_bins *bins)
{
    long double median = cli_spread_median(spread, steps);
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    if (bins->width <= 0)
        return EXTFN_OK;
    CLI_TRY(cli_bins_append_value(&text, spread->type, median, false, writer->err));
    cli_page_text x = decimal((double)((median - bins->start) / bins->width));
    return CLI_PAGE_PART(writer, "median", cli_page_field("x", x.data),
                         cli_page_field("median", text.data));
}

/* Edges at both ends and in the middle; of one value, that alone. */
static extfn_status append_axis(cli_page_writer *writer, const cli_bins *bins)
{
    CLI_AUTO(cli_buf_clear) cli_buf start = {0};
    CLI_AUTO(cli_buf_clear) cli_buf middle = {0};
    CLI_AUTO(cli_buf_clear) cli_buf end = {0};
    bool is_one = bins->width <= 0;
    CLI_TRY(cli_buf_append_text(&start, "", writer->err));
    CLI_TRY(cli_buf_append_text(&end, "", writer->err));
    if (!is_one) {
        CLI_TRY(cli_bins_append_edge(&start, bins, 0, writer->err));
        CLI_TRY(cli_bins_append_edge(&end, bins, bins->count, writer->err));
    }
    CLI_TRY(cli_bins_append_edge(&middle, bins, bins->count / 2, writer->err));
    return CLI_PAGE_PART(writer, "axis", cli_page_field("start", start.data),
                         cli_page_field("middle", middle.data), cli_page_field("end", end.data));
}

static extfn_status append_chart_head(cli_page_writer *writer, const cli_spread *spread,
                                      const cli_bins *bins, const char *id)
{
    const char *noun = spread->type == EXTFN_NUMBER ? "finite number" : "datetime";
    CLI_AUTO(cli_buf_clear) cli_buf description = {0};
    char title[CLI_PAGE_LINE_SIZE];
    cli_page_text counted = cli_page_counted(spread->count, noun);
    (void)snprintf(title, sizeof(title), "Distribution of %s%s", counted.data,
                   bins->width > 0 ? "; the line is the median" : "");
    CLI_TRY(cli_buf_append_text(&description, "Histogram of ", writer->err));
    CLI_TRY(cli_buf_append_text(&description, counted.data, writer->err));
    CLI_TRY(cli_buf_append_text(&description, " from ", writer->err));
    CLI_TRY(cli_bins_append_edge(&description, bins, 0, writer->err));
    CLI_TRY(cli_buf_append_text(&description, " to ", writer->err));
    CLI_TRY(cli_bins_append_edge(&description, bins, bins->count, writer->err));
    cli_page_text highest = cli_page_counted(bins->highest, "row");
    cli_page_text wide = cli_page_count((int64_t)bins->count);
    return CLI_PAGE_PART(writer, "histogram", cli_page_field("title", title),
                         cli_page_field("id", id), cli_page_field("highest", highest.data),
                         cli_page_field("bins", wide.data),
                         cli_page_field("description", description.data));
}

static extfn_status append_histogram(cli_page_writer *writer, const cli_spread *spread,
                                     const cli_spread_step *steps, const char *id)
{
    const cli_bins bins = cli_bins_make(spread, steps);
    CLI_TRY(append_chart_head(writer, spread, &bins, id));
    for (size_t i = 0; i < bins.count; i++)
        CLI_TRY(append_bar(writer, &bins, i));
    CLI_TRY(append_median(writer, spread, steps, &bins));
    return append_axis(writer, &bins);
}

static extfn_status append_spread(cli_page_writer *writer, const cli_spread *spread, const char *id)
{
    CLI_AUTO(free_steps) cli_spread_step *steps = NULL;
    CLI_TRY(cli_spread_list(spread, &steps, writer->err));
    if (spread->count > 0)
        CLI_TRY(append_histogram(writer, spread, steps, id));
    return append_figures(writer, spread, steps);
}

/* ---- Frequent values ---- */

static extfn_status append_frequent(cli_page_writer *writer, const cli_counts *values,
                                    const cli_count *value, int64_t total)
{
    size_t size = 0;
    const char *kept = cli_counts_text(values, value, &size);
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    CLI_TRY(cli_buf_append(&text, kept, size, writer->err));
    CLI_TRY(cli_buf_append_text(&text, size < value->size ? "\xE2\x80\xA6" : "", writer->err));
    const cli_html_field field = {"value", text.data, text.size};
    cli_page_text rows = cli_page_count(value->count);
    cli_page_text share = cli_page_share(value->count, total);
    cli_page_text width = decimal(100.0 * (double)value->count / (double)total);
    return CLI_PAGE_PART(writer, "value", field, cli_page_field("rows", rows.data),
                         cli_page_field("share", share.data), cli_page_field("width", width.data));
}

/* `More than 4,096 different values; the most frequent ones of the first 4,096`: those that came
 * later are not known. */
static void title_of(const cli_counts *values, bool is_unique, char title[CLI_PAGE_LINE_SIZE])
{
    cli_page_text known = cli_page_count((int64_t)values->used);
    cli_page_text counted = cli_page_counted((int64_t)values->used, "different value");
    bool is_more = values->others > 0;
    bool is_part = is_more || values->used > VALUES_SHOWN;
    const char *what = is_unique ? "; none comes twice" : is_part ? "; the most frequent ones" : "";
    (void)snprintf(title, CLI_PAGE_LINE_SIZE, "%s%s%s%s%s", is_more ? "More than " : "",
                   counted.data, what, is_more ? " of the first " : "", is_more ? known.data : "");
}

/* A sentence in place of the table where no value comes twice. */
static extfn_status append_values(cli_page_writer *writer, cli_counts *values, int64_t total)
{
    cli_counts_sort(values);
    bool is_unique = values->all[0].count == 1 && values->used > VALUES_SHOWN;
    char title[CLI_PAGE_LINE_SIZE];
    title_of(values, is_unique, title);
    if (is_unique)
        return CLI_PAGE_PART(writer, "sentence", cli_page_field("text", title));
    size_t shown = values->used < VALUES_SHOWN ? values->used : VALUES_SHOWN;
    CLI_TRY(CLI_PAGE_PART(writer, "values", cli_page_field("title", title)));
    for (size_t i = 0; i < shown; i++)
        CLI_TRY(append_frequent(writer, values, &values->all[i], total));
    return CLI_PAGE_PLAIN(writer, "values_end");
}

extfn_status cli_page_distribution(cli_page_writer *writer, cli_survey *survey, const char *id)
{
    int64_t total = survey->rows - survey->failed;
    CLI_TRY(CLI_PAGE_PLAIN(writer, "results"));
    const char *none =
        survey->rows == 0 ? "No row was evaluated." : "No row has a result: all failed.";
    if (total == 0)
        return CLI_PAGE_PART(writer, "sentence", cli_page_field("text", none));
    if (survey->values.used > 0)
        return append_values(writer, &survey->values, total);
    return append_spread(writer, &survey->spread, id);
}
