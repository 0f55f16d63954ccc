/* Hosts, functions and calls for tests that run real workers. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_HOST_H
#define XF_TESTS_HOST_H

#include "support/require.h"

#include <extfn/extfn.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool test_has_bwrap(void)
{
    return access("/usr/bin/bwrap", X_OK) == 0 || access("/usr/local/bin/bwrap", X_OK) == 0;
}

static inline bool test_has_wasm(void)
{
    extfn_host *host = NULL;
    char *path = NULL;
    char *version = NULL;
    bool is_there = extfn_host_new(NULL, &host, NULL) == EXTFN_OK &&
                    extfn_host_probe_language(host, EXTFN_WASM, &path, &version, NULL) == EXTFN_OK;
    extfn_text_free(path);
    extfn_text_free(version);
    extfn_host_free(host);
    return is_there;
}

static inline bool test_has(extfn_language language)
{
    switch (language) {
    case EXTFN_PYTHON:
        return access("/usr/bin/python3", X_OK) == 0 || access("/usr/local/bin/python3", X_OK) == 0;
    case EXTFN_R:
        return access("/usr/bin/R", X_OK) == 0 || access("/usr/local/bin/R", X_OK) == 0;
    case EXTFN_PURE: /* no system has a package of it: the environment may name one */
        return getenv("EXTFN_INTERPRETER_PURE") || access("/usr/bin/pure", X_OK) == 0 ||
               access("/usr/local/bin/pure", X_OK) == 0;
    case EXTFN_JULIA:
        return access("/usr/bin/julia", X_OK) == 0 || access("/usr/local/bin/julia", X_OK) == 0;
    case EXTFN_WASM:
        return test_has_wasm();
    default:
        return false;
    }
}

#define REQUIRE_BWRAP() XF_TEST_REQUIRE("bwrap", test_has_bwrap())
#define REQUIRE_PYTHON()                                                                           \
    do {                                                                                           \
        REQUIRE_BWRAP();                                                                           \
        XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));                                         \
    } while (0)
#define REQUIRE_R()                                                                                \
    do {                                                                                           \
        REQUIRE_BWRAP();                                                                           \
        XF_TEST_REQUIRE("r", test_has(EXTFN_R));                                                   \
    } while (0)
#define REQUIRE_JULIA()                                                                            \
    do {                                                                                           \
        REQUIRE_BWRAP();                                                                           \
        XF_TEST_REQUIRE("julia", test_has(EXTFN_JULIA));                                           \
    } while (0)

#define REQUIRE_WASM() XF_TEST_REQUIRE("wasm", test_has(EXTFN_WASM))
#define REQUIRE_PURE()                                                                             \
    do {                                                                                           \
        REQUIRE_BWRAP();                                                                           \
        XF_TEST_REQUIRE("pure", test_has(EXTFN_PURE));                                             \
    } while (0)

/* `given` may be NULL: defaults, restricted. */
static inline extfn_host *test_host(const extfn_host_options *given)
{
    extfn_host_options options = {0};
    if (given)
        options = *given;
    options.struct_size = sizeof(options);
    if (options.workers_memory_bytes == 0) /* however small the machine is */
        options.workers_memory_bytes = UINT64_C(1) << 40;
    extfn_host *host = NULL;
    extfn_error err = {0};
    if (extfn_host_new(&options, &host, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    return host;
}

static inline extfn_host *test_trusted_host(void)
{
    return test_host(&(extfn_host_options){.policy = EXTFN_TRUSTED});
}

/* "NN->N": a letter a type: N number, B boolean, T text, D datetime, E enum; then `!` impure, `v`
 * vectorized; lower-case names after each letter in parentheses: "N(x)N(y)->N". */
static inline extfn_function *test_function(extfn_language language, const char *signature,
                                            const char *body)
{
    static const char letters[] = "?NBTDE";
    extfn_type types[EXTFN_ARGUMENT_LIMIT] = {EXTFN_NONE};
    char names[EXTFN_ARGUMENT_LIMIT][32] = {{0}};
    const char *name_list[EXTFN_ARGUMENT_LIMIT] = {0};
    size_t count = 0;
    const char *at = signature;
    bool has_names = false;
    for (; *at != '-'; at++) {
        types[count] = (extfn_type)(strchr(letters, *at) - letters);
        if (at[1] == '(') {
            size_t size = strcspn(at + 2, ")");
            memcpy(names[count], at + 2, size);
            at += size + 2;
            has_names = true;
        }
        name_list[count] = names[count];
        count++;
    }
    at += 2;
    const extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = "f",
        .language = language,
        .body = body,
        .body_size = strlen(body),
        .arg_types = types,
        .arg_names = has_names ? name_list : NULL,
        .arg_count = count,
        .return_type = (extfn_type)(strchr(letters, *at) - letters),
        .is_pure = !strchr(at, '!'),
        .is_vectorized = strchr(at, 'v') != NULL,
    };
    extfn_function *function = NULL;
    extfn_error err = {0};
    if (extfn_function_new(&options, &function, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    return function;
}

static inline extfn_value test_text(const char *text)
{
    extfn_value value = {0};
    assert_int_equal(extfn_value_text(text, strlen(text), &value, NULL), EXTFN_OK);
    return value;
}

typedef struct test_result {
    extfn_status status;
    extfn_value value;
    extfn_error err;
    extfn_output output;
} test_result;

static inline void test_result_clear(test_result *result)
{
    extfn_value_clear(&result->value);
    extfn_output_clear(&result->output);
}

static inline test_result test_call(extfn_host *host, extfn_function *function,
                                    const extfn_value *args, size_t count, double timeout_s)
{
    test_result result = {0};
    const extfn_call_options options = {
        .struct_size = sizeof(options),
        .timeout_us = (int64_t)(timeout_s * 1e6),
        .output = &result.output,
    };
    result.status =
        extfn_host_eval(host, function, args, count, &options, &result.value, &result.err);
    return result;
}

/* One call of a body without arguments in a host of its own: the usual case of a test. */
static inline test_result test_run(const extfn_host_options *options, extfn_language language,
                                   const char *signature, const char *body, double timeout_s)
{
    extfn_host *host = test_host(options);
    extfn_function *function = test_function(language, signature, body);
    test_result result = test_call(host, function, NULL, 0, timeout_s);
    extfn_function_unref(function);
    extfn_host_free(host);
    return result;
}

#define ASSERT_OK(result)                                                                          \
    do {                                                                                           \
        if ((result).status != EXTFN_OK)                                                           \
            fail_msg("%s: %s", extfn_status_kind((result).status), (result).err.message);          \
    } while (0)

#define ASSERT_TEXT(result, expected)                                                              \
    do {                                                                                           \
        ASSERT_OK(result);                                                                         \
        assert_int_equal((result).value.type, EXTFN_TEXT);                                         \
        assert_string_equal((result).value.as.text.data, (expected));                              \
    } while (0)

#define ASSERT_NUMBER(result, expected)                                                            \
    do {                                                                                           \
        ASSERT_OK(result);                                                                         \
        assert_int_equal((result).value.type, EXTFN_NUMBER);                                       \
        assert_true((result).value.as.number == (expected));                                       \
    } while (0)

#define ASSERT_FAILS(result, kind, text)                                                           \
    do {                                                                                           \
        assert_int_equal((result).status, (kind));                                                 \
        if (strcmp((result).err.message, (text)) != 0)                                             \
            fail_msg("got '%s'", (result).err.message);                                            \
    } while (0)

#endif
