/* Rows in this process: WebAssembly. SPDX-License-Identifier: MIT */
#include "eval/batch.h"

#include "base/clock.h"
#include "eval/modules.h"
#include "eval/receipt.h"

static extfn_status get_module(extfn_host *host, extfn_function *function,
                               const extfn_call_options *options, const xf_patience *patience,
                               xf_wasm_module **ret_module, extfn_error *err)
{
    const xf_wasm_limits limits = {.row_us = host->options.start_timeout_us,
                                   .until_us = patience->until_us,
                                   .batch_us = options->deadline_us,
                                   .cancel_fd = patience->cancel_fd};
    return xf_modules_get(host, function, &limits, ret_module, err);
}

extfn_status xf_in_process_check(extfn_host *host, extfn_function *function,
                                 const extfn_call_options *options, extfn_error *err)
{
    const xf_patience patience = xf_patience_of(options);
    xf_wasm_module *module = NULL;
    XF_TRY(get_module(host, function, options, &patience, &module, err));
    xf_wasm_module_unref(module);
    return EXTFN_OK;
}

static extfn_status begin(xf_batch *run, extfn_error *err)
{
    if (run->arguments.rows == 0)
        return EXTFN_OK;
    xf_wasm_module *module = NULL;
    int64_t begun_us = xf_receipt_thread_begin(run);
    extfn_status status =
        get_module(run->host, run->function, &run->options, &run->patience, &module, err);
    xf_receipt_thread_end(run, begun_us);
    run->state = module;
    if (module)
        xf_batch_note_stamp(run, xf_wasm_module_stamp(module));
    return status;
}

static extfn_status evaluate(xf_batch *run, extfn_error *err)
{
    int64_t from = extfn_column_rows(run->result);
    int64_t first = 0;
    int64_t count = xf_select_run(&run->arguments, from, run->take, &first);
    XF_TRY(xf_append_refused(&run->arguments, 0, first, run->result, err));
    if (count == 0)
        return EXTFN_OK;
    const xf_wasm_rows rows = {
        .module = run->state,
        .columns = run->arguments.columns,
        .first = first,
        .end = first + count,
        .text_limit = run->result_limit,
        .limits = {.row_us = run->limit_us,
                   .until_us = run->patience.until_us,
                   .batch_us = run->options.deadline_us,
                   .cancel_fd = run->patience.cancel_fd},
    };
    bool is_all = first == 0 && count == run->arguments.rows;
    int64_t begun_us = is_all ? 0 : xf_clock_now();
    XF_TRY(xf_wasm_rows_run(&rows, run->result, err));
    if (!is_all)
        xf_batch_adapt(run, count, xf_clock_now() - begun_us, true);
    return EXTFN_OK;
}

/* Waits for nothing: it evaluates some rows. */
static extfn_status step(xf_batch *run, bool may_wait, extfn_error *err)
{
    (void)may_wait;
    int64_t begun_us = xf_receipt_thread_begin(run);
    extfn_status status = evaluate(run, err);
    xf_receipt_thread_end(run, begun_us);
    return status;
}

static extfn_status watch(const xf_batch *run, xf_watch *watch, extfn_error *err)
{
    (void)run;
    (void)err;
    watch->until_us = 0;
    return EXTFN_OK;
}

static void end(xf_batch *run, bool is_done)
{
    (void)is_done;
    xf_wasm_module_unref(run->state);
}

const xf_executor xf_in_process = {.begin = begin, .step = step, .watch = watch, .end = end};
