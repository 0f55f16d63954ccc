/* One typed value, and its text forms. SPDX-License-Identifier: MIT */
#ifndef EXTFN_VALUE_H
#define EXTFN_VALUE_H

#include <extfn/error.h>

EXTFN_BEGIN

/* X(name, code, text). Text is how descriptors and messages name the type. */
#define EXTFN_TYPE_MAP(X)                                                                          \
    X(NUMBER, 1, "Number") /* IEEE 754 binary64 */                                                 \
    X(BOOLEAN, 2, "Boolean")                                                                       \
    X(TEXT, 3, "Text")         /* UTF-8, U+0000 allowed */                                         \
    X(DATETIME, 4, "DateTime") /* UTC, microseconds since 1970, years 0001 to 9999 */              \
    X(ENUM, 5, "Enum")         /* an index, 0 to 2^32-1 */                                         \
    X(ERROR, 6, "Error")       /* a value may be an error; no function declares it */

typedef enum extfn_type {
    EXTFN_NONE = 0, /* an empty value */
#define X(name, code, text) EXTFN_##name = (code),
    EXTFN_TYPE_MAP(X)
#undef X
} extfn_type;

/* A static string such as "Number"; never NULL. */
EXTFN_API const char *extfn_type_text(extfn_type type);

/* X(name, code, text) of the kinds of an Error value. */
#define EXTFN_ERROR_KIND_MAP(X)                                                                    \
    X(CUSTOM, 0, "custom")                                                                         \
    X(TYPE_MISMATCH, 1, "type_mismatch")                                                           \
    X(DIMENSION_MISMATCH, 2, "dimension_mismatch")                                                 \
    X(DIVISION_BY_ZERO, 3, "division_by_zero")                                                     \
    X(MISSING_INPUT, 4, "missing_input")

typedef enum extfn_error_kind {
#define X(name, code, text) EXTFN_KIND_##name = (code),
    EXTFN_ERROR_KIND_MAP(X)
#undef X
} extfn_error_kind;

/* Starts as `= {0}`. Text and message are owned, allocated by this library and NUL-terminated. */
typedef struct extfn_value {
    extfn_type type;
    union {
        double number;
        bool boolean;
        int64_t datetime;
        uint32_t index;
        struct {
            char *data;
            size_t size; /* bytes, without the NUL */
        } text;
        struct {
            char *message;
            size_t size;
            extfn_error_kind kind;
        } error;
    } as;
} extfn_value;

/* Frees what the value owns and makes it empty; NULL is allowed. */
EXTFN_API void extfn_value_clear(extfn_value *value);

/* Values that own nothing. A datetime out of range fails only where it is used. */
EXTFN_API extfn_value extfn_value_number(double number);
EXTFN_API extfn_value extfn_value_boolean(bool boolean);
EXTFN_API extfn_value extfn_value_datetime(int64_t microseconds);
EXTFN_API extfn_value extfn_value_enum(uint32_t index);

/* Copies the text. EXTFN_EINVAL when it is not UTF-8. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_value_text(const char *data, size_t size,
                                                         extfn_value *ret_value, extfn_error *err);
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_value_error(extfn_error_kind kind,
                                                          const char *message,
                                                          extfn_value *ret_value, extfn_error *err);

/* The Error value that stands in a cell for a failed call: TypeMismatch is type_mismatch, every
 * other status is custom; the message is the error's own. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_error_value(const extfn_error *failure,
                                                          extfn_value *ret_value, extfn_error *err);

EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_value_copy(const extfn_value *value,
                                                         extfn_value *ret_value, extfn_error *err);

/* Same type and same content; Numbers by their bits, all NaNs equal. */
EXTFN_API bool extfn_value_is_equal(const extfn_value *a, const extfn_value *b);

/* Reads one JSON value of the wanted type; EXTFN_NONE takes what the JSON says:
 * number, boolean, string, or an object marked "__improv__". EXTFN_EINVAL says what is wrong. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_value_from_json(const char *json, size_t size,
                                                              extfn_type type,
                                                              extfn_value *ret_value,
                                                              extfn_error *err);

/* One line of JSON, NUL-terminated, freed by extfn_text_free. EXTFN_EINVAL for an empty value. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_value_to_json(const extfn_value *value,
                                                            EXTFN_OWN char **ret_json,
                                                            extfn_error *err);

/* Reads what a person or a CSV cell writes: `3`, `-1e9`, `NaN`, `inf`; `true`, `false`; any text;
 * RFC 3339; an index. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_value_parse(const char *text, size_t size,
                                                          extfn_type type, extfn_value *ret_value,
                                                          extfn_error *err);

/* The same form written, so that extfn_value_parse reads it back; an Error is its message. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_value_format(const extfn_value *value,
                                                           EXTFN_OWN char **ret_text,
                                                           size_t *ret_size, extfn_error *err);

/* Frees any text that this library returned; NULL is allowed. */
EXTFN_API void extfn_text_free(char *text);

EXTFN_END

#endif
