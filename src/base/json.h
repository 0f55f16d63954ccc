/* Pull reader and writer of JSON (RFC 8259): the caller says what it expects, nothing is built.
 * Nesting is bounded, text must be UTF-8, lone surrogates are refused. SPDX-License-Identifier: MIT
 */
#ifndef XF_BASE_JSON_H
#define XF_BASE_JSON_H

#include "base/buf.h"

#define XF_JSON_DEPTH_LIMIT 64

/* Starts as `= {.data = data, .size = size}`. */
typedef struct xf_json {
    const char *data;
    size_t size;
    size_t at;
    unsigned depth;
} xf_json;

typedef enum xf_json_kind {
    XF_JSON_NULL,
    XF_JSON_BOOLEAN,
    XF_JSON_NUMBER,
    XF_JSON_STRING,
    XF_JSON_ARRAY,
    XF_JSON_OBJECT,
} xf_json_kind;

/* What the next value is, by its first character; nothing is consumed but space. */
EXTFN_MUST_CHECK extfn_status xf_json_peek(xf_json *scan, xf_json_kind *ret_kind, extfn_error *err);

EXTFN_MUST_CHECK extfn_status xf_json_read_boolean(xf_json *scan, bool *ret_boolean,
                                                   extfn_error *err);

/* Nearest double of any length of digits; beyond the range an error. */
EXTFN_MUST_CHECK extfn_status xf_json_read_number(xf_json *scan, double *ret_number,
                                                  extfn_error *err);

/* Replaces the content of ret_text by the decoded string (its limit holds). */
EXTFN_MUST_CHECK extfn_status xf_json_read_string(xf_json *scan, xf_buf *ret_text,
                                                  extfn_error *err);

/* Arrays: enter, then next before each element until ret_has is false (the end is consumed). */
EXTFN_MUST_CHECK extfn_status xf_json_enter_array(xf_json *scan, extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_json_next_element(xf_json *scan, bool *ret_has, extfn_error *err);

/* Objects: the same; ret_name gets the member's name, and the reader stands at its value. */
EXTFN_MUST_CHECK extfn_status xf_json_enter_object(xf_json *scan, extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_json_next_member(xf_json *scan, xf_buf *ret_name, bool *ret_has,
                                                  extfn_error *err);

/* Skips one value, checking its syntax; start and size are its text within the input. */
EXTFN_MUST_CHECK extfn_status xf_json_skip(xf_json *scan, const char **ret_start, size_t *ret_size,
                                           extfn_error *err);

/* Nothing but space may follow. */
EXTFN_MUST_CHECK extfn_status xf_json_end(xf_json *scan, extfn_error *err);

/* Writers append; the data of write_string must be UTF-8 (checked: EXTFN_EINVAL). */
EXTFN_MUST_CHECK extfn_status xf_json_write_string(xf_buf *out, const char *data, size_t size,
                                                   extfn_error *err);

/* Finite numbers only; see xf_number_write. */
EXTFN_MUST_CHECK extfn_status xf_json_write_number(xf_buf *out, double number, extfn_error *err);

/* Appends a literal piece of JSON such as `{"id":`. */
EXTFN_MUST_CHECK extfn_status xf_json_write_raw(xf_buf *out, const char *text, extfn_error *err);

#endif
