#include "wasm/values.h"

#include "base/text.h"
#include "value/column.h"
#include "value/datetime.h"

#include <inttypes.h>
#include <string.h>

#define TEXT_LIMIT ((size_t)16 << 20)

/* ---- In ---- */

/* Asks the module for a place and copies the text there. */
static extfn_status pass_text(xf_wasm_session *session, const extfn_value *value,
                              wasmtime_val_raw_t ret_raws[2], extfn_error *err)
{
    const xf_wasm_api *wt = &session->module->engine->api;
    size_t size = value->as.text.size;
    wasmtime_val_raw_t place = {.i64 = (int64_t)size};
    XF_TRY(xf_wasm_session_call(session, &session->alloc, &place, 1, err));
    uint32_t pointer = (uint32_t)place.i32;
    size_t memory_size = wt->wasmtime_memory_data_size(session->context, &session->memory);
    if (pointer > memory_size || size > memory_size - pointer) {
        return xf_fail(err, EXTFN_ERUNTIME,
                       "improv_alloc(%zu) returned %" PRIu32 ", which is outside of the memory of "
                       "%zu bytes",
                       size, pointer, memory_size);
    }
    if (size > 0)
        memcpy(wt->wasmtime_memory_data(session->context, &session->memory) + pointer,
               value->as.text.data, size);
    ret_raws[0].i64 = pointer;
    ret_raws[1].i64 = (int64_t)size;
    return EXTFN_OK;
}

static void pass_fixed(const extfn_value *value, wasmtime_val_raw_t *ret_raw)
{
    switch (value->type) {
    case EXTFN_NUMBER:
        ret_raw->f64 = value->as.number;
        break;
    case EXTFN_BOOLEAN:
        ret_raw->i64 = value->as.boolean;
        break;
    case EXTFN_DATETIME:
        ret_raw->i64 = value->as.datetime;
        break;
    case EXTFN_ENUM:
        ret_raw->i64 = value->as.index;
        break;
    case EXTFN_NONE:
    case EXTFN_TEXT:
    case EXTFN_ERROR:
        break;
    }
}

extfn_status xf_wasm_values_pass(xf_wasm_session *session, const extfn_column *const *columns,
                                 int64_t row, wasmtime_val_raw_t raws[XF_WASM_RAW_LIMIT],
                                 extfn_error *err)
{
    size_t at = 0;
    for (size_t i = 0; i < session->module->signature.arg_count; i++) {
        extfn_value value = xf_column_view(columns[i], row);
        if (value.type == EXTFN_TEXT) {
            XF_TRY(pass_text(session, &value, raws + at, err));
            at += 2;
        } else {
            pass_fixed(&value, raws + at);
            at++;
        }
    }
    return EXTFN_OK;
}

/* ---- Out ---- */

extfn_status xf_wasm_values_check(extfn_type type, int64_t bits, extfn_error *err)
{
    int32_t word = (int32_t)bits;
    if (type == EXTFN_BOOLEAN && word != 0 && word != 1) {
        return xf_fail(err, EXTFN_ERUNTIME,
                       "return type mismatch: expected Boolean, got i32 %" PRId32, word);
    }
    if (type == EXTFN_DATETIME && !xf_datetime_is_valid(bits)) {
        return xf_fail(err, EXTFN_ERUNTIME,
                       "result out of range: DateTime is in the years 0001 to 9999");
    }
    return EXTFN_OK;
}

static extfn_status append_text(xf_wasm_session *session, uint64_t place, extfn_column *result,
                                extfn_error *err)
{
    const xf_wasm_api *wt = &session->module->engine->api;
    size_t pointer = (size_t)(place >> 32);
    size_t size = (size_t)(place & UINT32_MAX);
    size_t memory_size = wt->wasmtime_memory_data_size(session->context, &session->memory);
    if (pointer > memory_size || size > memory_size - pointer) {
        return xf_fail(err, EXTFN_ERUNTIME,
                       "result text of %zu bytes at %zu is outside of the memory of %zu bytes",
                       size, pointer, memory_size);
    }
    if (size > TEXT_LIMIT) {
        return xf_fail(err, EXTFN_ERUNTIME, "result too large: %zu MiB, the limit is 16 MiB",
                       (size + (1U << 20) - 1) >> 20);
    }
    const uint8_t *memory = wt->wasmtime_memory_data(session->context, &session->memory);
    extfn_status status =
        extfn_column_append_text(result, (const char *)memory + pointer, size, err);
    return status == EXTFN_EINVAL ? xf_fail(err, EXTFN_ERUNTIME, "result is not valid Unicode text")
                                  : status;
}

extfn_status xf_wasm_values_append(xf_wasm_session *session, const wasmtime_val_raw_t *raw,
                                   extfn_column *result, extfn_error *err)
{
    if (result->type == EXTFN_TEXT)
        return append_text(session, (uint64_t)raw->i64, result, err);
    XF_TRY(xf_wasm_values_check(result->type, raw->i64, err));
    if (result->type == EXTFN_BOOLEAN)
        return xf_column_append_raw(result, &(uint8_t){raw->i32 == 1}, 1, err);
    /* Little-endian, as the engine keeps raw values: an index is the first half. */
    return xf_column_append_raw(result, raw, 1, err);
}
