/* Calls and batches that go on while the host polls one descriptor. SPDX-License-Identifier: MIT */
#include "support/batch.h"
#include "support/process.h"

#include <extfn/queue.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

typedef struct fixture {
    extfn_host *host;
    extfn_queue *queue;
} fixture;

static fixture fixture_new(const extfn_host_options *options)
{
    fixture fix = {.host = test_host(options)};
    assert_int_equal(extfn_queue_new(fix.host, &fix.queue, NULL), EXTFN_OK);
    return fix;
}

static void fixture_clear(fixture *fix)
{
    extfn_queue_free(fix->queue);
    extfn_host_free(fix->host);
}

static extfn_job *submit(const fixture *fix, extfn_function *function, double number,
                         const extfn_call_options *options, void *context)
{
    const extfn_value args[] = {extfn_value_number(number)};
    extfn_job *job = NULL;
    extfn_error err = {0};
    if (extfn_queue_submit(fix->queue, function, args, 1, options, context, &job, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    return job;
}

/* Polls until a job is done. */
static extfn_job *next_done(const fixture *fix)
{
    for (;;) {
        extfn_job *job = extfn_queue_step(fix->queue);
        if (job)
            return job;
        struct pollfd ready = {.fd = extfn_queue_descriptor(fix->queue), .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 60000), 1);
    }
}

static void assert_value(extfn_job *job, double expected)
{
    extfn_value value = {0};
    extfn_error err = {0};
    if (extfn_job_take_value(job, &value, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    assert_true(value.as.number == expected);
    extfn_job_free(job);
}

static uint64_t started(extfn_host *host)
{
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    return stats.workers_started;
}

#define CALLS 1000
#define FUNCTIONS 5

static void a_thousand_calls_of_several_functions_go_through_one_poll_loop(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(NULL);
    extfn_function *functions[FUNCTIONS];
    static double inputs[CALLS];
    for (int i = 0; i < FUNCTIONS; i++) {
        char body[64];
        (void)snprintf(body, sizeof(body), "result = x * 10 + %d", i);
        functions[i] = test_function(EXTFN_PYTHON, "N(x)->N", body);
    }
    for (int i = 0; i < CALLS; i++) {
        inputs[i] = i;
        (void)submit(&fix, functions[i % FUNCTIONS], i, NULL, &inputs[i]);
    }
    assert_int_equal(extfn_queue_count(fix.queue), CALLS);
    for (int i = 0; i < CALLS; i++) {
        extfn_job *job = next_done(&fix);
        const double *input = extfn_job_context(job);
        assert_value(job, *input * 10 + (int)*input % FUNCTIONS);
    }
    assert_int_equal(extfn_queue_count(fix.queue), 0);
    assert_null(extfn_queue_step(fix.queue));
    assert_in_range(started(fix.host), FUNCTIONS, 3 * FUNCTIONS);
    for (int i = 0; i < FUNCTIONS; i++)
        extfn_function_unref(functions[i]);
    fixture_clear(&fix);
}

static void a_call_that_fails_fails_alone_among_those_that_travel_with_it(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(NULL);
    extfn_function *function = test_function(
        EXTFN_PYTHON, "N(x)->N",
        "import os\nif x == 7: os._exit(3)\nif x == 8: raise ValueError('eight')\nresult = x");
    for (int i = 0; i < 20; i++)
        (void)submit(&fix, function, i, NULL, NULL);
    unsigned failed = 0;
    for (int i = 0; i < 20; i++) {
        extfn_job *job = next_done(&fix);
        extfn_value value = {0};
        extfn_error err = {0};
        if (extfn_job_take_value(job, &value, &err) != EXTFN_OK) {
            assert_int_equal(err.status, EXTFN_ERUNTIME);
            failed++;
        }
        extfn_job_free(job);
    }
    assert_int_equal(failed, 2);
    extfn_function_unref(function);
    fixture_clear(&fix);
}

static void batches_and_calls_are_under_way_together(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(&(extfn_host_options){.workers = 2});
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", "result = 2 * x");
    extfn_column *column = count_up(50000);
    const extfn_column *columns[] = {column};
    extfn_job *table = NULL;
    assert_int_equal(extfn_queue_submit_columns(fix.queue, function, columns, 1, 50000, NULL, NULL,
                                                &table, NULL),
                     EXTFN_OK);
    extfn_job *call = submit(&fix, function, 21, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        extfn_job *job = next_done(&fix);
        if (job == call) {
            assert_value(job, 42);
            continue;
        }
        assert_ptr_equal(job, table);
        extfn_column *result = NULL;
        assert_int_equal(extfn_job_take_value(job, &(extfn_value){0}, NULL), EXTFN_EINVAL);
        assert_int_equal(extfn_job_take_column(job, &result, NULL), EXTFN_OK);
        for (int64_t row = 0; row < 50000; row++)
            assert_true(extfn_column_numbers(result)[row] == 2 * (double)row);
        assert_int_equal(extfn_job_take_column(job, &result, NULL), EXTFN_EINVAL);
        extfn_column_free(result);
        extfn_job_free(job);
    }
    extfn_column_free(column);
    extfn_function_unref(function);
    fixture_clear(&fix);
}

static void assert_fails(extfn_job *job, extfn_status status)
{
    extfn_error err = {0};
    assert_int_equal(extfn_job_take_value(job, &(extfn_value){0}, &err), status);
    assert_int_equal(err.status, status);
    extfn_job_free(job);
}

static void a_job_can_be_canceled_before_it_runs_and_while_it_does(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(&(extfn_host_options){.workers = 1});
    extfn_function *sleeper =
        test_function(EXTFN_PYTHON, "N(x)->N", "import time\ntime.sleep(60)\nresult = x");
    extfn_function *quick = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    const extfn_call_options patient = {.struct_size = sizeof(patient), .timeout_us = 60000000};
    extfn_job *running = submit(&fix, sleeper, 1, &patient, NULL);
    extfn_job *waiting = submit(&fix, quick, 2, NULL, NULL);
    extfn_job *last = submit(&fix, quick, 3, NULL, NULL);
    assert_null(extfn_queue_step(fix.queue));
    extfn_job_cancel(waiting);
    assert_ptr_equal(next_done(&fix), waiting);
    assert_fails(waiting, EXTFN_ECANCELED);
    extfn_job_cancel(running);
    assert_ptr_equal(next_done(&fix), running);
    assert_fails(running, EXTFN_ECANCELED);
    assert_ptr_equal(next_done(&fix), last);
    assert_value(last, 3);
    extfn_function_unref(sleeper);
    extfn_function_unref(quick);
    fixture_clear(&fix);
}

static void limits_hold_without_anybody_who_waits(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(NULL);
    extfn_function *endless = test_function(EXTFN_PYTHON, "N(x)->N", "while True: pass");
    const extfn_call_options row = {.struct_size = sizeof(row), .timeout_us = 200000};
    const extfn_call_options whole = {.struct_size = sizeof(whole), .deadline_us = 1000000};
    (void)submit(&fix, endless, 1, &row, NULL);
    assert_fails(next_done(&fix), EXTFN_ETIMEOUT);
    (void)submit(&fix, endless, 1, &whole, NULL);
    assert_fails(next_done(&fix), EXTFN_ETIMEOUT);
    extfn_function_unref(endless);
    fixture_clear(&fix);
}

static extfn_function *sleeper(double seconds)
{
    char body[80];
    (void)snprintf(body, sizeof(body), "import time\ntime.sleep(%g)\nresult = x", seconds);
    return test_function(EXTFN_PYTHON, "N(x)->N", body);
}

/* Behind a job that takes long: nothing of theirs has begun. */
static void deadlines_and_cancel_objects_count_from_the_submission(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(&(extfn_host_options){.workers = 1});
    extfn_function *slow = sleeper(2);
    extfn_function *quick = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    const extfn_call_options hasty = {.struct_size = sizeof(hasty), .deadline_us = 300000};
    const extfn_call_options stoppable = {.struct_size = sizeof(stoppable), .cancel = cancel};
    extfn_job *first = submit(&fix, slow, 1, NULL, NULL);
    assert_null(extfn_queue_step(fix.queue));
    extfn_job *late = submit(&fix, quick, 2, &hasty, NULL);
    extfn_job *stopped = submit(&fix, quick, 3, &stoppable, NULL);
    assert_ptr_equal(next_done(&fix), late);
    assert_fails(late, EXTFN_ETIMEOUT);
    extfn_cancel_trigger(cancel);
    assert_ptr_equal(next_done(&fix), stopped);
    assert_fails(stopped, EXTFN_ECANCELED);
    assert_ptr_equal(next_done(&fix), first);
    assert_value(first, 1);
    extfn_function_unref(slow);
    extfn_function_unref(quick);
    fixture_clear(&fix);
    extfn_cancel_free(cancel);
}

static void one_of_several_that_travel_together_can_be_canceled(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(&(extfn_host_options){.workers = 1});
    extfn_function *slow = sleeper(0.5);
    extfn_job *jobs[3];
    for (int i = 0; i < 3; i++)
        jobs[i] = submit(&fix, slow, i, NULL, NULL);
    extfn_function_unref(slow); /* the queue has what it needs */
    assert_null(extfn_queue_step(fix.queue));
    extfn_job_cancel(jobs[0]);
    assert_ptr_equal(next_done(&fix), jobs[0]);
    assert_fails(jobs[0], EXTFN_ECANCELED);
    for (int i = 1; i < 3; i++) {
        extfn_job *job = next_done(&fix);
        assert_ptr_equal(job, jobs[i]);
        assert_value(job, i);
    }
    fixture_clear(&fix);
}

static void what_does_not_fit_is_refused_at_once(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    const extfn_value text = extfn_value_boolean(true);
    extfn_job *job = NULL;
    assert_int_equal(extfn_queue_submit(fix.queue, function, NULL, 0, NULL, NULL, &job, NULL),
                     EXTFN_EARITY);
    assert_int_equal(extfn_queue_submit(fix.queue, function, &text, 1, NULL, NULL, &job, NULL),
                     EXTFN_ETYPE);
    assert_int_equal(extfn_queue_count(fix.queue), 0);
    assert_int_equal(started(fix.host), 0);
    extfn_function_unref(function);
    fixture_clear(&fix);
}

static void impure_calls_have_a_process_each(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N!", "result = x");
    for (int i = 0; i < 6; i++)
        (void)submit(&fix, function, 5, NULL, NULL);
    for (int i = 0; i < 6; i++)
        assert_value(next_done(&fix), 5);
    assert_int_equal(started(fix.host), 6);
    extfn_function_unref(function);
    fixture_clear(&fix);
}

/* By somebody else, before it had a row. */
static void a_worker_that_is_killed_while_it_starts_is_replaced(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(NULL);
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N!", "result = x");
    (void)submit(&fix, function, 5, NULL, NULL);
    assert_null(extfn_queue_step(fix.queue));
    int supervisor = test_child_of(getpid());
    assert_true(supervisor > 0);
    assert_int_equal(kill(supervisor, SIGKILL), 0);
    assert_value(next_done(&fix), 5);
    assert_int_equal(started(fix.host), 2);
    extfn_function_unref(function);
    fixture_clear(&fix);
}

static void a_queue_may_be_freed_with_all_that_is_in_it(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new(NULL);
    extfn_function *function =
        test_function(EXTFN_PYTHON, "N(x)->N", "import time\ntime.sleep(60)");
    const extfn_call_options alone = {.struct_size = sizeof(alone), .deadline_us = 60000000};
    for (int i = 0; i < 10; i++)
        (void)submit(&fix, function, i, &alone, NULL);
    assert_null(extfn_queue_step(fix.queue));
    (void)submit(&fix, function, 11, NULL, NULL);
    extfn_queue_free(fix.queue);
    fix.queue = NULL;
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(fix.host, &stats);
    assert_int_equal(stats.workers_ended, stats.workers_started);
    extfn_function_unref(function);
    fixture_clear(&fix);
}

static void wasm_calls_go_the_same_way(void **state)
{
    (void)state;
    REQUIRE_WASM();
    fixture fix = fixture_new(NULL);
    extfn_function *function =
        test_function(EXTFN_WASM, "N(x)->N",
                      "wat:(module (func (export \"improv_call\") (param f64) (result f64)"
                      " (f64.add (local.get 0) (local.get 0))))");
    for (int i = 0; i < 100; i++)
        (void)submit(&fix, function, i, NULL, NULL);
    double sum = 0;
    for (int i = 0; i < 100; i++) {
        extfn_job *job = next_done(&fix);
        extfn_value value = {0};
        assert_int_equal(extfn_job_take_value(job, &value, NULL), EXTFN_OK);
        sum += value.as.number;
        extfn_job_free(job);
    }
    assert_true(sum == 9900);
    extfn_function_unref(function);
    fixture_clear(&fix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_calls_of_several_functions_go_through_one_poll_loop),
        cmocka_unit_test(a_call_that_fails_fails_alone_among_those_that_travel_with_it),
        cmocka_unit_test(batches_and_calls_are_under_way_together),
        cmocka_unit_test(a_job_can_be_canceled_before_it_runs_and_while_it_does),
        cmocka_unit_test(limits_hold_without_anybody_who_waits),
        cmocka_unit_test(deadlines_and_cancel_objects_count_from_the_submission),
        cmocka_unit_test(one_of_several_that_travel_together_can_be_canceled),
        cmocka_unit_test(what_does_not_fit_is_refused_at_once),
        cmocka_unit_test(impure_calls_have_a_process_each),
        cmocka_unit_test(a_worker_that_is_killed_while_it_starts_is_replaced),
        cmocka_unit_test(a_queue_may_be_freed_with_all_that_is_in_it),
        cmocka_unit_test(wasm_calls_go_the_same_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
