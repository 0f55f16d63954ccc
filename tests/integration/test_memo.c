/* What a host keeps of pure functions, and what it never keeps. SPDX-License-Identifier: MIT */
#include "support/memo.h"
#include "support/wasm.h"

#include <math.h>
#include <poll.h>

/* The number that the call gives; `ret_is_hit` tells whether it was known. */
static double call_with(extfn_host *host, extfn_function *function, extfn_value arg,
                        extfn_call_options options, bool *ret_is_hit)
{
    extfn_receipt receipt = {.struct_size = sizeof(receipt)};
    options.struct_size = sizeof(options);
    options.receipt = &receipt;
    extfn_value value = {0};
    extfn_error err = {0};
    if (extfn_host_eval(host, function, &arg, 1, &options, &value, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(receipt.rows, 1);
    assert_in_range(receipt.memo_hits, 0, 1);
    *ret_is_hit = receipt.memo_hits == 1;
    return value.as.number;
}

static double call(extfn_host *host, extfn_function *function, extfn_value arg, bool *ret_is_hit)
{
    return call_with(host, function, arg, (extfn_call_options){0}, ret_is_hit);
}

static void a_known_call_is_not_made_again(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", ENTROPY);
    bool is_hit = true;
    double first = call(host, function, extfn_value_number(1), &is_hit);
    assert_false(is_hit);
    assert_true(call(host, function, extfn_value_number(1), &is_hit) == first);
    assert_true(is_hit);
    assert_true(call(host, function, extfn_value_number(2), &is_hit) != first);
    assert_false(is_hit);
    const extfn_stats stats = stats_of(host);
    assert_int_equal(stats.memo_hits, 1);
    assert_int_equal(stats.memo_misses, 2);
    assert_int_equal(stats.memo_entries, 2);
    assert_in_range(stats.memo_bytes, 100, MEMO_BYTES);
    assert_int_equal(stats.memo_evictions, 0);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void without_the_option_nothing_is_kept(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    bool is_hit = true;
    for (int i = 0; i < 2; i++) {
        (void)call(host, function, extfn_value_number(1), &is_hit);
        assert_false(is_hit);
    }
    assert_int_equal(stats_of(host).memo_misses, 0);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* Bits decide: a body can tell these apart. */
static void zeros_and_nans_of_other_bits_are_other_arguments(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", ENTROPY);
    const double numbers[] = {0.0, -0.0, (double)NAN, -(double)NAN};
    double values[4];
    bool is_hit = true;
    for (size_t i = 0; i < 4; i++) {
        values[i] = call(host, function, extfn_value_number(numbers[i]), &is_hit);
        assert_false(is_hit);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_true(call(host, function, extfn_value_number(numbers[i]), &is_hit) == values[i]);
        assert_true(is_hit);
    }
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void every_type_is_kept_as_it_is(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_value text = {0};
    extfn_value empty = {0};
    assert_int_equal(extfn_value_text("a\0\xC3\xA9", 4, &text, NULL), EXTFN_OK);
    assert_int_equal(extfn_value_text("", 0, &empty, NULL), EXTFN_OK);
    const struct {
        const char *signature;
        extfn_value value;
    } cases[] = {
        {"N(x)->N", extfn_value_number(-0.0)},
        {"B(x)->B", extfn_value_boolean(true)},
        {"T(x)->T", text},
        {"T(x)->T", empty},
        {"D(x)->D", extfn_value_datetime(-1)},
        {"E(x)->E", extfn_value_enum(UINT32_MAX)},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        extfn_function *function = test_function(EXTFN_PYTHON, cases[i].signature, "result = x");
        uint64_t before = stats_of(host).memo_hits;
        for (int again = 0; again < 2; again++) {
            extfn_value value = {0};
            assert_int_equal(extfn_host_eval(host, function, &cases[i].value, 1, NULL, &value,
                                             NULL),
                             EXTFN_OK);
            assert_true(extfn_value_is_equal(&value, &cases[i].value));
            extfn_value_clear(&value);
        }
        assert_int_equal(stats_of(host).memo_hits, before + 1);
        extfn_function_unref(function);
    }
    extfn_value_clear(&text);
    extfn_value_clear(&empty);
    extfn_host_free(host);
}

/* The call with two texts of `n / 2` bytes, all "a", but for a NUL at the end where n is odd. */
static double call_texts(extfn_host *host, extfn_function *function, unsigned left, unsigned right)
{
    static const char letters[] = "aaaa\0";
    extfn_value args[2] = {{0}};
    const unsigned picked[] = {left, right};
    for (size_t i = 0; i < 2; i++) {
        size_t size = picked[i] / 2;
        assert_int_equal(extfn_value_text(letters + 4 - size + picked[i] % 2, size, &args[i], NULL),
                         EXTFN_OK);
    }
    extfn_value value = {0};
    assert_int_equal(extfn_host_eval(host, function, args, 2, NULL, &value, NULL), EXTFN_OK);
    extfn_value_clear(&args[0]);
    extfn_value_clear(&args[1]);
    return value.as.number;
}

/* Texts that are alike when they are put together: "a" and "aa", "aa" and "a", with and without a
 * NUL. No two of them are the same call, and each is the same call again. */
static void texts_do_not_trade_bytes_in_keys(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_PYTHON, "T(x)T(y)->N", ENTROPY);
    double values[64] = {0};
    for (unsigned pair = 0; pair < 128; pair++) {
        unsigned left = 2 + pair % 8;
        unsigned right = 2 + pair / 8 % 8;
        double value = call_texts(host, function, left, right);
        if (pair < 64)
            values[pair] = value;
        assert_true(values[pair % 64] == value);
    }
    for (unsigned i = 0; i < 64; i++) {
        for (unsigned k = 0; k < i; k++)
            assert_true(values[i] != values[k]);
    }
    assert_int_equal(stats_of(host).memo_entries, 64);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void impure_functions_are_evaluated_every_time(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N!", ENTROPY);
    bool is_hit = true;
    double first = call(host, function, extfn_value_number(1), &is_hit);
    assert_false(is_hit);
    assert_true(call(host, function, extfn_value_number(1), &is_hit) != first);
    assert_false(is_hit);
    assert_int_equal(stats_of(host).memo_misses, 0);
    assert_int_equal(stats_of(host).memo_entries, 0);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void failures_are_not_kept(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    static const char *const bodies[] = {"result = 1 / x", "import os\nos._exit(3)",
                                         "result = 'a'"};
    for (size_t i = 0; i < 3; i++) {
        extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", bodies[i]);
        for (int again = 0; again < 2; again++) {
            extfn_receipt receipt = {.struct_size = sizeof(receipt)};
            const extfn_call_options options = {.struct_size = sizeof(options),
                                                .receipt = &receipt};
            extfn_value arg = extfn_value_number(0);
            extfn_value value = {0};
            assert_int_equal(extfn_host_eval(host, function, &arg, 1, &options, &value, NULL),
                             EXTFN_ERUNTIME);
            assert_int_equal(receipt.memo_hits, 0);
            assert_int_equal(receipt.workers_started + receipt.workers_warm, 1);
        }
        extfn_function_unref(function);
    }
    assert_int_equal(stats_of(host).memo_entries, 0);
    assert_int_equal(stats_of(host).memo_misses, 6);
    extfn_host_free(host);
}

static void what_prints_prints_every_time(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    static const char *const bodies[] = {"print('hello')\nresult = x",
                                         "import sys\nsys.stderr.write('hello\\n')\nresult = x"};
    for (size_t i = 0; i < 2; i++) {
        extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", bodies[i]);
        for (int again = 0; again < 3; again++) {
            extfn_output output = {0};
            bool is_hit = true;
            (void)call_with(host, function, extfn_value_number(1),
                            (extfn_call_options){.output = &output}, &is_hit);
            assert_false(is_hit);
            assert_int_equal(output.stdout_size + output.stderr_size, strlen("hello\n"));
            extfn_output_clear(&output);
        }
        extfn_function_unref(function);
    }
    extfn_host_free(host);
}

static void another_time_limit_or_function_is_another_call(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", ENTROPY);
    extfn_function *other = test_function(EXTFN_PYTHON, "N(x)->N", ENTROPY " # other");
    const extfn_value arg = extfn_value_number(1);
    bool is_hit = true;
    (void)call(host, function, arg, &is_hit);
    (void)call_with(host, function, arg, (extfn_call_options){.timeout_us = 4000000}, &is_hit);
    assert_false(is_hit);
    (void)call(host, other, arg, &is_hit);
    assert_false(is_hit);
    (void)call_with(host, function, arg, (extfn_call_options){.timeout_us = 5000000}, &is_hit);
    assert_true(is_hit); /* the default, named */
    extfn_function_unref(function);
    extfn_function_unref(other);
    extfn_host_free(host);
}

/* Every call that was given the object ends so, whatever is known. */
static void a_canceled_call_is_canceled(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    bool is_hit = true;
    extfn_value arg = extfn_value_number(1);
    for (int i = 0; i < 2; i++)
        (void)call_with(host, function, arg, (extfn_call_options){.cancel = cancel}, &is_hit);
    assert_true(is_hit);
    extfn_cancel_trigger(cancel);
    const extfn_call_options options = {.struct_size = sizeof(options), .cancel = cancel};
    extfn_value value = {0};
    assert_int_equal(extfn_host_eval(host, function, &arg, 1, &options, &value, NULL),
                     EXTFN_ECANCELED);
    extfn_cancel_free(cancel);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* A worker may have read the packages of before, or those of after: none of its values is kept. */
static void a_changed_package_ends_it(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    char folder[FOLDER_SIZE];
    folder_open(folder);
    (void)folder_write(folder, "module.py", "VALUE = 1\n", 10);
    extfn_host *host = memo_host(
        (extfn_host_options){.policy = EXTFN_TRUSTED, .packages = {[EXTFN_PYTHON] = folder}});
    extfn_function *function =
        test_function(EXTFN_PYTHON, "N(x)->N", "import module\nresult = module.VALUE");
    const extfn_value arg = extfn_value_number(1);
    bool is_hit = true;
    (void)call(host, function, arg, &is_hit);
    (void)call(host, function, arg, &is_hit);
    assert_true(is_hit);
    (void)folder_write(folder, "module.py", "VALUE = 22\n", 11);
    for (int i = 0; is_hit && i < 600; i++) {
        (void)poll(NULL, 0, 100); /* it looks once a second at most */
        (void)call(host, function, arg, &is_hit);
    }
    assert_false(is_hit);
    uint64_t misses = stats_of(host).memo_misses;
    (void)call(host, function, arg, &is_hit);
    assert_false(is_hit);
    assert_int_equal(stats_of(host).memo_misses, misses + 1);
    extfn_function_unref(function);
    extfn_host_free(host);
    folder_close(folder);
}

static void a_module_is_known_by_its_text(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_WASM, "N->N", WASM_TWICE);
    bool is_hit = true;
    for (int i = 0; i < 2; i++) {
        assert_true(call(host, function, extfn_value_number(3), &is_hit) == 6);
        assert_int_equal(is_hit, i > 0);
    }
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void a_module_is_known_by_its_file(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char folder[FOLDER_SIZE];
    folder_open(folder);
    extfn_host *host = memo_host((extfn_host_options){0});
    extfn_function *function = test_function(EXTFN_WASM, "->N", folder_path(folder, "m.wasm"));
    for (int number = 1; number < 4; number++) {
        write_constant(folder, "m.wasm", number);
        for (int again = 0; again < 2; again++) {
            extfn_value value = {0};
            assert_int_equal(extfn_host_eval(host, function, NULL, 0, NULL, &value, NULL),
                             EXTFN_OK);
            assert_true(value.as.number == number);
        }
        assert_int_equal(stats_of(host).memo_hits, number);
    }
    extfn_function_unref(function);
    extfn_host_free(host);
    folder_close(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_call_is_not_made_again),
        cmocka_unit_test(without_the_option_nothing_is_kept),
        cmocka_unit_test(zeros_and_nans_of_other_bits_are_other_arguments),
        cmocka_unit_test(every_type_is_kept_as_it_is),
        cmocka_unit_test(texts_do_not_trade_bytes_in_keys),
        cmocka_unit_test(impure_functions_are_evaluated_every_time),
        cmocka_unit_test(failures_are_not_kept),
        cmocka_unit_test(what_prints_prints_every_time),
        cmocka_unit_test(another_time_limit_or_function_is_another_call),
        cmocka_unit_test(a_canceled_call_is_canceled),
        cmocka_unit_test(a_changed_package_ends_it),
        cmocka_unit_test(a_module_is_known_by_its_text),
        cmocka_unit_test(a_module_is_known_by_its_file),
    };
    return cmocka_run_group_tests_name("memo", tests, NULL, NULL);
}
