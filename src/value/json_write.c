#include "base/auto.h"
#include "value/column.h"
#include "value/datetime.h"
#include "value/json.h"
#include "value/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static extfn_status write_number(xf_buf *out, double number, extfn_error *err)
{
    if (isfinite(number))
        return xf_json_write_number(out, number, err);
    XF_TRY(xf_json_write_raw(out, "{\"__improv__\":\"number\",\"value\":\"", err));
    XF_TRY(xf_json_write_raw(out,
                             isnan(number) ? "NaN"
                             : number < 0  ? "-Infinity"
                                           : "Infinity",
                             err));
    return xf_json_write_raw(out, "\"}", err);
}

static extfn_status write_datetime(xf_buf *out, int64_t datetime, extfn_error *err)
{
    if (!xf_datetime_is_valid(datetime))
        return xf_fail(err, EXTFN_EINVAL, "datetime is not within the years 0001 to 9999");
    char text[XF_DATETIME_SIZE];
    (void)xf_datetime_write(datetime, text);
    XF_TRY(xf_json_write_raw(out, "{\"__improv__\":\"datetime\",\"value\":\"", err));
    XF_TRY(xf_json_write_raw(out, text, err));
    return xf_json_write_raw(out, "\"}", err);
}

static extfn_status write_enum(xf_buf *out, uint32_t index, extfn_error *err)
{
    char text[64];
    (void)snprintf(text, sizeof(text), "{\"__improv__\":\"enum\",\"value\":%" PRIu32 "}", index);
    return xf_json_write_raw(out, text, err);
}

static extfn_status write_error(xf_buf *out, const extfn_value *value, extfn_error *err)
{
    const char *kind = xf_error_kind_text(value->as.error.kind);
    if (!kind)
        return xf_fail(err, EXTFN_EINVAL, "error kind %d is unknown", (int)value->as.error.kind);
    XF_TRY(xf_json_write_raw(out, "{\"__improv__\":\"error\",\"kind\":\"", err));
    XF_TRY(xf_json_write_raw(out, kind, err));
    XF_TRY(xf_json_write_raw(out, "\",\"message\":", err));
    XF_TRY(xf_json_write_string(out, value->as.error.message, value->as.error.size, err));
    return xf_json_write_raw(out, "}", err);
}

extfn_status xf_value_write_json(xf_buf *out, const extfn_value *value, extfn_error *err)
{
    switch (value->type) {
    case EXTFN_NUMBER:
        return write_number(out, value->as.number, err);
    case EXTFN_BOOLEAN:
        return xf_json_write_raw(out, value->as.boolean ? "true" : "false", err);
    case EXTFN_TEXT:
        return xf_json_write_string(out, value->as.text.data, value->as.text.size, err);
    case EXTFN_DATETIME:
        return write_datetime(out, value->as.datetime, err);
    case EXTFN_ENUM:
        return write_enum(out, value->as.index, err);
    case EXTFN_ERROR:
        return write_error(out, value, err);
    case EXTFN_NONE:
        break;
    }
    return xf_fail(err, EXTFN_EINVAL, "%s has no JSON", extfn_type_text(value->type));
}

extfn_status extfn_value_to_json(const extfn_value *value, char **ret_json, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    XF_TRY(xf_value_write_json(&out, value, err));
    XF_TRY(xf_buf_append(&out, "", 1, err));
    *ret_json = XF_STEAL(out.data);
    return EXTFN_OK;
}

extfn_status xf_column_write_json(xf_buf *out, const extfn_column *column, extfn_error *err)
{
    XF_TRY(xf_json_write_raw(out, "[", err));
    for (int64_t row = 0; row < column->rows; row++) {
        extfn_value view = xf_column_view(column, row);
        if (row > 0)
            XF_TRY(xf_json_write_raw(out, ",", err));
        XF_TRY(xf_value_write_json(out, &view, err));
    }
    return xf_json_write_raw(out, "]", err);
}
