/* Tables of the words for types and languages. SPDX-License-Identifier: MIT */
#include "registry/words.h"

#include "base/text.h"

#include <string.h>

static const char *const type_words[] = {
    [EXTFN_NUMBER] = "number",     [EXTFN_BOOLEAN] = "boolean", [EXTFN_TEXT] = "text",
    [EXTFN_DATETIME] = "datetime", [EXTFN_ENUM] = "enum",
};

static const char *const language_words[EXTFN_LANGUAGE_COUNT] = {
    [EXTFN_PYTHON] = "python", [EXTFN_R] = "r",       [EXTFN_JULIA] = "julia",
    [EXTFN_PURE] = "pure",     [EXTFN_WASM] = "wasm",
};

static const char *const language_texts[EXTFN_LANGUAGE_COUNT] = {
#define X(name, code, text) [EXTFN_##name] = (text),
    EXTFN_LANGUAGE_MAP(X)
#undef X
};

static bool is_same(const char *word, const char *text, size_t size)
{
    return strlen(word) == size && memcmp(word, text, size) == 0;
}

/* Whether the text is the word in any case; no locale has a say. */
static bool is_same_in_any_case(const char *word, const char *text, size_t size)
{
    if (strlen(word) != size)
        return false;
    for (size_t i = 0; i < size; i++) {
        char byte = text[i];
        if ((byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte) != word[i])
            return false;
    }
    return true;
}

const char *xf_type_word(extfn_type type)
{
    return type >= EXTFN_NUMBER && type <= EXTFN_ENUM ? type_words[type] : "unknown";
}

extfn_status xf_type_read_word(const char *text, size_t size, extfn_type *ret_type,
                               extfn_error *err)
{
    for (unsigned type = EXTFN_NUMBER; type <= EXTFN_ENUM; type++) {
        if (is_same_in_any_case(type_words[type], text, size)) {
            *ret_type = (extfn_type)type;
            return EXTFN_OK;
        }
    }
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL,
                   "unknown type %s; one of number, boolean, text, datetime, enum",
                   xf_text_quote(text, size, quoted));
}

extfn_status xf_type_read_text(const char *text, size_t size, extfn_type *ret_type,
                               extfn_error *err)
{
    for (unsigned type = EXTFN_NUMBER; type <= EXTFN_ENUM; type++) {
        if (is_same(extfn_type_text((extfn_type)type), text, size)) {
            *ret_type = (extfn_type)type;
            return EXTFN_OK;
        }
    }
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL,
                   "unknown type %s; one of Number, Boolean, Text, DateTime, Enum",
                   xf_text_quote(text, size, quoted));
}

static extfn_status fail_language(const char *text, size_t size, extfn_error *err)
{
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL, "unknown language %s; one of Python, R, Julia, Pure, Wasm",
                   xf_text_quote(text, size, quoted));
}

extfn_status xf_language_read_text(const char *text, size_t size, extfn_language *ret_language,
                                   extfn_error *err)
{
    for (unsigned i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        if (is_same(language_texts[i], text, size)) {
            *ret_language = (extfn_language)i;
            return EXTFN_OK;
        }
    }
    return fail_language(text, size, err);
}

extfn_status extfn_language_parse(const char *text, extfn_language *ret_language, extfn_error *err)
{
    for (unsigned i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        if (strcmp(language_texts[i], text) == 0 || strcmp(language_words[i], text) == 0) {
            *ret_language = (extfn_language)i;
            return EXTFN_OK;
        }
    }
    return fail_language(text, strlen(text), err);
}

const char *extfn_language_text(extfn_language language)
{
    return (unsigned)language < EXTFN_LANGUAGE_COUNT ? language_texts[language] : "unknown";
}
