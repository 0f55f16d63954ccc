/* Writing replies. SPDX-License-Identifier: MIT */
#include "rpc/reply.h"

#include "base/auto.h"
#include "base/text.h"
#include "value/json.h"

#include <string.h>

/* The id as it stood. Line ends can only be space between its tokens: a reply is one line. */
static extfn_status write_id(xf_buf *out, const xf_slice *id, extfn_error *err)
{
    XF_TRY(xf_json_write_raw(out, "{\"id\":", err));
    if (!id->data)
        return xf_json_write_raw(out, "null", err);
    size_t start = out->size;
    XF_TRY(xf_buf_append(out, id->data, id->size, err));
    for (size_t i = start; i < out->size; i++) {
        if (out->data[i] == '\n' || out->data[i] == '\r')
            out->data[i] = ' ';
    }
    return EXTFN_OK;
}

/* A string of any bytes. */
static extfn_status write_bytes(xf_buf *out, const char *data, size_t size, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    if (xf_utf8_is_valid(data, size))
        return xf_json_write_string(out, data, size, err);
    XF_TRY(xf_buf_append_utf8(&text, data, size, err));
    return xf_json_write_string(out, text.data, text.size, err);
}

static extfn_status write_error(xf_buf *out, const extfn_error *failure, extfn_error *err)
{
    const char *kind = extfn_status_kind(failure->status);
    XF_TRY(xf_json_write_raw(out, ",\"error\":{\"kind\":", err));
    XF_TRY(xf_json_write_string(out, kind, strlen(kind), err));
    XF_TRY(xf_json_write_raw(out, ",\"message\":", err));
    XF_TRY(write_bytes(out, failure->message, strlen(failure->message), err));
    return xf_json_write_raw(out, "}", err);
}

static extfn_status write_result(xf_buf *out, const xf_outcome *outcome, extfn_error *err)
{
    if (outcome->failure)
        return write_error(out, outcome->failure, err);
    if (outcome->column) {
        XF_TRY(xf_json_write_raw(out, ",\"rows\":", err));
        return xf_column_write_json(out, outcome->column, err);
    }
    XF_TRY(xf_json_write_raw(out, ",\"ok\":", err));
    return xf_value_write_json(out, outcome->value, err);
}

static extfn_status write_stream(xf_buf *out, const char *member, const char *data, size_t size,
                                 extfn_error *err)
{
    if (size == 0)
        return EXTFN_OK;
    XF_TRY(xf_json_write_raw(out, member, err));
    return write_bytes(out, data, size, err);
}

static extfn_status write_receipt(xf_buf *out, const extfn_receipt *receipt, extfn_error *err)
{
    if (!receipt)
        return EXTFN_OK;
    XF_AUTO_FREE char *json = NULL;
    XF_TRY(extfn_receipt_to_json(receipt, &json, err));
    XF_TRY(xf_json_write_raw(out, ",\"cost\":", err));
    return xf_json_write_raw(out, json, err);
}

extfn_status xf_reply_write(xf_buf *out, const xf_slice *id, const xf_outcome *outcome,
                            extfn_error *err)
{
    const extfn_output *output = outcome->output;
    XF_TRY(write_id(out, id, err));
    XF_TRY(write_result(out, outcome, err));
    XF_TRY(write_stream(out, ",\"stdout\":", output->stdout_data, output->stdout_size, err));
    XF_TRY(write_stream(out, ",\"stderr\":", output->stderr_data, output->stderr_size, err));
    XF_TRY(write_receipt(out, outcome->receipt, err));
    return xf_json_write_raw(out, output->is_unsandboxed ? ",\"unsandboxed\":true}" : "}", err);
}
