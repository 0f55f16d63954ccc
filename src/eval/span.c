#include "base/alloc.h"
#include "eval/lane.h"

extfn_status xf_span_new(extfn_column *whole, int64_t first, int64_t end, xf_span **ret_span,
                         extfn_error *err)
{
    xf_span *span = xf_alloc(sizeof(*span));
    if (!span)
        return xf_fail_oom(err);
    *span = (xf_span){.end = end};
    if (first == extfn_column_rows(whole)) {
        span->result = whole;
    } else {
        span->base = first;
        extfn_status status = extfn_column_new(extfn_column_type(whole), &span->result, err);
        if (status != EXTFN_OK) {
            xf_free(span);
            return status;
        }
    }
    *ret_span = span;
    return EXTFN_OK;
}

void xf_span_free(xf_span *span, const extfn_column *whole)
{
    if (span->result != whole)
        extfn_column_free(span->result);
    xf_streak_clear(&span->deadly);
    xf_buf_clear(&span->refusal);
    xf_buf_clear(&span->out);
    xf_buf_clear(&span->err);
    xf_free(span);
}

int64_t xf_span_next_row(const xf_span *span)
{
    return span->base + extfn_column_rows(span->result);
}

/* The batch's own column may have grown further already, by the rows after these. */
bool xf_span_is_decided(const xf_span *span)
{
    return xf_span_next_row(span) >= span->end;
}
