#include "eval/receipt.h"

#include "base/clock.h"
#include "value/column.h"

#include <string.h>

void xf_receipt_begin(xf_batch *run)
{
    if (run->options.receipt)
        run->begun_us = xf_clock_now();
}

uint64_t xf_receipt_take(xf_batch *run, xf_worker *worker, bool is_warm)
{
    if (!run->options.receipt)
        return 0;
    *(is_warm ? &run->receipt.workers_warm : &run->receipt.workers_started) += 1;
    if (!is_warm)
        return 0;
    xf_worker_usage usage;
    bool is_known = xf_worker_measure(worker, run->patience.until_us, &usage);
    return is_known ? usage.cpu_us : UINT64_MAX; /* then nothing of it is taken to be the call's */
}

void xf_receipt_leave(xf_batch *run, xf_worker *worker, uint64_t cpu_before_us)
{
    if (!run->options.receipt || !worker)
        return;
    extfn_receipt *receipt = &run->receipt;
    xf_worker_usage usage;
    if (!xf_worker_measure(worker, -1, &usage))
        return;
    if (usage.cpu_us > cpu_before_us)
        receipt->cpu_us += usage.cpu_us - cpu_before_us;
    if (usage.peak_memory > receipt->peak_memory)
        receipt->peak_memory = usage.peak_memory;
}

int64_t xf_receipt_thread_begin(const xf_batch *run)
{
    return run->options.receipt ? xf_clock_of_thread() : 0;
}

void xf_receipt_thread_end(xf_batch *run, int64_t begun_us)
{
    if (run->options.receipt)
        run->receipt.cpu_us += (uint64_t)(xf_clock_of_thread() - begun_us);
}

void xf_receipt_add(xf_batch *run, const xf_batch *part)
{
    extfn_receipt *total = &run->receipt;
    const extfn_receipt *more = &part->receipt;
    total->cpu_us += more->cpu_us;
    if (more->peak_memory > total->peak_memory)
        total->peak_memory = more->peak_memory;
    total->workers_started += more->workers_started;
    total->workers_warm += more->workers_warm;
}

static uint64_t size_of(const extfn_column *column)
{
    return column ? column->values.size + column->bytes.size : 0;
}

void xf_receipt_hand_over(const xf_batch *run)
{
    extfn_receipt *given = run->options.receipt;
    if (!given)
        return;
    extfn_receipt receipt = run->receipt;
    receipt.struct_size = given->struct_size;
    receipt.wall_us = xf_clock_now() - run->begun_us;
    receipt.rows = run->result ? extfn_column_rows(run->result) : 0;
    receipt.bytes_out = size_of(run->result);
    for (size_t i = 0; i < run->arguments.column_count; i++)
        receipt.bytes_in += size_of(run->arguments.columns[i]);
    memcpy(given, &receipt,
           receipt.struct_size < sizeof(receipt) ? receipt.struct_size : sizeof(receipt));
}
