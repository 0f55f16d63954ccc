/* Which SQL types hold which values. SPDX-License-Identifier: MIT */
#include "values.h"

#include <string.h>

SQLITE_EXTENSION_INIT3

static const char *storage_text(int storage)
{
    static const char *const texts[] = {
        [SQLITE_INTEGER] = "INTEGER", [SQLITE_FLOAT] = "REAL", [SQLITE_TEXT] = "TEXT",
        [SQLITE_BLOB] = "BLOB",       [SQLITE_NULL] = "NULL",
    };
    return texts[storage];
}

/* ---- Arguments ---- */

/* Told what the function takes and where; each is handed only SQL types that its row names. */
typedef extfn_status read_fn(sqlite3_value *given, extfn_value *ret_value, extfn_error *err);

/* 2^63 and what lies beyond would not come back as an integer. */
static extfn_status read_number(sqlite3_value *given, extfn_value *ret_value, extfn_error *err)
{
    double number = sqlite3_value_double(given);
    if (sqlite3_value_type(given) == SQLITE_INTEGER) {
        sqlite3_int64 integer = sqlite3_value_int64(given);
        if (number >= 0x1p63 || (sqlite3_int64)number != integer)
            return sql_fail(err, EXTFN_EINVAL, "no Number is exactly %lld", integer);
    }
    *ret_value = extfn_value_number(number);
    return EXTFN_OK;
}

static extfn_status read_boolean(sqlite3_value *given, extfn_value *ret_value, extfn_error *err)
{
    sqlite3_int64 integer = sqlite3_value_int64(given);
    if (integer != 0 && integer != 1)
        return sql_fail(err, EXTFN_EINVAL, "a Boolean is 0 or 1, not %lld", integer);
    *ret_value = extfn_value_boolean(integer == 1);
    return EXTFN_OK;
}

static extfn_status read_enum(sqlite3_value *given, extfn_value *ret_value, extfn_error *err)
{
    sqlite3_int64 integer = sqlite3_value_int64(given);
    if (integer < 0 || integer > UINT32_MAX)
        return sql_fail(err, EXTFN_EINVAL, "an Enum is 0 to 4294967295, not %lld", integer);
    *ret_value = extfn_value_enum((uint32_t)integer);
    return EXTFN_OK;
}

/* SQLite converts to UTF-8 before it tells the size. */
static extfn_status take_text(sqlite3_value *given, const char **ret_data, size_t *ret_size,
                              extfn_error *err)
{
    const unsigned char *data = sqlite3_value_text(given);
    if (!data)
        return sql_fail(err, EXTFN_ENOMEM, "out of memory");
    *ret_data = (const char *)data;
    *ret_size = (size_t)sqlite3_value_bytes(given);
    return EXTFN_OK;
}

static extfn_status read_text(sqlite3_value *given, extfn_value *ret_value, extfn_error *err)
{
    const char *data = NULL;
    size_t size = 0;
    SQL_TRY(take_text(given, &data, &size, err));
    return extfn_value_text(data, size, ret_value, err);
}

static extfn_status read_datetime(sqlite3_value *given, extfn_value *ret_value, extfn_error *err)
{
    const char *data = NULL;
    size_t size = 0;
    SQL_TRY(take_text(given, &data, &size, err));
    return extfn_value_parse(data, size, EXTFN_DATETIME, ret_value, err);
}

/* The SQL types that a type takes; the other one is 0 where it takes one alone. */
static const struct {
    int storage;
    int other_storage;
    read_fn *read;
} readers[] = {
    [EXTFN_NUMBER] = {SQLITE_FLOAT, SQLITE_INTEGER, read_number},
    [EXTFN_BOOLEAN] = {SQLITE_INTEGER, 0, read_boolean},
    [EXTFN_TEXT] = {SQLITE_TEXT, 0, read_text},
    [EXTFN_DATETIME] = {SQLITE_TEXT, 0, read_datetime},
    [EXTFN_ENUM] = {SQLITE_INTEGER, 0, read_enum},
};

extfn_status sql_value_read(const extfn_function *function, size_t position, sqlite3_value *given,
                            extfn_value *ret_value, extfn_error *err)
{
    const char *name = extfn_function_name(function);
    extfn_type type = extfn_function_arg_type(function, position);
    int storage = sqlite3_value_type(given);
    if (storage != readers[type].storage && storage != readers[type].other_storage) {
        return sql_fail(err, EXTFN_ETYPE,
                        "function %s: argument %zu type mismatch, expected %s, got %s", name,
                        position, extfn_type_text(type), storage_text(storage));
    }
    extfn_error cause = {0};
    extfn_status status = readers[type].read(given, ret_value, &cause);
    if (status == EXTFN_OK)
        return EXTFN_OK;
    return sql_fail(err, status, "function %s: argument %zu: %s", name, position, cause.message);
}

/* ---- Results ---- */

extfn_status sql_value_write(sqlite3_context *context, const extfn_value *value, extfn_error *err)
{
    char *text = NULL;
    size_t size = 0;
    switch (value->type) {
    case EXTFN_NUMBER:
        sqlite3_result_double(context, value->as.number);
        return EXTFN_OK;
    case EXTFN_BOOLEAN:
        sqlite3_result_int(context, value->as.boolean);
        return EXTFN_OK;
    case EXTFN_ENUM:
        sqlite3_result_int64(context, value->as.index);
        return EXTFN_OK;
    case EXTFN_TEXT:
        sqlite3_result_text64(context, value->as.text.data, value->as.text.size, SQLITE_TRANSIENT,
                              SQLITE_UTF8);
        return EXTFN_OK;
    case EXTFN_DATETIME:
        SQL_TRY(extfn_value_format(value, &text, &size, err));
        sqlite3_result_text64(context, text, size, SQLITE_TRANSIENT, SQLITE_UTF8);
        extfn_text_free(text);
        return EXTFN_OK;
    case EXTFN_NONE:
    case EXTFN_ERROR:
    default:
        return sql_fail(err, EXTFN_ERUNTIME, "a %s is no result", extfn_type_text(value->type));
    }
}

/* A JSON string of a message. */
static extfn_status quote(const char *text, char **ret_json, extfn_error *err)
{
    extfn_value value = {0};
    SQL_TRY(extfn_value_text(text, strlen(text), &value, err));
    extfn_status status = extfn_value_to_json(&value, ret_json, err);
    extfn_value_clear(&value);
    return status;
}

static extfn_status write_json(sqlite3_context *context, char *json, extfn_error *err)
{
    if (!json)
        return sql_fail(err, EXTFN_ENOMEM, "out of memory");
    sqlite3_result_text(context, json, -1, sqlite3_free);
    return EXTFN_OK;
}

extfn_status sql_outcome_write(sqlite3_context *context, const sql_outcome *outcome,
                               extfn_error *err)
{
    const char *more = outcome->is_unsandboxed ? ",\"unsandboxed\":true" : "";
    char *part = NULL;
    char *json = NULL;
    if (outcome->failure) {
        SQL_TRY(quote(outcome->failure->message, &part, err));
        json = sqlite3_mprintf("{\"error\":{\"kind\":\"%s\",\"message\":%s}%s}",
                               extfn_status_kind(outcome->failure->status), part, more);
    } else {
        SQL_TRY(extfn_value_to_json(outcome->value, &part, err));
        json = sqlite3_mprintf("{\"ok\":%s%s}", part, more);
    }
    extfn_text_free(part);
    return write_json(context, json, err);
}
