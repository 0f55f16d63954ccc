/* Whole calls without memory, with a real worker. */
#include "eval/host.h"

#include "base/alloc.h"
#include "support/fds.h"
#include "support/host.h"
#include "support/oom.h"
#include "support/process.h"

static void a_host_is_made_or_not(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    extfn_host *host = NULL;
    XF_OOM_SWEEP(status, status = extfn_host_new(NULL, &host, NULL));
    extfn_host_free(host);
    extfn_host_free(NULL);
    const extfn_host_options bad = {.struct_size = sizeof(bad), .timeout_us = -1};
    assert_int_equal(extfn_host_new(&bad, &host, NULL), EXTFN_EINVAL);
}

/* From the search for the interpreter to the value; whatever failed, nothing is left of it. */
static void a_call_without_memory_fails_and_leaves_nothing(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    extfn_host *host = test_trusted_host();
    extfn_function *function = test_function(EXTFN_PYTHON, "T(x)->T", "result = x + '!'");
    extfn_value text = test_text("hello");
    extfn_value value = {0};
    extfn_status status = EXTFN_OK;
    int fds = test_count_fds();
    XF_OOM_SWEEP(status, status = extfn_host_eval(host, function, &text, 1, NULL, &value, NULL));
    assert_string_equal(value.as.text.data, "hello!");
    extfn_value_clear(&value);
    extfn_value_clear(&text);
    extfn_function_unref(function);
    extfn_host_free(host);
    assert_int_equal(test_count_fds(), fds);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* The row that raises and the one that is refused need memory too. */
static void a_batch_without_memory_fails_as_a_whole(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    extfn_host *host = test_trusted_host();
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->T", "result = str(1 / x)");
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &column, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_number(column, 4, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_number(column, 0, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_error(column, EXTFN_KIND_MISSING_INPUT, "none", NULL),
                     EXTFN_OK);
    const extfn_column *columns[] = {column};
    extfn_column *result = NULL;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status,
                 status = extfn_host_apply(host, function, columns, 1, 3, NULL, &result, NULL));
    assert_int_equal(extfn_column_rows(result), 3);
    assert_int_equal(extfn_column_error_count(result), 2);
    extfn_column_free(result);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void probing_without_memory_fails(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    extfn_host *host = test_trusted_host();
    extfn_status status = EXTFN_OK;
    char *path = NULL;
    char *version = NULL;
    XF_OOM_SWEEP(status,
                 status = extfn_host_probe_language(host, EXTFN_PYTHON, &path, &version, NULL));
    assert_memory_equal(version, "Python 3", 8);
    extfn_text_free(path);
    extfn_text_free(version);
    extfn_host_free(host);
}

static void a_batch_needs_columns_of_its_length(void **state)
{
    (void)state;
    extfn_host *host = test_trusted_host();
    extfn_function *function = test_function(EXTFN_PYTHON, "N->N", "result = 1");
    extfn_function *constant = test_function(EXTFN_PYTHON, "->N", "result = 1");
    static const double numbers[] = {1, 2};
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new_numbers(numbers, 2, &column, NULL), EXTFN_OK);
    const extfn_column *columns[] = {column};
    extfn_column *result = NULL;
    extfn_error err = {0};
    assert_int_equal(extfn_host_apply(host, function, columns, 1, 3, NULL, &result, &err),
                     EXTFN_EINVAL);
    assert_string_equal(err.message, "function f: column 0 has 2 rows, expected 3");
    assert_int_equal(extfn_host_apply(host, constant, NULL, 0, -1, NULL, &result, &err),
                     EXTFN_EINVAL);
    assert_string_equal(err.message, "the number of rows is negative");
    const extfn_call_options bad = {.struct_size = sizeof(bad), .chunk_rows = -1};
    assert_int_equal(extfn_host_apply(host, function, columns, 1, 2, &bad, &result, &err),
                     EXTFN_EINVAL);
    assert_int_equal(extfn_host_check(host, function, &bad, &err), EXTFN_EINVAL);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_function_unref(constant);
    extfn_host_free(host);
}

#define MEMO_BYTES (1 << 20)
#define THREADS 8

static extfn_host *host_with_memo(void)
{
    return test_host(&(extfn_host_options){.policy = EXTFN_TRUSTED, .memo_bytes = MEMO_BYTES});
}

/* One without the other would keep nothing for as long as the host lives. */
static void a_runtime_is_found_with_its_world_or_not_at_all(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    extfn_host *host = host_with_memo();
    const xf_language *language = xf_language_get(EXTFN_PYTHON);
    const xf_runtime *runtime = NULL;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        status = xf_host_runtime(host, language, &runtime, NULL);
        assert_int_equal(!host->runtimes[EXTFN_PYTHON], status != EXTFN_OK);
        assert_int_equal(atomic_load(&host->worlds[EXTFN_PYTHON].is_taken), status == EXTFN_OK);
    });
    assert_false(atomic_load(&host->worlds[EXTFN_PYTHON].is_changed));
    extfn_host_free(host);
}

typedef struct seeker {
    extfn_host *host;
    pthread_barrier_t *start;
    const xf_runtime *found;
    bool is_world_there;
} seeker;

static void *seek(void *context)
{
    seeker *own = context;
    (void)pthread_barrier_wait(own->start);
    if (xf_host_runtime(own->host, xf_language_get(EXTFN_PYTHON), &own->found, NULL) == EXTFN_OK)
        own->is_world_there = atomic_load(&own->host->worlds[EXTFN_PYTHON].is_taken);
    return NULL;
}

/* Several look for it; whoever has it, and may start a worker, has the world from before. */
static void threads_that_want_a_runtime_at_once_get_the_same(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    extfn_host *host = host_with_memo();
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    pthread_t threads[THREADS];
    seeker seekers[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        seekers[i] = (seeker){.host = host, .start = &start};
        assert_int_equal(pthread_create(&threads[i], NULL, seek, &seekers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_non_null(seekers[i].found);
        assert_ptr_equal(seekers[i].found, host->runtimes[EXTFN_PYTHON]);
        assert_true(seekers[i].is_world_there);
    }
    (void)pthread_barrier_destroy(&start);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_is_made_or_not),
        cmocka_unit_test(a_call_without_memory_fails_and_leaves_nothing),
        cmocka_unit_test(a_batch_without_memory_fails_as_a_whole),
        cmocka_unit_test(probing_without_memory_fails),
        cmocka_unit_test(a_batch_needs_columns_of_its_length),
        cmocka_unit_test(a_runtime_is_found_with_its_world_or_not_at_all),
        cmocka_unit_test(threads_that_want_a_runtime_at_once_get_the_same),
    };
    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
