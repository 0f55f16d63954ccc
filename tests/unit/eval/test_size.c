/* What the results of a batch may take together, with the limit lowered: the same outcome whoever
 * evaluates them. SPDX-License-Identifier: MIT */
#include "eval/host.h"

#include "support/host.h"

#include <extfn/queue.h>
#include <poll.h>

#define LIMIT (1U << 20)
#define PART (LIMIT / 8)

static const char too_large[] =
    "results of more than 1 MiB together; apply it to fewer rows at a time";

/* Rows 0, 1, 2 ..., each of `different` numbers in turn. */
static extfn_column *rows_of(int64_t rows, int64_t different)
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    for (int64_t row = 0; row < rows; row++)
        assert_int_equal(extfn_column_append_number(column, (double)(row % different), NULL),
                         EXTFN_OK);
    return column;
}

typedef struct trial {
    extfn_language language;
    const char *signature;
    const char *body;
    int64_t rows;
    int64_t different;
    uint64_t memo_bytes;
    extfn_call_options options;
} trial;

static void assert_ends(const trial *it, bool is_too_large)
{
    extfn_host *host =
        test_host(&(extfn_host_options){.policy = EXTFN_TRUSTED, .memo_bytes = it->memo_bytes});
    host->result_limit = LIMIT;
    extfn_function *function = test_function(it->language, it->signature, it->body);
    extfn_column *column = rows_of(it->rows, it->different);
    const extfn_column *columns[] = {column};
    extfn_call_options options = it->options;
    options.struct_size = sizeof(options);
    extfn_column *result = NULL;
    extfn_error err = {0};
    extfn_status status =
        extfn_host_apply(host, function, columns, 1, it->rows, &options, &result, &err);
    assert_string_equal(err.message, is_too_large ? too_large : "");
    assert_int_equal(status, is_too_large ? EXTFN_ERUNTIME : EXTFN_OK);
    extfn_column_free(result);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* As many rows as fit, and one more. */
static void assert_bounded_at(trial it, int64_t rows)
{
    it.different = it.different ? it.different : rows + 1;
    for (int64_t more = 0; more <= 1; more++) {
        it.rows = rows + more;
        assert_ends(&it, more > 0);
    }
}

static void texts_of_a_batch_are_bounded_together(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    char body[64];
    (void)snprintf(body, sizeof(body), "result = 'a' * %u", PART);
    for (size_t workers = 1; workers <= 4; workers *= 2) {
        const trial it = {.language = EXTFN_PYTHON,
                          .signature = "N(x)->T",
                          .body = body,
                          .options = {.workers = workers, .chunk_rows = 2}};
        assert_bounded_at(it, LIMIT / PART);
    }
}

/* The first row waits until no other can be: all of them are there before it. */
static void results_that_are_not_in_order_yet_count(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    char body[128];
    (void)snprintf(body, sizeof(body),
                   "while x == 0:\n    pass\nimport time\ntime.sleep(0.02)\nresult = 'a' * %u",
                   PART);
    const trial it = {.language = EXTFN_PYTHON,
                      .signature = "N(x)->T",
                      .body = body,
                      .rows = 1000,
                      .different = 1000,
                      .options = {.workers = 2,
                                  .chunk_rows = 1,
                                  .timeout_us = INT64_C(3600000000)}};
    assert_ends(&it, true);
}

static void messages_count_as_well(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    const trial it = {.language = EXTFN_PYTHON,
                      .signature = "N(x)->N",
                      .body = "raise ValueError('a' * (1024 - len('ValueError:  (line 1)')))"};
    assert_bounded_at(it, LIMIT / 1024);
}

/* What is evaluated once and handed out often. */
static void repeats_count_each_time(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    trial it = {.language = EXTFN_PYTHON,
                .signature = "N(x)->T",
                .body = "import time\ntime.sleep(0.001)\nresult = 'a' * 4096",
                .different = 8,
                .memo_bytes = 1 << 20};
    assert_bounded_at(it, LIMIT / 4096);
    it.memo_bytes = 0;
    it.body = "result = 'a' * 4096";
    assert_bounded_at(it, LIMIT / 4096);
}

static const char wat[] =
    "wat:(module (memory (export \"memory\") 16)"
    " (func (export \"improv_alloc\") (param i32) (result i32) (i32.const 0))"
    " (func (export \"improv_call\") (param f64) (result i64) (i64.const 65536)))";

static void a_module_is_bounded_too(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("wasm", test_has(EXTFN_WASM));
    const trial it = {.language = EXTFN_WASM, .signature = "N(x)->T", .body = wat};
    assert_bounded_at(it, LIMIT / 65536);
}

/* Each has its own result, however many travel together. */
static void calls_in_a_queue_do_not_count_together(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    extfn_host *host = test_trusted_host();
    host->result_limit = LIMIT;
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->T", "result = 'a' * 100000");
    extfn_queue *queue = NULL;
    assert_int_equal(extfn_queue_new(host, &queue, NULL), EXTFN_OK);
    const extfn_value five = extfn_value_number(5);
    for (int i = 0; i < 100; i++) {
        extfn_job *job = NULL;
        assert_int_equal(extfn_queue_submit(queue, function, &five, 1, NULL, NULL, &job, NULL),
                         EXTFN_OK);
    }
    for (int done = 0; done < 100;) {
        extfn_job *job = extfn_queue_step(queue);
        struct pollfd ready = {.fd = extfn_queue_descriptor(queue), .events = POLLIN};
        if (!job) {
            assert_int_equal(poll(&ready, 1, 60000), 1);
            continue;
        }
        extfn_value value = {0};
        assert_int_equal(extfn_job_take_value(job, &value, NULL), EXTFN_OK);
        assert_int_equal(value.as.text.size, 100000);
        extfn_value_clear(&value);
        extfn_job_free(job);
        done++;
    }
    extfn_queue_free(queue);
    extfn_function_unref(function);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_a_batch_are_bounded_together),
        cmocka_unit_test(results_that_are_not_in_order_yet_count),
        cmocka_unit_test(messages_count_as_well),
        cmocka_unit_test(repeats_count_each_time),
        cmocka_unit_test(a_module_is_bounded_too),
        cmocka_unit_test(calls_in_a_queue_do_not_count_together),
    };
    return cmocka_run_group_tests_name("eval/size", tests, NULL, NULL);
}
