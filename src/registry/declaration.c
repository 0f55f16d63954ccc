/* Reading the declaration of a function file. SPDX-License-Identifier: MIT */
#include "registry/declaration.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "base/text.h"
#include "registry/identifier.h"
#include "registry/words.h"

#include <string.h>

#define MARK "extfn:"

/* A line being read; `text` ends in a NUL. */
typedef struct cursor {
    char *at;
} cursor;

void xf_declaration_clear(xf_declaration *declaration)
{
    xf_free(declaration->text);
    *declaration = (xf_declaration){0};
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t';
}

static size_t skip_space(const char *text, size_t size, size_t at)
{
    while (at < size && is_space(text[at]))
        at++;
    return at;
}

static bool has_prefix(const char *text, size_t size, size_t at, const char *prefix)
{
    size_t prefix_size = strlen(prefix);
    return size - at >= prefix_size && memcmp(text + at, prefix, prefix_size) == 0;
}

/* Where the declaration begins in the line, behind the mark; 0 when the line is none. */
static size_t declaration_start(const char *line, size_t size, const char *leader)
{
    size_t at = skip_space(line, size, 0);
    if (!has_prefix(line, size, at, leader))
        return 0;
    at = skip_space(line, size, at + strlen(leader));
    return has_prefix(line, size, at, MARK) ? at + strlen(MARK) : 0;
}

static size_t line_size(const char *text, size_t size)
{
    const char *end = size ? memchr(text, '\n', size) : NULL;
    return end ? (size_t)(end - text) : size;
}

/* ret_start and ret_size get the text behind the mark, without the line end. */
static bool find_declaration(const char *text, size_t size, const char *leader,
                             const char **ret_start, size_t *ret_size, int64_t *ret_line)
{
    static const char bom[] = "\xef\xbb\xbf";
    size_t at = has_prefix(text, size, 0, bom) ? sizeof(bom) - 1 : 0;
    for (int64_t line = 1; at < size; line++) {
        size_t end = at + line_size(text + at, size - at);
        size_t start = declaration_start(text + at, end - at, leader);
        if (start) {
            *ret_start = text + at + start;
            *ret_size = end - at - start;
            *ret_line = line;
            return true;
        }
        at = end + 1;
    }
    return false;
}

static void skip_spaces(cursor *c)
{
    c->at += strspn(c->at, " \t");
}

/* What stands at the cursor, as messages show it. */
static extfn_status fail_expected(const cursor *c, const char *what, extfn_error *err)
{
    if (!*c->at)
        return xf_fail(err, EXTFN_EINVAL, "the declaration ends where %s should stand", what);
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL, "expected %s before %s", what,
                   xf_text_quote(c->at, strlen(c->at), quoted));
}

static extfn_status expect(cursor *c, const char *sign, const char *what, extfn_error *err)
{
    skip_spaces(c);
    size_t size = strlen(sign);
    if (strncmp(c->at, sign, size) != 0)
        return fail_expected(c, what, err);
    c->at += size;
    return EXTFN_OK;
}

/* A run of bytes that are no space and no sign; maybe none. */
static char *take_word(cursor *c, size_t *ret_size)
{
    skip_spaces(c);
    char *word = c->at;
    *ret_size = strcspn(word, " \t(),:->");
    c->at += *ret_size;
    return word;
}

static extfn_status take_type(cursor *c, extfn_type *ret_type, extfn_error *err)
{
    size_t size;
    const char *word = take_word(c, &size);
    return size ? xf_type_read_word(word, size, ret_type, err) : fail_expected(c, "a type", err);
}

/* An identifier followed by `sign`; its NUL replaces the byte behind it, which was read. */
static extfn_status take_name(cursor *c, const char *what, const char *sign, const char *sign_text,
                              const char **ret_name, extfn_error *err)
{
    size_t size;
    char *word = take_word(c, &size);
    if (size == 0)
        return fail_expected(c, what, err);
    char quoted[XF_QUOTE_SIZE];
    if (!xf_identifier_is_valid(word, size)) {
        return xf_fail(err, EXTFN_EINVAL, "%s is not an identifier",
                       xf_text_quote(word, size, quoted));
    }
    XF_TRY(expect(c, sign, sign_text, err));
    word[size] = '\0';
    *ret_name = word;
    return EXTFN_OK;
}

static extfn_status take_argument(cursor *c, xf_declaration *declaration, extfn_error *err)
{
    size_t i = declaration->arg_count;
    if (i == EXTFN_ARGUMENT_LIMIT)
        return xf_fail(err, EXTFN_EINVAL, "more than %d arguments", EXTFN_ARGUMENT_LIMIT);
    XF_TRY(take_name(c, "the name of an argument", ":", "':' and a type",
                     &declaration->arg_names[i], err));
    XF_TRY(take_type(c, &declaration->arg_types[i], err));
    declaration->arg_count = i + 1;
    return EXTFN_OK;
}

static extfn_status take_arguments(cursor *c, xf_declaration *declaration, extfn_error *err)
{
    skip_spaces(c);
    if (*c->at == ')') {
        c->at++;
        return EXTFN_OK;
    }
    for (;;) {
        XF_TRY(take_argument(c, declaration, err));
        skip_spaces(c);
        if (*c->at != ',')
            return expect(c, ")", "',' or ')'", err);
        c->at++;
    }
}

/* The words behind the type. */
static extfn_status take_flags(cursor *c, xf_declaration *declaration, extfn_error *err)
{
    for (skip_spaces(c); *c->at; skip_spaces(c)) {
        size_t size;
        const char *word = take_word(c, &size);
        if (size == 0)
            return fail_expected(c, "'impure' or 'vectorized'", err);
        bool is_impure = size == strlen("impure") && memcmp(word, "impure", size) == 0;
        bool is_vectorized = size == strlen("vectorized") && memcmp(word, "vectorized", size) == 0;
        char quoted[XF_QUOTE_SIZE];
        (void)xf_text_quote(word, size, quoted);
        if (!is_impure && !is_vectorized)
            return xf_fail(err, EXTFN_EINVAL, "unknown word %s; one of impure, vectorized", quoted);
        if ((is_impure && declaration->is_impure) || (is_vectorized && declaration->is_vectorized))
            return xf_fail(err, EXTFN_EINVAL, "%s stands twice", quoted);
        declaration->is_impure |= is_impure;
        declaration->is_vectorized |= is_vectorized;
    }
    if (declaration->is_impure && declaration->is_vectorized)
        return xf_fail(err, EXTFN_EINVAL, "a function cannot be both impure and vectorized");
    return EXTFN_OK;
}

static extfn_status read_line(xf_declaration *declaration, extfn_error *err)
{
    cursor c = {.at = declaration->text};
    XF_TRY(take_name(&c, "the name of the function", "(", "'(' and the arguments",
                     &declaration->name, err));
    XF_TRY(take_arguments(&c, declaration, err));
    XF_TRY(expect(&c, "->", "'->' and the type of the result", err));
    XF_TRY(take_type(&c, &declaration->return_type, err));
    return take_flags(&c, declaration, err);
}

static bool is_printable(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (((unsigned char)text[i] < 0x20 && text[i] != '\t') || text[i] == 0x7f)
            return false;
    }
    return xf_utf8_is_valid(text, size);
}

extfn_status xf_declaration_read(const char *text, size_t size, const char *leader,
                                 xf_declaration *ret_declaration, int64_t *ret_line,
                                 extfn_error *err)
{
    const char *start = NULL;
    size_t line_bytes = 0;
    *ret_line = 1;
    if (!find_declaration(text, size, leader, &start, &line_bytes, ret_line)) {
        return xf_fail(err, EXTFN_EINVAL,
                       "no declaration; write '%s extfn: NAME(ARGUMENT: TYPE, ...) -> TYPE'",
                       leader);
    }
    if (line_bytes && start[line_bytes - 1] == '\r')
        line_bytes--;
    if (!is_printable(start, line_bytes))
        return xf_fail(err, EXTFN_EINVAL, "the declaration is not plain text");
    XF_AUTO(xf_declaration_clear) xf_declaration declaration = {0};
    declaration.text = xf_alloc(line_bytes + 1);
    if (!declaration.text)
        return xf_fail_oom(err);
    if (line_bytes)
        memcpy(declaration.text, start, line_bytes);
    XF_TRY(read_line(&declaration, err));
    *ret_declaration = declaration;
    declaration.text = NULL;
    return EXTFN_OK;
}
