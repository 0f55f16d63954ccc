/* The part of Pure's C interface that the guest library uses, declared here so that Pure need not
 * be installed to build it. Weak: the interpreter, which loads this library, supplies them; in
 * every other one they stay unresolved and unused. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_PURE_API_H
#define XF_GUEST_LIB_PURE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pure_expr pure_expr;

#define XF_PURE_WEAK(result) extern __attribute__((weak)) result

/* clang-format off */
/* Evaluates all statements of a text. NULL after an error, which lasterr() then tells. */
XF_PURE_WEAK(pure_expr *) pure_eval(const char *text);
XF_PURE_WEAK(const char *) lasterr(void);

/* A symbol, and the value that it has; what such a function throws goes into *ret_exception. */
XF_PURE_WEAK(int32_t) pure_sym(const char *name);
XF_PURE_WEAK(bool) pure_let(int32_t symbol, pure_expr *value);
XF_PURE_WEAK(pure_expr *) pure_symbolx(int32_t symbol, pure_expr **ret_exception);
XF_PURE_WEAK(pure_expr *) pure_appxv(pure_expr *function, size_t count, pure_expr **arguments,
                                     pure_expr **ret_exception);

XF_PURE_WEAK(pure_expr *) pure_double(double value);
XF_PURE_WEAK(pure_expr *) pure_int(int32_t value);
XF_PURE_WEAK(pure_expr *) pure_int64(int64_t value);       /* a bigint */
XF_PURE_WEAK(pure_expr *) pure_string(char *text);         /* takes what malloc gave */
XF_PURE_WEAK(pure_expr *) pure_listv(size_t count, pure_expr **items);

XF_PURE_WEAK(bool) pure_is_double(const pure_expr *value, double *ret_value);
XF_PURE_WEAK(bool) pure_is_int(const pure_expr *value, int32_t *ret_value);
XF_PURE_WEAK(bool) pure_is_mpz(const pure_expr *value, void *ret_value); /* NULL will do */
XF_PURE_WEAK(bool) pure_is_string(const pure_expr *value, const char **ret_text);
XF_PURE_WEAK(bool) pure_is_symbol(const pure_expr *value, int32_t *ret_symbol);
XF_PURE_WEAK(bool) pure_is_app(const pure_expr *value, pure_expr **ret_function,
                               pure_expr **ret_argument);
XF_PURE_WEAK(char *) str(const pure_expr *value);          /* as Pure writes it; free() it */

XF_PURE_WEAK(pure_expr *) pure_new(pure_expr *value);      /* keeps it */
XF_PURE_WEAK(void) pure_free(pure_expr *value);            /* keeps it no longer */
XF_PURE_WEAK(void) pure_freenew(pure_expr *value);         /* drops it if nobody keeps it */

/* What is defined between the two is gone after the second. */
XF_PURE_WEAK(uint32_t) pure_save(void);
XF_PURE_WEAK(uint32_t) pure_restore(void);

/* The generator of the module math. */
XF_PURE_WEAK(void) init_genrand(unsigned long seed);
/* clang-format on */

#endif
