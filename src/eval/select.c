#include "eval/select.h"

#include "base/auto.h"
#include "base/text.h"
#include "value/column.h"
#include "worker/encode.h"

#include <stdio.h>

/* Rows of one call are read by the worker at once: beyond this many bytes nothing gets faster. */
#define CALL_SIZE (16U << 20)

static const char *refusal(const xf_arguments *arguments, const extfn_column *column, int64_t row)
{
    if (column->type == EXTFN_TEXT) {
        const int64_t *offsets = extfn_column_text_offsets(column);
        if (offsets[row + 1] - offsets[row] > XF_VALUE_LIMIT)
            return "too large, the limit is 16 MiB";
    } else if (column->type != EXTFN_DATETIME) {
        return NULL;
    }
    if (!arguments->language->refusal)
        return NULL;
    extfn_value value = xf_column_view(column, row);
    return arguments->language->refusal(&value);
}

static bool is_refused(const xf_arguments *arguments, int64_t row)
{
    for (size_t i = 0; i < arguments->column_count; i++) {
        const extfn_column *column = arguments->columns[i];
        if (column->error_count > 0 && xf_column_error_at(column, row))
            return true;
        if (refusal(arguments, column, row))
            return true;
    }
    return false;
}

/* Rows that need no look each: of fixed width, none an error, none that a language might refuse. */
static bool are_plain(const xf_arguments *arguments)
{
    for (size_t i = 0; i < arguments->column_count; i++) {
        const extfn_column *column = arguments->columns[i];
        if (column->error_count > 0 || column->type == EXTFN_TEXT ||
            (column->type == EXTFN_DATETIME && arguments->language->refusal))
            return false;
    }
    return true;
}

static uint32_t select_plain(const xf_arguments *arguments, int64_t from, uint32_t limit,
                             int64_t *selected, int64_t *ret_end)
{
    size_t size = xf_row_size(arguments->columns, arguments->column_count, from);
    int64_t count = size > 0 ? (int64_t)(CALL_SIZE / size) : limit;
    count = count > limit ? limit : count;
    count = count > arguments->rows - from ? arguments->rows - from : count;
    for (int64_t i = 0; i < count; i++)
        selected[i] = from + i;
    *ret_end = from + count;
    return (uint32_t)count;
}

uint32_t xf_select(const xf_arguments *arguments, int64_t from, uint32_t limit, int64_t *selected,
                   int64_t *ret_end)
{
    if (are_plain(arguments))
        return select_plain(arguments, from, limit, selected, ret_end);
    size_t room = xf_rows_size_limit(arguments->column_count);
    size_t left = CALL_SIZE < room ? CALL_SIZE : room;
    uint32_t count = 0;
    int64_t row = from;
    for (; row < arguments->rows && count < limit; row++) {
        size_t size = xf_row_size(arguments->columns, arguments->column_count, row);
        if (size > room || is_refused(arguments, row))
            continue;
        if (size > left && count > 0)
            break;
        left -= size < left ? size : left;
        selected[count++] = row;
    }
    *ret_end = row;
    return count;
}

int64_t xf_select_run(const xf_arguments *arguments, int64_t from, int64_t limit,
                      int64_t *ret_first)
{
    bool is_plain = are_plain(arguments);
    int64_t first = from;
    while (!is_plain && first < arguments->rows && is_refused(arguments, first))
        first++;
    int64_t most = arguments->rows - first < limit ? arguments->rows - first : limit;
    int64_t count = is_plain ? most : 0;
    while (count < most && !is_refused(arguments, first + count))
        count++;
    *ret_first = first;
    return count;
}

static extfn_status append_refusal(const xf_arguments *arguments, int64_t row, extfn_column *result,
                                   extfn_error *err)
{
    for (size_t i = 0; i < arguments->column_count; i++) {
        const xf_column_error *failure = xf_column_error_at(arguments->columns[i], row);
        if (failure)
            return xf_column_append_failure(result, failure->kind, failure->status,
                                            failure->message, err);
    }
    for (size_t i = 0; i < arguments->column_count; i++) {
        const char *reason = refusal(arguments, arguments->columns[i], row);
        if (!reason)
            continue;
        char message[256];
        (void)snprintf(message, sizeof(message), "argument %zu: %s", i, reason);
        return xf_column_append_failure(result, EXTFN_KIND_CUSTOM, EXTFN_ERUNTIME, message, err);
    }
    return xf_column_append_failure(result, EXTFN_KIND_CUSTOM, EXTFN_ERUNTIME,
                                    "the arguments are too large together, the limit is 64 MiB",
                                    err);
}

extfn_status xf_append_refused(const xf_arguments *arguments, int64_t base, int64_t end,
                               extfn_column *result, extfn_error *err)
{
    while (base + extfn_column_rows(result) < end)
        XF_TRY(append_refusal(arguments, base + extfn_column_rows(result), result, err));
    return EXTFN_OK;
}
