/* The bodies are those of bodies.py, own.R, own.jl and peers/, statement by statement.
 * SPDX-License-Identifier: MIT */
#include "functions.h"

#include <stdlib.h>
#include <string.h>

/* The seconds of one system call and of the loop around it. */
#define SYSTEM_CALLS(call, args)                                                                   \
    "import fcntl, os, time\ncall = " call "\nstart = time.process_time()\n"                       \
    "for _ in range(200000): call(" args ")\nresult = (time.process_time() - start) / 200000"

static double add(double x, double y)
{
    return x + y;
}

static double branch(double x, double y)
{
    return x > y ? x - y : y * 2;
}

static double heavy(double x, double y)
{
    double result = 0;
    for (int step = 0; step < 10; step++)
        result += x > y + step ? x - step : y * 2;
    return result;
}

const bench_function bench_functions[] = {
    {"python", EXTFN_PYTHON, "result = args[0] + args[1]", add, false},
    {"python-named", EXTFN_PYTHON, "result = x + y", add, false},
    {"python-branch", EXTFN_PYTHON, "if x > y:\n    result = x - y\nelse:\n    result = y * 2",
     branch, false},
    {"python-heavy", EXTFN_PYTHON,
     "result = 0.0\nfor step in range(10):\n    if x > y + step:\n        result += x - step\n"
     "    else:\n        result += y * 2",
     heavy, false},
    {"python-text", EXTFN_PYTHON, "result = x.upper() + '" TEXT_END "'", NULL, false},
    {"numpy", EXTFN_PYTHON, "result = x + y", add, true},
    {"r", EXTFN_R, "result <- args[[1]] + args[[2]]", add, false},
    {"r-named", EXTFN_R, "result <- x + y", add, false},
    {"r-branch", EXTFN_R, "if (x > y) {\n  result <- x - y\n} else {\n  result <- y * 2\n}", branch,
     false},
    {"r-text", EXTFN_R, "result <- paste0(x, '" TEXT_END "')", NULL, false},
    {"r-vectorized", EXTFN_R, "result <- x + y", add, true},
    {"julia", EXTFN_JULIA, "result = args[1] + args[2]", add, false},
    {"julia-named", EXTFN_JULIA, "result = x + y", add, false},
    {"julia-branch", EXTFN_JULIA, "if x > y\n    result = x - y\nelse\n    result = y * 2\nend",
     branch, false},
    {"julia-text", EXTFN_JULIA, "result = uppercase(x) * \"" TEXT_END "\"", NULL, false},
    {"julia-vectorized", EXTFN_JULIA, "result = x .+ y", add, true},
    {"wasm", EXTFN_WASM,
     "wat:(module (func (export \"improv_call\") (param f64 f64) (result f64)"
     " (f64.add (local.get 0) (local.get 1))))",
     add, false},
    {"floor", EXTFN_PURE, "let result = x + y;", add, false},
    {"call", EXTFN_PYTHON, SYSTEM_CALLS("os.getppid", ""), add, false},
    {"checked-call", EXTFN_PYTHON, SYSTEM_CALLS("fcntl.fcntl", "0, fcntl.F_GETFD"), add, false},
};
const size_t bench_function_count = sizeof(bench_functions) / sizeof(bench_functions[0]);

const bench_function *bench_function_find(const char *name)
{
    for (size_t i = 0; i < bench_function_count; i++) {
        if (strcmp(bench_functions[i].name, name) == 0)
            return &bench_functions[i];
    }
    abort();
}

extfn_status bench_function_make(const bench_function *known, const char *name,
                                 extfn_function **ret_function, extfn_error *err)
{
    static const char *const names[] = {"x", "y"};
    extfn_type type = known->row ? EXTFN_NUMBER : EXTFN_TEXT;
    const extfn_type types[] = {type, type};
    const extfn_function_options options = {.struct_size = sizeof(options),
                                            .name = name,
                                            .language = known->language,
                                            .body = known->body,
                                            .arg_types = types,
                                            .arg_names = names,
                                            .arg_count = known->row ? 2 : 1,
                                            .return_type = type,
                                            .is_pure = true,
                                            .is_vectorized = known->is_vectorized};
    return extfn_function_new(&options, ret_function, err);
}

extfn_status bench_functions_register(extfn_registry *registry, extfn_error *err)
{
    extfn_status status = EXTFN_OK;
    for (size_t i = 0; status == EXTFN_OK && i < bench_function_count; i++) {
        extfn_function *function = NULL;
        status = bench_function_make(&bench_functions[i], bench_functions[i].name, &function, err);
        if (status == EXTFN_OK)
            status = extfn_registry_register(registry, function, NULL, err);
        extfn_function_unref(function);
    }
    return status;
}
