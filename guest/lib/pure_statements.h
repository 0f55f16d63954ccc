/* Cuts a body of Pure into its toplevel statements and tells how they may be evaluated: pure C,
 * without the runtime. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_PURE_STATEMENTS_H
#define XF_GUEST_LIB_PURE_STATEMENTS_H

#include "pure_tokens.h"

typedef enum xf_pure_kind {
    XF_PURE_RULES,      /* a rule or a declaration; `= E` goes on with the one before it */
    XF_PURE_LET,        /* `let NAME = E` */
    XF_PURE_EXPRESSION, /* also `let _ = E` */
    XF_PURE_PATTERN,    /* `let` with anything else on its left */
} xf_pure_kind;

typedef struct xf_pure_statement {
    xf_pure_kind kind;
    size_t start;
    size_t end; /* its last token's; what follows up to `;` is blank */
    size_t line;
    size_t name; /* XF_PURE_LET: where NAME begins */
    size_t name_size;
    size_t value; /* where E begins; of rules: where they end */
} xf_pure_statement;

/* False at the end of the text. The scanner starts as {text, size}. */
bool xf_pure_cut(xf_pure_scanner *scanner, xf_pure_statement *ret_statement);

/* What a body needs so that its rows are right. */
enum xf_pure_need {
    XF_PURE_NEEDS_TEXT = 1,    /* its statements are to be evaluated anew for each row */
    XF_PURE_NEEDS_RESTORE = 2, /* definitions of a row are to be taken back */
    XF_PURE_NEEDS_WORLD = 4,   /* a row can reach the process's surroundings */
    XF_PURE_IS_UNCLEAR = 8,    /* rules and expressions cannot be told apart by their looks */
};

/* The bits. `names` are those of the arguments, some NULL or empty: a row sets them anew. */
unsigned xf_pure_needs(const char *text, size_t size, const char *const *names, size_t name_count);

#endif
