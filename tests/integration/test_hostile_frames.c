/* A worker that is a hostile program, on the way that every call takes: tests/support/hostile.c.
 * Each seed is a function of its own. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/prefix.h"
#include "support/process.h"

#define SEEDS 200
#define ROWS 2
#define ROW_LIMIT_US 40000
#define START_LIMIT_US 1000000
#define CALL_LIMIT_US 30000000 /* many times what two rows and their workers can take */

static const char *const signatures[] = {"N(x)->N", "N(x)->Nv", "N(x)->B",
                                         "N(x)->T", "N(x)->D",  "N(x)->E"};
#define SIGNATURES (sizeof(signatures) / sizeof(signatures[0]))

typedef struct tally {
    int values;
    int errors;
    int failed_calls;
} tally;

/* An even seed makes no wrong claim: what the host takes for a value has to be right. */
static bool is_right(const extfn_value *value, int64_t row)
{
    switch (value->type) {
    case EXTFN_NUMBER:
        return value->as.number == 2 * ((double)row + 0.5);
    case EXTFN_BOOLEAN:
        return value->as.boolean;
    case EXTFN_TEXT:
        return strcmp(value->as.text.data, "right") == 0;
    case EXTFN_DATETIME:
        return value->as.datetime == 7;
    case EXTFN_ENUM:
        return value->as.index == 7;
    case EXTFN_NONE:
    case EXTFN_ERROR:
    default:
        return false;
    }
}

/* Whatever it holds can be read, written and read again. */
static void check_is_sound(const extfn_value *value, int seed)
{
    char *json = NULL;
    extfn_value again = {0};
    if (extfn_value_to_json(value, &json, NULL) != EXTFN_OK ||
        extfn_value_from_json(json, strlen(json), value->type, &again, NULL) != EXTFN_OK ||
        !extfn_value_is_equal(value, &again))
        fail_msg("seed %d: a broken value", seed);
    extfn_text_free(json);
    extfn_value_clear(&again);
}

static void check_rows(const extfn_column *result, extfn_type type, int seed, tally *sum)
{
    assert_int_equal(extfn_column_rows(result), ROWS);
    for (int64_t row = 0; row < ROWS; row++) {
        extfn_value value = {0};
        assert_int_equal(extfn_column_get(result, row, &value, NULL), EXTFN_OK);
        if (value.type == EXTFN_ERROR) {
            sum->errors++;
        } else {
            sum->values++;
            assert_int_equal(value.type, type);
            check_is_sound(&value, seed);
            if (seed % 2 == 0 && !is_right(&value, row))
                fail_msg("seed %d: row %d is wrong", seed, (int)row);
        }
        extfn_value_clear(&value);
    }
}

/* The kinds of what is wrong with a function as a whole; a call that is never over has another. */
static void check_failure(extfn_status status, const extfn_error *err, int seed)
{
    bool is_fine = status == EXTFN_ERUNTIME || status == EXTFN_ESANDBOX ||
                   status == EXTFN_EUNAVAILABLE ||
                   (status == EXTFN_ETIMEOUT && strstr(err->message, "start"));
    if (!is_fine || err->status != status || err->message[0] == '\0')
        fail_msg("seed %d: %s: '%s'", seed, extfn_status_kind(status), err->message);
}

static bool apply_once(extfn_host *host, extfn_function *function, const extfn_column *column,
                       int seed, tally *sum)
{
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .timeout_us = ROW_LIMIT_US,
                                        .deadline_us = CALL_LIMIT_US};
    extfn_column *result = NULL;
    extfn_error err = {0};
    extfn_status status =
        extfn_host_apply(host, function, &column, 1, ROWS, &options, &result, &err);
    if (status == EXTFN_OK) {
        check_rows(result, extfn_function_return_type(function), seed, sum);
        extfn_column_free(result);
    } else {
        sum->failed_calls++;
        check_failure(status, &err, seed);
    }
    return status == EXTFN_OK;
}

/* Where all went well twice: the second time by a warm worker that may have lied already. */
static void run_seed(extfn_host *host, const extfn_column *column, int seed, tally *sum)
{
    char body[16];
    (void)snprintf(body, sizeof(body), "%d", seed);
    extfn_function *function =
        test_function(EXTFN_PURE, signatures[(size_t)(seed / 2) % SIGNATURES], body);
    int errors = sum->errors;
    if (apply_once(host, function, column, seed, sum) && sum->errors == errors)
        (void)apply_once(host, function, column, seed, sum);
    extfn_function_unref(function);
}

static void whatever_a_worker_answers_the_host_stays_right(void **state)
{
    REQUIRE_BWRAP();
    const test_prefix *prefix = *state;
    test_adopt_orphans();
    extfn_host *host =
        test_host(&(extfn_host_options){.interpreters = {[EXTFN_PURE] = prefix->interpreter},
                                        .start_timeout_us = START_LIMIT_US,
                                        .warm_workers = 2});
    static const double numbers[ROWS] = {0.5, 1.5};
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new_numbers(numbers, ROWS, &column, NULL), EXTFN_OK);
    tally sum = {0};
    for (int seed = 0; seed < SEEDS; seed++)
        run_seed(host, column, seed, &sum);
    print_message("# %d values, %d errors, %d calls that failed\n", sum.values, sum.errors,
                  sum.failed_calls);
    assert_true(sum.values > SEEDS / 4);
    assert_true(sum.errors > SEEDS / 4);
    assert_true(sum.failed_calls > 0);
    extfn_column_free(column);
    extfn_host_free(host);
    assert_true(test_is_childless_within(2));
}

static int make_prefix(void **state)
{
    static test_prefix prefix;
    test_prefix_make(&prefix, EXTFN_TEST_HOSTILE);
    *state = &prefix;
    return 0;
}

static int remove_prefix(void **state)
{
    return test_prefix_remove(*state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_a_worker_answers_the_host_stays_right),
    };
    return cmocka_run_group_tests_name("hostile_frames", tests, make_prefix, remove_prefix);
}
