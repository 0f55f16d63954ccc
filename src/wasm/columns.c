#include "wasm/columns.h"

#include "value/column.h"
#include "wasm/values.h"

#include <string.h>

#define BOOLEAN_RUN 1024

/* ---- In ---- */

static void copy_in(const xf_wasm_session *session, const xf_wasm_rows *rows, int64_t first,
                    uint32_t count)
{
    const xf_wasm_module *module = session->module;
    for (size_t i = 0; i < module->signature.arg_count; i++) {
        size_t width = xf_column_width(module->signature.args[i]);
        memcpy(session->loop_data + module->loop_plan.arg_starts[i],
               rows->columns[i]->values.data + (size_t)first * width, count * width);
    }
}

/* ---- Out ---- */

extfn_status xf_wasm_rows_settle(const xf_wasm_watch *watch, extfn_status status,
                                 const extfn_error *failure, extfn_column *result, extfn_error *err)
{
    bool is_of_row =
        status == EXTFN_ERUNTIME || (status == EXTFN_ETIMEOUT && watch->stop == XF_WASM_STOP_ROW);
    if (is_of_row)
        return xf_column_append_failure(result, EXTFN_KIND_CUSTOM, status, failure->message, err);
    return status == EXTFN_OK ? EXTFN_OK : xf_fail(err, status, "%s", failure->message);
}

static int64_t bits_at(const uint8_t *results, size_t width, uint32_t at)
{
    int64_t bits = 0;
    memcpy(&bits, results + at * width, width);
    return bits;
}

/* Results from `at` on that the type may have. */
static uint32_t good_run(const uint8_t *results, size_t width, extfn_type type, uint32_t at,
                         uint32_t end)
{
    uint32_t next = at;
    while (next < end &&
           xf_wasm_values_check(type, bits_at(results, width, next), NULL) == EXTFN_OK)
        next++;
    return next - at;
}

static extfn_status append_booleans(const uint8_t *results, uint32_t count, extfn_column *result,
                                    extfn_error *err)
{
    uint8_t booleans[BOOLEAN_RUN];
    for (uint32_t at = 0; at < count; at += BOOLEAN_RUN) {
        uint32_t part = count - at < BOOLEAN_RUN ? count - at : BOOLEAN_RUN;
        for (uint32_t i = 0; i < part; i++)
            booleans[i] = results[(size_t)(at + i) * sizeof(int32_t)];
        XF_TRY(xf_column_append_raw(result, booleans, part, err));
    }
    return EXTFN_OK;
}

static extfn_status append_run(const uint8_t *results, size_t width, uint32_t at, uint32_t count,
                               extfn_column *result, extfn_error *err)
{
    const uint8_t *start = results + at * width;
    if (result->type == EXTFN_BOOLEAN)
        return append_booleans(start, count, result, err);
    return xf_column_append_raw(result, start, count, err);
}

/* Rows `first` to `end` of the chunk, which have their results. */
static extfn_status copy_out(const xf_wasm_session *session, uint32_t first, uint32_t end,
                             extfn_column *result, extfn_error *err)
{
    const uint8_t *results = session->loop_data + session->module->loop_plan.ret_start;
    size_t width = xf_wasm_loop_ret_width(result->type);
    bool is_any = result->type == EXTFN_NUMBER || result->type == EXTFN_ENUM;
    uint32_t at = first;
    while (at < end) {
        uint32_t good = is_any ? end - at : good_run(results, width, result->type, at, end);
        XF_TRY(append_run(results, width, at, good, result, err));
        at += good;
        if (at == end)
            break;
        extfn_error failure = {0};
        extfn_status status =
            xf_wasm_values_check(result->type, bits_at(results, width, at), &failure);
        XF_TRY(xf_wasm_rows_settle(session->watch, status, &failure, result, err));
        at++;
    }
    return EXTFN_OK;
}

/* ---- Chunks ---- */

/* Rows `at` to `end` of the chunk. A row that fails ends the run: the loop begins again after it.
 */
static extfn_status run_part(xf_wasm_session *session, uint32_t at, uint32_t end,
                             extfn_column *result, uint32_t *ret_next, extfn_error *err)
{
    wasmtime_val_raw_t raws[2] = {{.i64 = at}, {.i64 = end}};
    extfn_error failure = {0};
    xf_wasm_watch_begin_row(session->watch);
    extfn_status status = xf_wasm_session_call(session, &session->loop_run, raws, 2, &failure);
    if (status == EXTFN_OK) {
        *ret_next = end;
        return copy_out(session, at, end, result, err);
    }
    uint32_t row = (uint32_t)xf_wasm_session_row(session);
    if (row < at || row >= end)
        row = at;
    XF_TRY(copy_out(session, at, row, result, err));
    *ret_next = row + 1;
    return xf_wasm_rows_settle(session->watch, status, &failure, result, err);
}

extfn_status xf_wasm_columns_run(xf_wasm_session *session, const xf_wasm_rows *rows,
                                 extfn_column *result, extfn_error *err)
{
    int64_t first = rows->first;
    while (first < rows->end) {
        int64_t left = rows->end - first;
        uint32_t most = session->module->loop_plan.rows;
        uint32_t count = left < most ? (uint32_t)left : most;
        copy_in(session, rows, first, count);
        uint32_t at = 0;
        while (at < count)
            XF_TRY(run_part(session, at, count, result, &at, err));
        first += count;
    }
    return EXTFN_OK;
}
