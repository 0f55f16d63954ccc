/* What calls cost, as their receipts tell it. SPDX-License-Identifier: MIT */
#include "support/batch.h"

#define BURN "import time\nend = time.process_time() + 0.1\nwhile time.process_time() < end: pass\n"
#define BURNT_US 100000

static extfn_receipt call(extfn_host *host, extfn_function *function, int64_t timeout_us,
                          extfn_status expected)
{
    extfn_receipt receipt = {.struct_size = sizeof(receipt)};
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .timeout_us = timeout_us,
                                        .receipt = &receipt};
    extfn_value arg = extfn_value_number(2);
    extfn_value value = {0};
    extfn_error err = {0};
    extfn_status status = extfn_host_eval(host, function, &arg, 1, &options, &value, &err);
    if (status != expected)
        fail_msg("%s: %s", extfn_status_kind(status), err.message);
    extfn_value_clear(&value);
    return receipt;
}

static void a_cold_call_has_started_a_worker_and_a_warm_one_has_found_it(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", BURN "result = x");
    extfn_receipt cold = call(host, function, 0, EXTFN_OK);
    assert_int_equal(cold.workers_started, 1);
    assert_int_equal(cold.workers_warm, 0);
    assert_in_range(cold.cpu_us, BURNT_US, 100 * BURNT_US);
    assert_in_range(cold.wall_us, BURNT_US, INT64_MAX);
    assert_in_range(cold.peak_memory, 4U << 20, 512U << 20);
    extfn_receipt warm = call(host, function, 0, EXTFN_OK);
    assert_int_equal(warm.workers_started, 0);
    assert_int_equal(warm.workers_warm, 1);
    /* What the worker had used before is not this call's. */
    assert_in_range(warm.cpu_us, BURNT_US, cold.cpu_us - 1);
    assert_in_range(warm.peak_memory, cold.peak_memory, 512U << 20);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void a_call_that_fails_has_its_receipt(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const struct {
        const char *body;
        int64_t timeout_us;
        extfn_status status;
        uint64_t memory;
    } cases[] = {
        {BURN "raise ValueError('x')", 0, EXTFN_ERUNTIME, 0},
        {"import os\nheld = bytearray(64 << 20)\n" BURN "os._exit(3)", 0, EXTFN_ERUNTIME,
         64U << 20},
        {"held = bytearray(64 << 20)\n" BURN "while True: pass", 3000000, EXTFN_ETIMEOUT,
         64U << 20},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        extfn_host *host = test_host(NULL);
        extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N!", cases[i].body);
        extfn_receipt receipt = call(host, function, cases[i].timeout_us, cases[i].status);
        assert_int_equal(receipt.workers_started, 1);
        assert_int_equal(receipt.rows, 1);
        assert_in_range(receipt.cpu_us, BURNT_US, 100 * BURNT_US);
        assert_in_range(receipt.peak_memory, cases[i].memory, 512U << 20);
        extfn_function_unref(function);
        extfn_host_free(host);
    }
}

static void a_canceled_batch_tells_what_it_used_until_then(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_receipt receipt = {.struct_size = sizeof(receipt)};
    batch run = apply(EXTFN_PYTHON, "N(x)->N", BURN "import time\ntime.sleep(60)\nresult = x", 3,
                      (extfn_call_options){.deadline_us = 1500000,
                                           .timeout_us = 100000000,
                                           .receipt = &receipt});
    assert_int_equal(run.status, EXTFN_ETIMEOUT);
    assert_int_equal(receipt.rows, 0);
    assert_int_equal(receipt.bytes_in, 3 * sizeof(double));
    assert_in_range(receipt.workers_started, 1, 3);
    assert_in_range(receipt.cpu_us, 1000, 100 * BURNT_US);
    batch_clear(&run);
}

static void rows_and_bytes_are_those_of_the_columns(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_receipt receipt = {.struct_size = sizeof(receipt)};
    batch run = apply(EXTFN_PYTHON, "N(x)->T", "result = 'abc'", 1000,
                      (extfn_call_options){.receipt = &receipt});
    assert_int_equal(run.status, EXTFN_OK);
    assert_int_equal(receipt.rows, 1000);
    assert_int_equal(receipt.bytes_in, 1000 * sizeof(double));
    assert_int_equal(receipt.bytes_out, 1000 * 3 + 1001 * sizeof(int64_t));
    batch_clear(&run);
}

static void workers_that_replace_others_count(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_receipt receipt = {.struct_size = sizeof(receipt)};
    batch run =
        apply(EXTFN_PYTHON, "N(x)->N", "import os\nif x in (1, 3): os._exit(1)\nresult = 2 * x", 5,
              (extfn_call_options){.workers = 1, .receipt = &receipt});
    const int64_t bad[] = {1, 3};
    assert_doubled_but(&run, 5, bad, 2, "function ended its process with exit status 1");
    assert_int_equal(receipt.workers_started, 3);
    assert_int_equal(receipt.rows, 5);
    batch_clear(&run);
}

/* Times are the thread's, and no worker is there. */
static void a_module_has_a_receipt_without_workers(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(
        EXTFN_WASM, "N(x)->N",
        "wat:(module (func (export \"improv_call\") (param f64) (result f64) (local $i i32)\n"
        "  (loop $l (local.set $i (i32.add (local.get $i) (i32.const 1)))\n"
        "    (br_if $l (i32.lt_u (local.get $i) (i32.const 100000000))))\n"
        "  (local.get 0)))");
    extfn_receipt receipt = call(host, function, 60000000, EXTFN_OK);
    assert_int_equal(receipt.workers_started + receipt.workers_warm, 0);
    assert_int_equal(receipt.peak_memory, 0);
    assert_in_range(receipt.cpu_us, 1000, 100 * BURNT_US);
    assert_int_equal(receipt.bytes_in, sizeof(double));
    assert_int_equal(receipt.bytes_out, sizeof(double));
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void a_shorter_struct_is_filled_as_far_as_it_goes(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_receipt receipt = {.struct_size = offsetof(extfn_receipt, peak_memory), .peak_memory = 7};
    batch run =
        apply(EXTFN_PYTHON, "N(x)->N", "result = x", 1, (extfn_call_options){.receipt = &receipt});
    assert_int_equal(run.status, EXTFN_OK);
    assert_int_equal(receipt.struct_size, offsetof(extfn_receipt, peak_memory));
    assert_true(receipt.wall_us > 0);
    assert_int_equal(receipt.peak_memory, 7);
    batch_clear(&run);
}

static void jobs_with_receipts_are_batches_of_their_own(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(NULL);
    extfn_queue *queue = NULL;
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    assert_int_equal(extfn_queue_new(host, &queue, NULL), EXTFN_OK);
    extfn_receipt receipts[3] = {{0}};
    for (size_t i = 0; i < 3; i++) {
        receipts[i].struct_size = sizeof(receipts[i]);
        const extfn_call_options options = {.struct_size = sizeof(options),
                                            .receipt = &receipts[i]};
        extfn_value arg = extfn_value_number((double)i);
        extfn_job *job = NULL;
        assert_int_equal(extfn_queue_submit(queue, function, &arg, 1, &options, NULL, &job, NULL),
                         EXTFN_OK);
    }
    while (extfn_queue_count(queue) > 0)
        extfn_job_free(extfn_queue_step(queue));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(receipts[i].rows, 1);
        assert_int_equal(receipts[i].workers_started + receipts[i].workers_warm, 1);
    }
    extfn_queue_free(queue);
    extfn_function_unref(function);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cold_call_has_started_a_worker_and_a_warm_one_has_found_it),
        cmocka_unit_test(a_call_that_fails_has_its_receipt),
        cmocka_unit_test(a_canceled_batch_tells_what_it_used_until_then),
        cmocka_unit_test(rows_and_bytes_are_those_of_the_columns),
        cmocka_unit_test(workers_that_replace_others_count),
        cmocka_unit_test(a_module_has_a_receipt_without_workers),
        cmocka_unit_test(a_shorter_struct_is_filled_as_far_as_it_goes),
        cmocka_unit_test(jobs_with_receipts_are_batches_of_their_own),
    };
    return cmocka_run_group_tests_name("receipt", tests, NULL, NULL);
}
