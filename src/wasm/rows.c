#include "wasm/rows.h"

#include "os/stack.h"
#include "value/column.h"
#include "wasm/columns.h"
#include "wasm/values.h"

/* From here on the loop module pays: below, making it takes longer than it saves. */
#define LOOP_ROWS 64

/* What a thread of our own has, where the caller's has less than a module may use. */
#define OWN_STACK_SIZE (2 * XF_WASM_STACK_NEED)

typedef struct run {
    const xf_wasm_rows *rows;
    xf_wasm_watch watch;
    extfn_column *result;
    extfn_error *err;
    extfn_status status;
} run;

static extfn_status evaluate_in(xf_wasm_session *session, const xf_wasm_rows *rows, int64_t row,
                                extfn_column *result, extfn_error *err)
{
    wasmtime_val_raw_t raws[XF_WASM_RAW_LIMIT];
    XF_TRY(xf_wasm_values_pass(session, rows->columns, row, raws, err));
    XF_TRY(xf_wasm_session_call(session, &session->call, raws, rows->module->raw_count, err));
    return xf_wasm_values_append(session, raws, result, err);
}

/* The batch does not want more. */
static bool is_full(const run *it)
{
    uint64_t limit = it->rows->text_limit;
    return limit > 0 && xf_column_text_size(it->result) > limit;
}

/* ---- Modules with state: an instance a row ---- */

static extfn_status evaluate_fresh(run *it, int64_t row, extfn_error *err)
{
    xf_wasm_session *session = NULL;
    XF_TRY(xf_wasm_session_take(it->rows->module, &it->watch, &session, err));
    extfn_status status = evaluate_in(session, it->rows, row, it->result, err);
    xf_wasm_session_free(session);
    return status;
}

static extfn_status run_fresh(run *it, extfn_error *err)
{
    for (int64_t row = it->rows->first; row < it->rows->end && !is_full(it); row++) {
        XF_TRY(xf_wasm_watch_check(&it->watch, err));
        xf_wasm_watch_begin_row(&it->watch);
        extfn_error failure = {0};
        extfn_status status = evaluate_fresh(it, row, &failure);
        XF_TRY(xf_wasm_rows_settle(&it->watch, status, &failure, it->result, err));
    }
    return EXTFN_OK;
}

/* ---- Modules without: one session for all ---- */

static extfn_status run_singly(run *it, xf_wasm_session *session, extfn_error *err)
{
    for (int64_t row = it->rows->first; row < it->rows->end && !is_full(it); row++) {
        xf_wasm_watch_begin_row(&it->watch);
        extfn_error failure = {0};
        extfn_status status = evaluate_in(session, it->rows, row, it->result, &failure);
        if (status != EXTFN_OK)
            XF_TRY(xf_wasm_rows_settle(&it->watch, status, &failure, it->result, err));
    }
    return EXTFN_OK;
}

static extfn_status run_in_loop(run *it, xf_wasm_session *session, extfn_error *err)
{
    XF_TRY(xf_wasm_session_add_loop(session, err));
    session->is_in_loop = true;
    extfn_status status = xf_wasm_columns_run(session, it->rows, it->result, err);
    session->is_in_loop = false;
    return status;
}

static extfn_status run_shared(run *it, extfn_error *err)
{
    XF_TRY(xf_wasm_watch_check(&it->watch, err));
    xf_wasm_session *session = NULL;
    XF_TRY(xf_wasm_session_take(it->rows->module, &it->watch, &session, err));
    bool is_long = it->rows->end - it->rows->first >= LOOP_ROWS;
    extfn_status status = is_long ? run_in_loop(it, session, err) : run_singly(it, session, err);
    if (status == EXTFN_OK)
        xf_wasm_session_give(session);
    else
        xf_wasm_session_free(session);
    return status;
}

/* ---- The call ---- */

static void do_run(void *context)
{
    run *it = context;
    it->status = it->rows->module->has_state ? run_fresh(it, it->err) : run_shared(it, it->err);
}

extfn_status xf_wasm_rows_run(const xf_wasm_rows *rows, extfn_column *result, extfn_error *err)
{
    xf_wasm_ticker *ticker = &rows->module->engine->ticker;
    run it = {.rows = rows, .watch.limits = rows->limits, .result = result, .err = err};
    XF_TRY(xf_wasm_ticker_begin(ticker, err));
    extfn_status status = EXTFN_OK;
    if (xf_stack_left() >= XF_WASM_STACK_NEED)
        do_run(&it);
    else
        status = xf_stack_call(OWN_STACK_SIZE, do_run, &it, err);
    xf_wasm_ticker_end(ticker);
    return status == EXTFN_OK ? it.status : status;
}
