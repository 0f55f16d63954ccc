/* The tokens of Pure, as far as telling statements apart needs them: pure C, without the runtime.
 * SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_PURE_TOKENS_H
#define XF_GUEST_LIB_PURE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum xf_pure_token_kind {
    XF_PURE_END, /* of the text */
    XF_PURE_WORD,
    XF_PURE_LITERAL, /* a number or string */
    XF_PURE_OPERATOR,
    XF_PURE_EQUALS,    /* `=` alone */
    XF_PURE_SEMICOLON, /* between statements, that is at depth 0 */
    XF_PURE_OTHER,     /* brackets, and semicolons within them */
} xf_pure_token_kind;

typedef struct xf_pure_token {
    xf_pure_token_kind kind;
    size_t start;
    size_t size;
    size_t line;  /* from 1 */
    size_t depth; /* of brackets and of `with`, `when`, `of` around it */
} xf_pure_token;

/* Starts as {text, size}. */
typedef struct xf_pure_scanner {
    const char *text;
    size_t size;
    size_t at;
    size_t line; /* minus 1 */
    size_t depth;
} xf_pure_scanner;

/* XF_PURE_END again and again once it was reached. */
xf_pure_token xf_pure_scan(xf_pure_scanner *scanner);

bool xf_pure_is_word(const xf_pure_scanner *scanner, const xf_pure_token *token, const char *word);

/* Whether one of the words (NULL-terminated) is the token. */
bool xf_pure_is_one_of(const xf_pure_scanner *scanner, const xf_pure_token *token,
                       const char *const *words);

#endif
