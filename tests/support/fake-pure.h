/* Values and symbols of the stand-in for Pure: see fake-pure.c. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_FAKE_PURE_H
#define XF_TESTS_FAKE_PURE_H

#include "guest/lib/pure_api.h"

#define NAME_SIZE 64

typedef enum kind { DOUBLE, INTEGER, BIG, TEXT, SYMBOL, APPLICATION, LIST, CLOSURE } kind;

struct pure_expr {
    kind kind;
    double number;
    int64_t integer; /* of SYMBOL: which */
    char *text;      /* of CLOSURE: its body */
    struct pure_expr *left;
    struct pure_expr *right;
    struct pure_expr **items;
    size_t count;
};

pure_expr *fake_make(pure_expr value);
pure_expr *fake_apply(pure_expr *left, pure_expr *right);

#endif
