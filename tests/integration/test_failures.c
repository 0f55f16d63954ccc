/* What is told of failing calls, and what a record makes of it. SPDX-License-Identifier: MIT */
#include "support/batch.h"
#include "support/temporary.h"

#define TOLD_LIMIT 8
#define RECORD_LIMIT 2

typedef struct told {
    extfn_host *host; /* NULL: no records are made */
    size_t count;
    int64_t rows[TOLD_LIMIT];
    extfn_record records[RECORD_LIMIT];
} told;

static void note(const extfn_failure *failure, void *context)
{
    told *all = context;
    assert_true(all->count < (all->host ? RECORD_LIMIT : TOLD_LIMIT));
    extfn_error err = {0};
    if (all->host &&
        extfn_record_make(all->host, failure, &all->records[all->count], &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    all->rows[all->count++] = failure->row;
}

static void told_clear(told *all)
{
    for (size_t i = 0; i < RECORD_LIMIT; i++)
        extfn_record_clear(&all->records[i]);
    extfn_host_free(all->host);
}

static extfn_status call(told *all, extfn_language language, const char *body, int64_t timeout_us)
{
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .timeout_us = timeout_us,
                                        .on_failure = note,
                                        .failure_context = all};
    extfn_function *function = test_function(language, "N(x)->N", body);
    extfn_value arg = extfn_value_number(2.5);
    extfn_value value = {0};
    extfn_status status = extfn_host_eval(all->host, function, &arg, 1, &options, &value, NULL);
    extfn_function_unref(function);
    return status;
}

static void each_failing_row_is_told_in_order(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    told all = {.count = 0};
    batch run =
        apply(EXTFN_PYTHON, "N(x)->N", "import os\nif x == 3: os._exit(1)\nresult = 1 / (x % 4)", 9,
              (extfn_call_options){.on_failure = note, .failure_context = &all});
    assert_int_equal(run.status, EXTFN_OK);
    const int64_t rows[] = {0, 3, 4, 8};
    assert_int_equal(all.count, 4);
    assert_memory_equal(all.rows, rows, sizeof(rows));
    batch_clear(&run);
}

static void a_batch_that_fails_as_a_whole_is_told_once(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    told all = {.count = 0};
    batch run = apply(EXTFN_PYTHON, "N(x)->N", "result = (", 9,
                      (extfn_call_options){.on_failure = note, .failure_context = &all});
    assert_int_equal(run.status, EXTFN_ERUNTIME);
    assert_int_equal(all.count, 1);
    assert_int_equal(all.rows[0], 0);
    batch_clear(&run);
}

static void rows_that_were_not_evaluated_are_not_told(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char *const bodies[] = {"raise ValueError('x')", "result = ("};
    for (size_t i = 0; i < 2; i++) {
        told all = {.count = 0};
        const extfn_call_options options = {.struct_size = sizeof(options),
                                            .on_failure = note,
                                            .failure_context = &all};
        extfn_host *host = test_host(NULL);
        extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", bodies[i]);
        extfn_column *column = NULL;
        extfn_column *result = NULL;
        assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
        assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_MISSING_INPUT, "missing",
                                                   NULL),
                         EXTFN_OK);
        assert_int_equal(extfn_column_append_number(column, 1, NULL), EXTFN_OK);
        const extfn_column *columns[] = {column};
        (void)!extfn_host_apply(host, function, columns, 1, 2, &options, &result, NULL);
        assert_int_equal(all.count, 1);
        assert_int_equal(all.rows[0], 1);
        extfn_column_free(column);
        extfn_column_free(result);
        extfn_function_unref(function);
        extfn_host_free(host);
    }
}

static void what_was_canceled_or_does_not_fit_is_not_told(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    told all = {.host = test_host(NULL)};
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    extfn_cancel_trigger(cancel);
    extfn_call_options options = {.struct_size = sizeof(options),
                                  .cancel = cancel,
                                  .on_failure = note,
                                  .failure_context = &all};
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    extfn_value arg = extfn_value_number(1);
    extfn_value value = {0};
    assert_int_equal(extfn_host_eval(all.host, function, &arg, 1, &options, &value, NULL),
                     EXTFN_ECANCELED);
    assert_int_equal(extfn_host_eval(all.host, function, &arg, 0, &options, &value, NULL),
                     EXTFN_EARITY);
    assert_int_equal(all.count, 0);
    extfn_function_unref(function);
    extfn_cancel_free(cancel);
    told_clear(&all);
}

static void a_record_holds_the_call_and_its_circumstances(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    told all = {.host = test_host(&(extfn_host_options){.memory_bytes = 300U << 20})};
    assert_int_equal(call(&all, EXTFN_PYTHON,
                          "import os\nos.write(2, b'a\\xff')\nraise ValueError('nope')", 4000000),
                     EXTFN_ERUNTIME);
    assert_int_equal(all.count, 1);
    const extfn_record *record = &all.records[0];
    assert_int_equal(record->arg_count, 1);
    assert_true(record->args[0].as.number == 2.5);
    assert_int_equal(record->outcome.status, EXTFN_ERUNTIME);
    assert_string_equal(record->outcome.message, "ValueError: nope (line 3)");
    assert_string_equal(record->stderr_data, "a\xef\xbf\xbd");
    assert_int_equal(record->timeout_us, 4000000);
    assert_int_equal(record->memory_bytes, 300U << 20);
    assert_int_equal(record->policy, EXTFN_RESTRICTED);
    assert_string_equal(record->version, extfn_version());
    assert_non_null(strstr(record->interpreter_version, "Python 3."));
    assert_int_equal(record->interpreter[0], '/');
    told_clear(&all);
}

static void a_language_that_is_missing_is_recorded_without_a_version(void **state)
{
    (void)state;
    REQUIRE_BWRAP();
    told all = {.host = test_host(&(extfn_host_options){.interpreters = {"/nonexistent/python"}})};
    assert_int_equal(call(&all, EXTFN_PYTHON, "result = 1", 0), EXTFN_EUNAVAILABLE);
    assert_int_equal(all.count, 1);
    assert_null(all.records[0].interpreter);
    assert_int_equal(all.records[0].outcome.status, EXTFN_EUNAVAILABLE);
    told_clear(&all);
}

static void a_module_of_a_file_is_in_its_record(void **state)
{
    (void)state;
    REQUIRE_WASM();
    /* (func (export "improv_call") (param f64) (result f64) unreachable) */
    static const unsigned char module[] = {0,   'a', 's',  'm', 1,    0,   0,    0,   1,
                                           6,   1,   0x60, 1,   0x7c, 1,   0x7c, 3,   2,
                                           1,   0,   7,    15,  1,    11,  'i',  'm', 'p',
                                           'r', 'o', 'v',  '_', 'c',  'a', 'l',  'l', 0,
                                           0,   10,  5,    1,   3,    0,   0,    0x0b};
    char path[TEMPORARY_SIZE];
    int fd = temporary_file(path, sizeof(path), "/tmp");
    assert_int_equal(write(fd, module, sizeof(module)), sizeof(module));
    (void)close(fd);
    told all = {.host = test_host(NULL)};
    assert_int_equal(call(&all, EXTFN_WASM, path, 0), EXTFN_ERUNTIME);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(all.count, 1);
    size_t size = 0;
    const char *body = extfn_function_body(all.records[0].function, &size);
    assert_memory_equal(body, "base64:AGFzbQ", strlen("base64:AGFzbQ"));
    /* And one whose file is not there keeps its path. */
    assert_int_equal(call(&all, EXTFN_WASM, path, 0), EXTFN_ERUNTIME);
    assert_string_equal(extfn_function_body(all.records[1].function, &size), path);
    told_clear(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_failing_row_is_told_in_order),
        cmocka_unit_test(a_batch_that_fails_as_a_whole_is_told_once),
        cmocka_unit_test(rows_that_were_not_evaluated_are_not_told),
        cmocka_unit_test(what_was_canceled_or_does_not_fit_is_not_told),
        cmocka_unit_test(a_record_holds_the_call_and_its_circumstances),
        cmocka_unit_test(a_language_that_is_missing_is_recorded_without_a_version),
        cmocka_unit_test(a_module_of_a_file_is_in_its_record),
    };
    return cmocka_run_group_tests_name("failures", tests, NULL, NULL);
}
