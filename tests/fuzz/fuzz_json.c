/* JSON and text as values and columns: what is read must be JSON, and must come back when written.
 */
#include "base/auto.h"
#include "value/column.h"
#include "value/json.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void free_column(extfn_column **slot)
{
    extfn_column_free(*slot);
}

static bool is_json(const char *json, size_t size)
{
    xf_json scan = {.data = json, .size = size};
    const char *start;
    size_t value_size;
    if (xf_json_skip(&scan, &start, &value_size, NULL) != EXTFN_OK)
        return false;
    demand(start >= json && value_size > 0 && start + value_size == json + scan.at);
    return xf_json_end(&scan, NULL) == EXTFN_OK;
}

static void try_value(const char *json, size_t size, extfn_type type)
{
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    XF_AUTO(extfn_value_clear) extfn_value again = {0};
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    extfn_error err = {0};
    if (extfn_value_from_json(json, size, type, &value, &err) != EXTFN_OK) {
        demand(err.message[0] != '\0');
        return;
    }
    demand(is_json(json, size));
    demand(type == EXTFN_NONE || value.type == type || value.type == EXTFN_ERROR);
    demand(xf_value_write_json(&out, &value, NULL) == EXTFN_OK);
    demand(extfn_value_from_json(out.data, out.size, type, &again, NULL) == EXTFN_OK);
    demand(extfn_value_is_equal(&value, &again));
}

static extfn_status read_column(const char *json, size_t size, extfn_type type,
                                extfn_column **ret_column)
{
    xf_json scan = {.data = json, .size = size};
    return xf_column_read_json(&scan, type, "x", ret_column, NULL);
}

static void try_column(const char *json, size_t size, extfn_type type)
{
    XF_AUTO(free_column) extfn_column *column = NULL;
    XF_AUTO(free_column) extfn_column *again = NULL;
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    if (read_column(json, size, type, &column) != EXTFN_OK)
        return;
    demand(xf_column_write_json(&out, column, NULL) == EXTFN_OK);
    demand(read_column(out.data, out.size, type, &again) == EXTFN_OK);
    demand(column->rows == again->rows && column->error_count == again->error_count);
    for (int64_t row = 0; row < column->rows; row++) {
        extfn_value before = xf_column_view(column, row);
        extfn_value after = xf_column_view(again, row);
        demand(extfn_value_is_equal(&before, &after));
    }
}

static void try_text(const char *text, size_t size, extfn_type type)
{
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    XF_AUTO(extfn_value_clear) extfn_value again = {0};
    XF_AUTO_FREE char *formatted = NULL;
    size_t formatted_size = 0;
    if (extfn_value_parse(text, size, type, &value, NULL) != EXTFN_OK)
        return;
    demand(extfn_value_format(&value, &formatted, &formatted_size, NULL) == EXTFN_OK);
    demand(extfn_value_parse(formatted, formatted_size, type, &again, NULL) == EXTFN_OK);
    demand(extfn_value_is_equal(&value, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    (void)is_json(text, size);
    for (extfn_type type = EXTFN_NONE; type <= EXTFN_ERROR; type++) {
        try_value(text, size, type);
        try_column(text, size, type);
        try_text(text, size, type);
    }
    return 0;
}
