/* Receipts as JSON, for rpc and the command line. */
#include "base/auto.h"
#include "base/json.h"

#include <extfn/receipt.h>

#include <inttypes.h>
#include <stdio.h>

extfn_status extfn_receipt_to_json(const extfn_receipt *receipt, char **ret_json, extfn_error *err)
{
    const struct {
        const char *name;
        uint64_t amount;
    } members[] = {
        {"wall_us", (uint64_t)receipt->wall_us},
        {"cpu_us", receipt->cpu_us},
        {"peak_memory", receipt->peak_memory},
        {"rows", (uint64_t)receipt->rows},
        {"bytes_in", receipt->bytes_in},
        {"bytes_out", receipt->bytes_out},
        {"workers_started", receipt->workers_started},
        {"workers_warm", receipt->workers_warm},
        {"memo_hits", receipt->memo_hits},
    };
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        char text[64];
        (void)snprintf(text, sizeof(text), "%s\"%s\":%" PRIu64, i ? "," : "{", members[i].name,
                       members[i].amount);
        XF_TRY(xf_json_write_raw(&out, text, err));
    }
    XF_TRY(xf_buf_append(&out, "}", 2, err));
    *ret_json = XF_STEAL(out.data);
    return EXTFN_OK;
}
