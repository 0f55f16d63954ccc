/* Records as JSON. SPDX-License-Identifier: MIT */
#include <extfn/record.h>

#include "base/auto.h"
#include "record/format.h"
#include "value/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static extfn_status write_text(xf_buf *out, const char *head, const char *text, extfn_error *err)
{
    if (!text)
        return EXTFN_OK;
    XF_TRY(xf_json_write_raw(out, head, err));
    return xf_json_write_string(out, text, strlen(text), err);
}

static extfn_status write_circumstances(xf_buf *out, const extfn_record *record, extfn_error *err)
{
    const char *policy = xf_record_policies[record->policy == EXTFN_TRUSTED];
    XF_TRY(write_text(out, ",\n \"version\":", record->version, err));
    XF_TRY(write_text(out, ",\n \"platform\":", record->platform, err));
    XF_TRY(write_text(out, ",\n \"interpreter\":", record->interpreter, err));
    XF_TRY(write_text(out, ",\n \"interpreter_version\":", record->interpreter_version, err));
    XF_TRY(write_text(out, ",\n \"packages\":", record->packages, err));
    XF_TRY(write_text(out, ",\n \"policy\":", policy, err));
    return record->is_unsandboxed ? xf_json_write_raw(out, ",\n \"unsandboxed\":true", err)
                                  : EXTFN_OK;
}

static extfn_status write_limits(xf_buf *out, const extfn_record *record, extfn_error *err)
{
    for (size_t i = 0; i < XF_RECORD_LIMIT_COUNT; i++) {
        char text[80];
        (void)snprintf(text, sizeof(text), "%s\"%s\":%" PRIu64, i ? "," : ",\n \"limits\":{",
                       xf_record_limits[i].name, xf_record_limit_get(record, i));
        XF_TRY(xf_json_write_raw(out, text, err));
    }
    return xf_json_write_raw(out, "}", err);
}

static extfn_status write_call(xf_buf *out, const extfn_record *record, extfn_error *err)
{
    XF_AUTO_FREE char *function = NULL;
    XF_TRY(extfn_function_to_json(record->function, &function, err));
    XF_TRY(xf_json_write_raw(out, ",\n \"function\":", err));
    XF_TRY(xf_json_write_raw(out, function, err));
    XF_TRY(xf_json_write_raw(out, ",\n \"args\":[", err));
    for (size_t i = 0; i < record->arg_count; i++) {
        if (i > 0)
            XF_TRY(xf_json_write_raw(out, ",", err));
        XF_TRY(xf_value_write_json(out, &record->args[i], err));
    }
    return xf_json_write_raw(out, "]", err);
}

static extfn_status write_outcome(xf_buf *out, const extfn_record *record, extfn_error *err)
{
    const extfn_error *outcome = &record->outcome;
    XF_TRY(write_text(out, ",\n \"outcome\":{\"kind\":", extfn_status_kind(outcome->status), err));
    XF_TRY(write_text(out, ",\"message\":", outcome->message, err));
    if (record->stderr_data) {
        XF_TRY(xf_json_write_raw(out, ",\"stderr\":", err));
        XF_TRY(xf_json_write_string(out, record->stderr_data, record->stderr_size, err));
    }
    return xf_json_write_raw(out, "}", err);
}

extfn_status extfn_record_to_json(const extfn_record *record, char **ret_json, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf out = {.limit = EXTFN_RECORD_LIMIT};
    XF_TRY(xf_json_write_raw(&out, "{\"extfn_record\":" XF_RECORD_FORMAT_TEXT, err));
    XF_TRY(write_circumstances(&out, record, err));
    XF_TRY(write_limits(&out, record, err));
    XF_TRY(write_call(&out, record, err));
    XF_TRY(write_outcome(&out, record, err));
    XF_TRY(xf_buf_append(&out, "}\n", sizeof("}\n"), err));
    *ret_json = XF_STEAL(out.data);
    return EXTFN_OK;
}
