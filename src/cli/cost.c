/* Receipts: adding them up, and telling them. SPDX-License-Identifier: MIT */
#include "cli/cost.h"

#include <inttypes.h>
#include <stdio.h>

void cli_cost_add(extfn_receipt *total, const extfn_receipt *more)
{
    total->wall_us += more->wall_us;
    total->cpu_us += more->cpu_us;
    if (more->peak_memory > total->peak_memory)
        total->peak_memory = more->peak_memory;
    total->rows += more->rows;
    total->bytes_in += more->bytes_in;
    total->bytes_out += more->bytes_out;
    total->workers_started += more->workers_started;
    total->workers_warm += more->workers_warm;
    total->memo_hits += more->memo_hits;
}

static extfn_status append_count(cli_buf *buf, uint64_t count, const char *noun, const char *tail,
                                 extfn_error *err)
{
    char text[80];
    (void)snprintf(text, sizeof(text), ", %" PRIu64 " %s%s%s", count, noun, count == 1 ? "" : "s",
                   tail);
    return cli_buf_append_text(buf, text, err);
}

extfn_status cli_cost_append(cli_buf *buf, const extfn_receipt *receipt, extfn_error *err)
{
    char text[160];
    (void)snprintf(text, sizeof(text), "%.1f ms, CPU %.1f ms", (double)receipt->wall_us / 1e3,
                   (double)receipt->cpu_us / 1e3);
    CLI_TRY(cli_buf_append_text(buf, text, err));
    (void)snprintf(text, sizeof(text), ", memory %.1f MiB", (double)receipt->peak_memory / 0x1p20);
    if (receipt->peak_memory > 0)
        CLI_TRY(cli_buf_append_text(buf, text, err));
    CLI_TRY(append_count(buf, (uint64_t)receipt->rows, "row", "", err));
    CLI_TRY(append_count(buf, receipt->bytes_in, "byte", " in", err));
    CLI_TRY(append_count(buf, receipt->bytes_out, "byte", " out", err));
    if (receipt->workers_started > 0)
        CLI_TRY(append_count(buf, receipt->workers_started, "worker", " started", err));
    if (receipt->workers_warm > 0)
        CLI_TRY(append_count(buf, receipt->workers_warm, "warm worker", "", err));
    if (receipt->memo_hits > 0)
        CLI_TRY(append_count(buf, receipt->memo_hits, "memo hit", "", err));
    return EXTFN_OK;
}

void cli_cost_tell(const extfn_receipt *receipt)
{
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    extfn_error ignored = {0};
    if (receipt->wall_us > 0 && cli_cost_append(&line, receipt, &ignored) == EXTFN_OK)
        (void)fprintf(stderr, "extfn: cost: %s\n", line.data);
}
