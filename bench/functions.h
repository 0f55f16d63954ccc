/* What bench.c measures: each function's body in its language, and what a row of it has to give.
 * SPDX-License-Identifier: MIT */
#ifndef BENCH_FUNCTIONS_H
#define BENCH_FUNCTIONS_H

#include <extfn/extfn.h>

#include <inttypes.h>
#include <stddef.h>

#define TEXT_ROW "item %" PRId64
#define TEXT_END "!"

typedef struct bench_function {
    const char *name;
    extfn_language language;
    const char *body;
    double (*row)(double x, double y); /* of numbers x and y; NULL: of texts x, gives a text */
    bool is_vectorized;
} bench_function;

extern const bench_function bench_functions[];
extern const size_t bench_function_count;

/* Aborts where there is none. */
const bench_function *bench_function_find(const char *name);

/* The function under another name, which makes it another one. The caller unrefs it. */
EXTFN_MUST_CHECK extfn_status bench_function_make(const bench_function *known, const char *name,
                                                  extfn_function **ret_function, extfn_error *err);

/* All of them under their names. */
EXTFN_MUST_CHECK extfn_status bench_functions_register(extfn_registry *registry, extfn_error *err);

#endif
