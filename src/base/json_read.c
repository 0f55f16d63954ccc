#include "base/json.h"

#include "base/text.h"

#include <string.h>

static extfn_status fail_at(const xf_json *scan, size_t at, const char *what, extfn_error *err)
{
    return xf_fail(err, EXTFN_EINVAL, "invalid JSON at byte %zu: %s%s", at, what,
                   at >= scan->size ? ", got the end" : "");
}

static extfn_status fail_here(const xf_json *scan, const char *what, extfn_error *err)
{
    return fail_at(scan, scan->at, what, err);
}

/* The character where the reader stands; NUL, which has no place in JSON, at the end. */
static char current(const xf_json *scan)
{
    if (scan->at >= scan->size)
        return '\0';
    return scan->data[scan->at];
}

static bool accept(xf_json *scan, char wanted)
{
    if (scan->at >= scan->size || scan->data[scan->at] != wanted)
        return false;
    scan->at++;
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static void skip_space(xf_json *scan)
{
    while (is_space(current(scan)))
        scan->at++;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

extfn_status xf_json_peek(xf_json *scan, xf_json_kind *ret_kind, extfn_error *err)
{
    static const struct {
        char first;
        xf_json_kind kind;
    } kinds[] = {
        {'"', XF_JSON_STRING},  {'{', XF_JSON_OBJECT},  {'[', XF_JSON_ARRAY}, {'-', XF_JSON_NUMBER},
        {'t', XF_JSON_BOOLEAN}, {'f', XF_JSON_BOOLEAN}, {'n', XF_JSON_NULL},
    };
    skip_space(scan);
    char first = current(scan);
    if (is_digit(first)) {
        *ret_kind = XF_JSON_NUMBER;
        return EXTFN_OK;
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (first == kinds[i].first) {
            *ret_kind = kinds[i].kind;
            return EXTFN_OK;
        }
    }
    return fail_here(scan, "expected a value", err);
}

static bool accept_word(xf_json *scan, const char *word)
{
    size_t size = strlen(word);
    if (scan->size - scan->at < size || memcmp(scan->data + scan->at, word, size) != 0)
        return false;
    scan->at += size;
    return true;
}

extfn_status xf_json_read_boolean(xf_json *scan, bool *ret_boolean, extfn_error *err)
{
    skip_space(scan);
    bool is_true = accept_word(scan, "true");
    if (!is_true && !accept_word(scan, "false"))
        return fail_here(scan, "expected true or false", err);
    *ret_boolean = is_true;
    return EXTFN_OK;
}

static extfn_status scan_digits(xf_json *scan, extfn_error *err)
{
    if (!is_digit(current(scan)))
        return fail_here(scan, "expected a digit", err);
    while (is_digit(current(scan)))
        scan->at++;
    return EXTFN_OK;
}

static extfn_status scan_number(xf_json *scan, extfn_error *err)
{
    (void)accept(scan, '-');
    if (!accept(scan, '0'))
        XF_TRY(scan_digits(scan, err));
    if (accept(scan, '.'))
        XF_TRY(scan_digits(scan, err));
    if (accept(scan, 'e') || accept(scan, 'E')) {
        if (!accept(scan, '+'))
            (void)accept(scan, '-');
        XF_TRY(scan_digits(scan, err));
    }
    return EXTFN_OK;
}

extfn_status xf_json_read_number(xf_json *scan, double *ret_number, extfn_error *err)
{
    skip_space(scan);
    if (current(scan) != '-' && !is_digit(current(scan)))
        return fail_here(scan, "expected a number", err);
    size_t start = scan->at;
    XF_TRY(scan_number(scan, err));
    extfn_status status = xf_number_read(scan->data + start, scan->at - start, ret_number, err);
    return status == EXTFN_EINVAL ? xf_fail_context(err, status, "invalid JSON at byte %zu", start)
                                  : status;
}

/* ---- Strings: `text` is NULL where they are only checked ---- */

static extfn_status append(xf_buf *text, const char *data, size_t size, extfn_error *err)
{
    return text ? xf_buf_append(text, data, size, err) : EXTFN_OK;
}

/* Everything up to a quote, an escape, a control character or the end. */
static extfn_status read_plain(xf_json *scan, xf_buf *text, extfn_error *err)
{
    const char *start = scan->data + scan->at;
    size_t left = scan->size - scan->at;
    size_t size = 0;
    while (size < left && (unsigned char)start[size] >= 0x20 && start[size] != '"' &&
           start[size] != '\\')
        size++;
    size_t valid = xf_utf8_valid_size(start, size);
    if (valid < size)
        return fail_at(scan, scan->at + valid, "text is not UTF-8", err);
    scan->at += size;
    return append(text, start, size, err);
}

/* The four digits of a \u escape, after the `u`. */
static extfn_status read_unit(xf_json *scan, uint32_t *ret_unit, extfn_error *err)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        char c = current(scan);
        const char *digit = strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
        if (c == '\0' || !digit)
            return fail_here(scan, "expected a hexadecimal digit", err);
        unit = unit * 16 + (uint32_t)(digit - digits);
        scan->at++;
    }
    *ret_unit = unit;
    return EXTFN_OK;
}

static extfn_status append_point(xf_buf *text, uint32_t point, extfn_error *err)
{
    static const struct {
        uint32_t last;
        unsigned lead, size;
    } forms[] = {{0x7f, 0, 1}, {0x7ff, 0xc0, 2}, {0xffff, 0xe0, 3}, {0x10ffff, 0xf0, 4}};
    size_t form = 0;
    while (point > forms[form].last)
        form++;
    char bytes[4];
    for (size_t i = forms[form].size - 1; i > 0; i--) {
        bytes[i] = (char)(0x80 | (point & 0x3f));
        point >>= 6;
    }
    bytes[0] = (char)(forms[form].lead | point);
    return append(text, bytes, forms[form].size, err);
}

/* One code point: a \u escape, or two that are a surrogate pair, after the first `u`. */
static extfn_status read_point(xf_json *scan, xf_buf *text, extfn_error *err)
{
    size_t start = scan->at - 2;
    uint32_t point = 0;
    XF_TRY(read_unit(scan, &point, err));
    if (point < 0xd800 || point > 0xdfff)
        return append_point(text, point, err);
    uint32_t low = 0;
    if (point < 0xdc00 && accept_word(scan, "\\u"))
        XF_TRY(read_unit(scan, &low, err));
    if (low < 0xdc00 || low > 0xdfff)
        return fail_at(scan, start, "lone surrogate", err);
    return append_point(text, 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00), err);
}

static extfn_status read_escape(xf_json *scan, xf_buf *text, extfn_error *err)
{
    static const char names[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    if (accept(scan, 'u'))
        return read_point(scan, text, err);
    const char *name = strchr(names, current(scan));
    if (current(scan) == '\0' || !name)
        return fail_here(scan, "unknown escape", err);
    scan->at++;
    return append(text, &meanings[name - names], 1, err);
}

static extfn_status read_string(xf_json *scan, xf_buf *text, extfn_error *err)
{
    skip_space(scan);
    if (!accept(scan, '"'))
        return fail_here(scan, "expected a string", err);
    for (;;) {
        XF_TRY(read_plain(scan, text, err));
        if (accept(scan, '"'))
            return EXTFN_OK;
        if (!accept(scan, '\\')) {
            return fail_here(scan,
                             scan->at < scan->size ? "raw control character" : "expected '\"'",
                             err);
        }
        XF_TRY(read_escape(scan, text, err));
    }
}

extfn_status xf_json_read_string(xf_json *scan, xf_buf *ret_text, extfn_error *err)
{
    ret_text->size = 0;
    return read_string(scan, ret_text, err);
}

/* ---- Arrays and objects ---- */

static extfn_status enter(xf_json *scan, char open, const char *what, extfn_error *err)
{
    skip_space(scan);
    if (current(scan) != open)
        return fail_here(scan, what, err);
    if (scan->depth >= XF_JSON_DEPTH_LIMIT)
        return fail_here(scan, "nested too deeply", err);
    scan->at++;
    scan->depth++;
    return EXTFN_OK;
}

extfn_status xf_json_enter_array(xf_json *scan, extfn_error *err)
{
    return enter(scan, '[', "expected an array", err);
}

extfn_status xf_json_enter_object(xf_json *scan, extfn_error *err)
{
    return enter(scan, '{', "expected an object", err);
}

/* No value ends in the character that opens an array or object, so that one right before the
 * reader means that nothing was read since. */
static extfn_status next(xf_json *scan, char open, char close, const char *what, bool *ret_has,
                         extfn_error *err)
{
    bool is_first = scan->at > 0 && scan->data[scan->at - 1] == open;
    skip_space(scan);
    if (accept(scan, close)) {
        scan->depth--;
        *ret_has = false;
        return EXTFN_OK;
    }
    if (!is_first && !accept(scan, ','))
        return fail_here(scan, what, err);
    *ret_has = true;
    return EXTFN_OK;
}

extfn_status xf_json_next_element(xf_json *scan, bool *ret_has, extfn_error *err)
{
    return next(scan, '[', ']', "expected ',' or ']'", ret_has, err);
}

static extfn_status next_member(xf_json *scan, xf_buf *name, bool *ret_has, extfn_error *err)
{
    bool has = false;
    XF_TRY(next(scan, '{', '}', "expected ',' or '}'", &has, err));
    if (has) {
        XF_TRY(read_string(scan, name, err));
        skip_space(scan);
        if (!accept(scan, ':'))
            return fail_here(scan, "expected ':'", err);
    }
    *ret_has = has;
    return EXTFN_OK;
}

extfn_status xf_json_next_member(xf_json *scan, xf_buf *ret_name, bool *ret_has, extfn_error *err)
{
    ret_name->size = 0;
    return next_member(scan, ret_name, ret_has, err);
}

/* ---- Whole values ---- */

_Static_assert(XF_JSON_DEPTH_LIMIT <= 64, "skip keeps one bit a level");

/* Skips a scalar or enters an array or object; bit n of `objects` says what level n is. */
static extfn_status skip_start(xf_json *scan, uint64_t *objects, extfn_error *err)
{
    xf_json_kind kind;
    XF_TRY(xf_json_peek(scan, &kind, err));
    switch (kind) {
    case XF_JSON_NULL:
        return accept_word(scan, "null") ? EXTFN_OK : fail_here(scan, "expected null", err);
    case XF_JSON_BOOLEAN:
        return xf_json_read_boolean(scan, &(bool){false}, err);
    case XF_JSON_NUMBER:
        return scan_number(scan, err);
    case XF_JSON_STRING:
        return read_string(scan, NULL, err);
    case XF_JSON_ARRAY:
        XF_TRY(xf_json_enter_array(scan, err));
        *objects &= ~(UINT64_C(1) << (scan->depth - 1));
        return EXTFN_OK;
    case XF_JSON_OBJECT:
        XF_TRY(xf_json_enter_object(scan, err));
        *objects |= UINT64_C(1) << (scan->depth - 1);
        return EXTFN_OK;
    }
    return EXTFN_EINVAL;
}

static extfn_status skip_next(xf_json *scan, uint64_t objects, bool *ret_has, extfn_error *err)
{
    bool is_object = objects >> (scan->depth - 1) & 1;
    return is_object ? next_member(scan, NULL, ret_has, err)
                     : xf_json_next_element(scan, ret_has, err);
}

extfn_status xf_json_skip(xf_json *scan, const char **ret_start, size_t *ret_size, extfn_error *err)
{
    skip_space(scan);
    size_t start = scan->at;
    unsigned outside = scan->depth;
    uint64_t objects = 0;
    do {
        XF_TRY(skip_start(scan, &objects, err));
        bool has_next = false;
        while (scan->depth > outside && !has_next)
            XF_TRY(skip_next(scan, objects, &has_next, err));
    } while (scan->depth > outside);
    *ret_start = scan->data + start;
    *ret_size = scan->at - start;
    return EXTFN_OK;
}

extfn_status xf_json_end(xf_json *scan, extfn_error *err)
{
    skip_space(scan);
    return scan->at < scan->size ? fail_here(scan, "unexpected text after the value", err)
                                 : EXTFN_OK;
}
