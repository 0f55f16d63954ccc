/* A body of Pure, compiled once, and one row of it. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_PURE_BODY_H
#define XF_GUEST_LIB_PURE_BODY_H

#include "pure_statements.h"
#include "pure_values.h"

/* What a row does, in order. */
typedef struct xf_pure_step {
    size_t line;
    size_t last_line;   /* of the text */
    pure_expr *closure; /* kept; NULL: evaluate `text` */
    int32_t symbol;     /* gets the closure's value; 0: nobody does */
    char *text;         /* owned, NUL-terminated */
} xf_pure_step;

typedef struct xf_pure_body {
    char *text; /* owned: lines end in \n, NUL-terminated */
    size_t size;
    unsigned needs; /* enum xf_pure_need */
    xf_pure_step *steps;
    size_t step_count;
    size_t step_capacity;
    char *header; /* the namespace declarations so far, in front of every piece of text */
    int32_t arg_names[EXTFN_ARGUMENT_LIMIT]; /* symbols; 0: it has none */
    int32_t args;
    int32_t result;
    size_t result_line; /* of a rule `result = E`; 0: there is none */
    pure_expr *unit;    /* kept: the argument of every closure */
} xf_pure_body;

/* False with a message when it does not compile. */
bool xf_pure_compile(const xf_guest *guest, const char *body, size_t size, xf_pure_body *ret_body,
                     xf_pure_message *ret_message);

/* Evaluates the row under way. NULL with a message when it fails; *ret_is_memory tells exhausted
 * memory. What is gained is not kept. */
pure_expr *xf_pure_run(const xf_guest *guest, const xf_pure_body *body,
                       xf_pure_message *ret_message, bool *ret_is_memory);

#endif
