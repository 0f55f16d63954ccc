#include "value/value.h"

#include "base/auto.h"
#include "base/error.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

const char *extfn_type_text(extfn_type type)
{
    switch (type) {
#define X(name, code, text)                                                                        \
    case EXTFN_##name:                                                                             \
        return text;
        EXTFN_TYPE_MAP(X)
#undef X
    case EXTFN_NONE:
        return "no value";
    default:
        return "unknown type";
    }
}

const char *xf_error_kind_text(extfn_error_kind kind)
{
    switch (kind) {
#define X(name, code, text)                                                                        \
    case EXTFN_KIND_##name:                                                                        \
        return text;
        EXTFN_ERROR_KIND_MAP(X)
#undef X
    default:
        return NULL;
    }
}

char *xf_text_copy(const char *data, size_t size)
{
    size_t capacity;
    char *copy = xf_size_add(size, 1, &capacity) ? xf_alloc(capacity) : NULL;
    if (copy && size)
        memcpy(copy, data, size);
    return copy;
}

void extfn_text_free(char *text)
{
    xf_free(text);
}

void extfn_value_clear(extfn_value *value)
{
    if (!value)
        return;
    if (value->type == EXTFN_TEXT)
        xf_free(value->as.text.data);
    if (value->type == EXTFN_ERROR)
        xf_free(value->as.error.message);
    *value = (extfn_value){0};
}

extfn_value extfn_value_number(double number)
{
    return (extfn_value){.type = EXTFN_NUMBER, .as.number = number};
}

extfn_value extfn_value_boolean(bool boolean)
{
    return (extfn_value){.type = EXTFN_BOOLEAN, .as.boolean = boolean};
}

extfn_value extfn_value_datetime(int64_t microseconds)
{
    return (extfn_value){.type = EXTFN_DATETIME, .as.datetime = microseconds};
}

extfn_value extfn_value_enum(uint32_t index)
{
    return (extfn_value){.type = EXTFN_ENUM, .as.index = index};
}

static extfn_status copy_text(const char *data, size_t size, char **ret_copy, extfn_error *err)
{
    size_t valid = xf_utf8_valid_size(data, size);
    if (valid < size)
        return xf_fail(err, EXTFN_EINVAL, "text is not UTF-8 at byte %zu", valid);
    char *copy = xf_text_copy(data, size);
    if (!copy)
        return xf_fail_oom(err);
    *ret_copy = copy;
    return EXTFN_OK;
}

extfn_status extfn_value_text(const char *data, size_t size, extfn_value *ret_value,
                              extfn_error *err)
{
    char *copy = NULL;
    XF_TRY(copy_text(data, size, &copy, err));
    *ret_value = (extfn_value){.type = EXTFN_TEXT, .as.text = {.data = copy, .size = size}};
    return EXTFN_OK;
}

extfn_status xf_value_error(extfn_error_kind kind, const char *message, size_t size,
                            extfn_value *ret_value, extfn_error *err)
{
    if (!xf_error_kind_text(kind))
        return xf_fail(err, EXTFN_EINVAL, "error kind %d is unknown", (int)kind);
    char *copy = NULL;
    XF_TRY(copy_text(message, size, &copy, err));
    *ret_value = (extfn_value){.type = EXTFN_ERROR,
                               .as.error = {.message = copy, .size = size, .kind = kind}};
    return EXTFN_OK;
}

extfn_status extfn_value_error(extfn_error_kind kind, const char *message, extfn_value *ret_value,
                               extfn_error *err)
{
    return xf_value_error(kind, message, strlen(message), ret_value, err);
}

extfn_status extfn_error_value(const extfn_error *failure, extfn_value *ret_value, extfn_error *err)
{
    extfn_error_kind kind =
        failure->status == EXTFN_ETYPE ? EXTFN_KIND_TYPE_MISMATCH : EXTFN_KIND_CUSTOM;
    char message[EXTFN_MESSAGE_SIZE];
    memcpy(message, failure->message, sizeof(message));
    xf_utf8_repair(message, sizeof(message)); /* file names may be any bytes */
    return extfn_value_error(kind, message, ret_value, err);
}

extfn_status extfn_value_copy(const extfn_value *value, extfn_value *ret_value, extfn_error *err)
{
    if (value->type == EXTFN_TEXT)
        return extfn_value_text(value->as.text.data, value->as.text.size, ret_value, err);
    if (value->type == EXTFN_ERROR) {
        return xf_value_error(value->as.error.kind, value->as.error.message, value->as.error.size,
                              ret_value, err);
    }
    *ret_value = *value;
    return EXTFN_OK;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return bits;
}

static bool is_equal_bytes(const char *a, size_t a_size, const char *b, size_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

bool extfn_value_is_equal(const extfn_value *a, const extfn_value *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case EXTFN_NUMBER:
        return (isnan(a->as.number) && isnan(b->as.number)) ||
               bits_of(a->as.number) == bits_of(b->as.number);
    case EXTFN_BOOLEAN:
        return a->as.boolean == b->as.boolean;
    case EXTFN_TEXT:
        return is_equal_bytes(a->as.text.data, a->as.text.size, b->as.text.data, b->as.text.size);
    case EXTFN_DATETIME:
        return a->as.datetime == b->as.datetime;
    case EXTFN_ENUM:
        return a->as.index == b->as.index;
    case EXTFN_ERROR:
        return a->as.error.kind == b->as.error.kind &&
               is_equal_bytes(a->as.error.message, a->as.error.size, b->as.error.message,
                              b->as.error.size);
    case EXTFN_NONE:
        return true;
    }
    return false;
}
