#include "base/buf.h"
#include "base/text.h"
#include "value/datetime.h"
#include "value/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static extfn_status fail(const char *wanted, const char *text, size_t size, extfn_error *err)
{
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL, "expected %s, got %s", wanted,
                   xf_text_quote(text, size, quoted));
}

/* Whether the text is `word` (in lower case), in any case; no locale has a say. */
static bool is_word(const char *text, size_t size, const char *word)
{
    if (size != strlen(word))
        return false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i])
            return false;
    }
    return true;
}

typedef extfn_status parse_fn(const char *text, size_t size, extfn_value *ret_value,
                              extfn_error *err);

static extfn_status parse_number(const char *text, size_t size, extfn_value *ret_value,
                                 extfn_error *err)
{
    size_t sign_size = size > 0 && (text[0] == '-' || text[0] == '+');
    const char *word = text + sign_size;
    size_t word_size = size - sign_size;
    double number;
    if (is_word(text, size, "nan")) {
        number = (double)NAN;
    } else if (is_word(word, word_size, "inf") || is_word(word, word_size, "infinity")) {
        number = (double)(text[0] == '-' ? -INFINITY : INFINITY);
    } else {
        XF_TRY(xf_number_read(text, size, &number, err));
    }
    *ret_value = extfn_value_number(number);
    return EXTFN_OK;
}

static extfn_status parse_boolean(const char *text, size_t size, extfn_value *ret_value,
                                  extfn_error *err)
{
    bool is_true = is_word(text, size, "true");
    if (!is_true && !is_word(text, size, "false"))
        return fail("true or false", text, size, err);
    *ret_value = extfn_value_boolean(is_true);
    return EXTFN_OK;
}

static extfn_status parse_datetime(const char *text, size_t size, extfn_value *ret_value,
                                   extfn_error *err)
{
    int64_t datetime;
    XF_TRY(xf_datetime_read(text, size, &datetime, err));
    *ret_value = extfn_value_datetime(datetime);
    return EXTFN_OK;
}

static extfn_status parse_enum(const char *text, size_t size, extfn_value *ret_value,
                               extfn_error *err)
{
    uint64_t index = 0;
    bool is_index = size > 0;
    for (size_t i = 0; i < size && is_index; i++) {
        is_index = text[i] >= '0' && text[i] <= '9';
        index = index * 10 + (uint64_t)(text[i] - '0');
        is_index = is_index && index <= UINT32_MAX;
    }
    if (!is_index)
        return fail("an index from 0 to 4294967295", text, size, err);
    *ret_value = extfn_value_enum((uint32_t)index);
    return EXTFN_OK;
}

extfn_status extfn_value_parse(const char *text, size_t size, extfn_type type,
                               extfn_value *ret_value, extfn_error *err)
{
    static parse_fn *const parsers[] = {
        [EXTFN_NUMBER] = parse_number,   [EXTFN_BOOLEAN] = parse_boolean,
        [EXTFN_TEXT] = extfn_value_text, [EXTFN_DATETIME] = parse_datetime,
        [EXTFN_ENUM] = parse_enum,
    };
    if (type < EXTFN_NUMBER || type > EXTFN_ENUM)
        return xf_fail(err, EXTFN_EINVAL, "text cannot be read as %s", extfn_type_text(type));
    return parsers[type](text ? text : "", size, ret_value, err);
}

/* ---- Writing ---- */

#define SHORT_SIZE 32
_Static_assert(SHORT_SIZE >= XF_NUMBER_SIZE, "a number must fit");
_Static_assert(SHORT_SIZE >= XF_DATETIME_SIZE, "a datetime must fit");

static size_t format_number(double number, char ret_text[SHORT_SIZE])
{
    if (isfinite(number))
        return xf_number_write(number, ret_text);
    const char *word = isnan(number) ? "NaN" : number < 0 ? "-inf" : "inf";
    return (size_t)snprintf(ret_text, SHORT_SIZE, "%s", word);
}

/* The text of a value, borrowed from it or written into `buffer`; NULL for what has none. */
static const char *find_text(const extfn_value *value, char buffer[SHORT_SIZE], size_t *ret_size)
{
    switch (value->type) {
    case EXTFN_NUMBER:
        *ret_size = format_number(value->as.number, buffer);
        return buffer;
    case EXTFN_BOOLEAN:
        *ret_size = value->as.boolean ? 4 : 5;
        return value->as.boolean ? "true" : "false";
    case EXTFN_TEXT:
        *ret_size = value->as.text.size;
        return value->as.text.data ? value->as.text.data : "";
    case EXTFN_DATETIME:
        if (!xf_datetime_is_valid(value->as.datetime))
            return NULL;
        *ret_size = xf_datetime_write(value->as.datetime, buffer);
        return buffer;
    case EXTFN_ENUM:
        *ret_size = (size_t)snprintf(buffer, SHORT_SIZE, "%u", value->as.index);
        return buffer;
    case EXTFN_ERROR:
        *ret_size = value->as.error.size;
        return value->as.error.message ? value->as.error.message : "";
    case EXTFN_NONE:
        return NULL;
    }
    return NULL;
}

extfn_status extfn_value_format(const extfn_value *value, char **ret_text, size_t *ret_size,
                                extfn_error *err)
{
    char buffer[SHORT_SIZE];
    size_t size = 0;
    const char *text = find_text(value, buffer, &size);
    if (!text) {
        return value->type == EXTFN_DATETIME
                   ? xf_fail(err, EXTFN_EINVAL, "datetime is not within the years 0001 to 9999")
                   : xf_fail(err, EXTFN_EINVAL, "%s has no text", extfn_type_text(value->type));
    }
    char *copy = xf_text_copy(text, size);
    if (!copy)
        return xf_fail_oom(err);
    *ret_text = copy;
    if (ret_size)
        *ret_size = size;
    return EXTFN_OK;
}
