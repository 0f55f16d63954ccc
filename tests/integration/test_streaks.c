/* A function that ends its workers, with any number of them: the rows decide what comes of it.
 * SPDX-License-Identifier: MIT */
#include "support/batch.h"

#include <stdio.h>

/* Without a sandbox, which takes longer to start. A row a letter: g is good, d ends its worker with
 * a status of its own, t takes too long, e has an error for its argument. */
static extfn_column *rows_of(const char *letters)
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    for (int row = 0; letters[row]; row++) {
        if (letters[row] == 'e') {
            assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_CUSTOM, "none", NULL),
                             EXTFN_OK);
            continue;
        }
        double kind = letters[row] == 'd' ? 1000 : letters[row] == 't' ? 2000 : 0;
        assert_int_equal(extfn_column_append_number(column, kind + row, NULL), EXTFN_OK);
    }
    return column;
}

static extfn_status apply_letters(const char *letters, size_t workers, uint64_t memo_bytes,
                                  extfn_error *err)
{
    extfn_host *host =
        test_host(&(extfn_host_options){.policy = EXTFN_TRUSTED, .memo_bytes = memo_bytes});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N",
                                             "import os\nwhile x >= 2000:\n    pass\n"
                                             "if x >= 1000:\n    os._exit(int(x) - 1000)\n"
                                             "result = x");
    extfn_column *column = rows_of(letters);
    const extfn_column *columns[] = {column};
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .workers = workers,
                                        .timeout_us = 300000};
    extfn_column *result = NULL;
    extfn_status status = extfn_host_apply(host, function, columns, 1, (int64_t)strlen(letters),
                                           &options, &result, err);
    extfn_column_free(result);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
    return status;
}

/* `given_up_at`: the row whose end is told, or negative. */
static void assert_outcome(const char *letters, int given_up_at)
{
    static const struct {
        size_t workers;
        uint64_t memo_bytes;
    } runs[] = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {2, 1 << 20}};
    char expected[160] = "";
    if (given_up_at >= 0) {
        (void)snprintf(expected, sizeof(expected),
                       "function ends its worker on every row (100 in a row): "
                       "function ended its process with exit status %d",
                       given_up_at);
    }
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        extfn_error err = {0};
        extfn_status status = apply_letters(letters, runs[i].workers, runs[i].memo_bytes, &err);
        assert_string_equal(err.message, expected);
        assert_int_equal(status, given_up_at >= 0 ? EXTFN_ERUNTIME : EXTFN_OK);
    }
}

#define TEN(letters) letters letters letters letters letters letters letters letters letters letters
#define HUNDRED(letters) TEN(TEN(letters))

static void whether_it_is_given_up_does_not_depend_on_the_workers(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    assert_outcome(HUNDRED("d"), -1);
    assert_outcome(HUNDRED("d") "e", 99);
    assert_outcome(HUNDRED("d") "t", 99);
    assert_outcome("g" HUNDRED("d") "eee", 100);
}

static void the_reason_is_that_of_the_hundredth_row(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    assert_outcome(TEN("ddd") "g" HUNDRED("d") TEN("dd"), 130);
}

/* Rows from 200 on break the word of a vectorized function at once. */
static void a_word_that_is_broken_later_is_not_told_earlier(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    for (size_t workers = 1; workers <= 4; workers += 3) {
        batch run = apply(EXTFN_PYTHON, "N(x)->Nv",
                          "import os\nif x[0] < 200:\n    os._exit(3)\n"
                          "result = [len(x) for each in x]",
                          400, (extfn_call_options){.workers = workers, .chunk_rows = 200});
        assert_int_equal(run.status, EXTFN_ERUNTIME);
        assert_string_equal(run.err.message,
                            "function ends its worker on every row (100 in a row): "
                            "function ended its process with exit status 3");
        batch_clear(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whether_it_is_given_up_does_not_depend_on_the_workers),
        cmocka_unit_test(the_reason_is_that_of_the_hundredth_row),
        cmocka_unit_test(a_word_that_is_broken_later_is_not_told_earlier),
    };
    return cmocka_run_group_tests_name("streaks", tests, NULL, NULL);
}
