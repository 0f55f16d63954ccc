/* Workers that have to share the host's memory, and those that are replaced.
 * SPDX-License-Identifier: MIT */
#include "support/batch.h"
#include "support/process.h"

#include <extfn/queue.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

/* Room for one worker, which always gets it. */
static const extfn_host_options narrow = {.workers_memory_bytes = 1};

static extfn_stats stats_of(extfn_host *host)
{
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    return stats;
}

static void assert_called(extfn_host *host, extfn_function *function, double expected)
{
    test_result result = test_call(host, function, NULL, 0, 30);
    ASSERT_NUMBER(result, expected);
    test_result_clear(&result);
}

static void the_oldest_idle_worker_makes_room(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(&narrow);
    extfn_function *f = test_function(EXTFN_PYTHON, "->N", "result = 1");
    extfn_function *g = test_function(EXTFN_PYTHON, "->N", "result = 2");
    assert_called(host, f, 1);
    assert_called(host, f, 1);
    assert_int_equal(stats_of(host).workers_started, 1);
    assert_called(host, g, 2);
    assert_int_equal(stats_of(host).workers_warm, 1);
    assert_int_equal(stats_of(host).workers_ended, 1);
    assert_called(host, f, 1);
    assert_int_equal(stats_of(host).workers_started, 3);
    assert_int_equal(stats_of(host).workers_ended, 2);
    extfn_function_unref(f);
    extfn_function_unref(g);
    extfn_host_free(host);
}

#define SLOWLY "import time\ntime.sleep(0.0005)\n"

static void a_batch_does_with_the_workers_that_there_is_room_for(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run = apply_in(&narrow, EXTFN_PYTHON, "N(x)->N",
                         SLOWLY "import os\nif x in (700, 1900):\n    os._exit(3)\nresult = 2 * x",
                         2000, (extfn_call_options){.workers = 8});
    static const int64_t bad[] = {700, 1900};
    assert_doubled_but(&run, 2000, bad, 2, "function ended its process with exit status 3");
    assert_int_equal(workers_started(&run), 3);
    batch_clear(&run);
}

/* A batch under way that nobody steps: its worker has all the room that there is. */
typedef struct busy {
    extfn_host *host;
    extfn_queue *queue;
    extfn_function *function;
    extfn_job *job;
} busy;

static busy busy_new(void)
{
    busy fix = {.host = test_host(&narrow),
                .function = test_function(EXTFN_PYTHON, "->N", "result = 7")};
    assert_int_equal(extfn_queue_new(fix.host, &fix.queue, NULL), EXTFN_OK);
    assert_int_equal(extfn_queue_submit(fix.queue, fix.function, NULL, 0, NULL, NULL, &fix.job,
                                        NULL),
                     EXTFN_OK);
    assert_null(extfn_queue_step(fix.queue));
    assert_int_equal(stats_of(fix.host).workers_started, 1);
    return fix;
}

static void finish(const busy *fix)
{
    extfn_job *job = NULL;
    while (!job) {
        struct pollfd ready = {.fd = extfn_queue_descriptor(fix->queue), .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 60000), 1);
        job = extfn_queue_step(fix->queue);
    }
    extfn_value value = {0};
    assert_int_equal(extfn_job_take_value(job, &value, NULL), EXTFN_OK);
    assert_true(value.as.number == 7);
    extfn_job_free(job);
}

static void busy_clear(busy *fix)
{
    extfn_queue_free(fix->queue);
    extfn_function_unref(fix->function);
    extfn_host_free(fix->host);
}

static void a_call_waits_for_room_up_to_its_deadline(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    busy fix = busy_new();
    extfn_function *other = test_function(EXTFN_PYTHON, "->N", "result = 8");
    const extfn_call_options options = {.struct_size = sizeof(options), .deadline_us = 100000};
    extfn_value value = {0};
    extfn_error err = {0};
    assert_int_equal(extfn_host_eval(fix.host, other, NULL, 0, &options, &value, &err),
                     EXTFN_ETIMEOUT);
    assert_string_equal(err.message,
                        "the deadline passed while a worker waited for memory that others have");
    assert_int_equal(extfn_host_check(fix.host, other, &options, &err), EXTFN_ETIMEOUT);
    assert_string_equal(err.message,
                        "the deadline passed while a worker waited for memory that others have");
    assert_int_equal(stats_of(fix.host).workers_started, 1);
    finish(&fix);
    assert_called(fix.host, other, 8);
    extfn_function_unref(other);
    busy_clear(&fix);
}

static void waiting_for_room_can_be_canceled(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    busy fix = busy_new();
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    extfn_cancel_trigger(cancel);
    extfn_function *other = test_function(EXTFN_PYTHON, "->N", "result = 8");
    const extfn_call_options options = {.struct_size = sizeof(options), .cancel = cancel};
    extfn_value value = {0};
    assert_int_equal(extfn_host_eval(fix.host, other, NULL, 0, &options, &value, NULL),
                     EXTFN_ECANCELED);
    assert_int_equal(extfn_host_check(fix.host, other, &options, NULL), EXTFN_ECANCELED);
    assert_int_equal(extfn_host_probe_sandbox(fix.host, cancel, NULL), EXTFN_ECANCELED);
    finish(&fix);
    extfn_function_unref(other);
    extfn_cancel_free(cancel);
    busy_clear(&fix);
}

#define QUEUED 12

/* Each but the first finds no room when it begins. */
static void what_waits_in_a_queue_gets_its_turn(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host =
        test_host(&(extfn_host_options){.workers_memory_bytes = 1, .workers = QUEUED});
    extfn_queue *queue = NULL;
    assert_int_equal(extfn_queue_new(host, &queue, NULL), EXTFN_OK);
    for (int i = 0; i < QUEUED; i++) {
        char body[32];
        (void)snprintf(body, sizeof(body), "result = %d", i);
        extfn_function *function = test_function(EXTFN_PYTHON, "->N", body);
        extfn_job *job = NULL;
        assert_int_equal(extfn_queue_submit(queue, function, NULL, 0, NULL, NULL, &job, NULL),
                         EXTFN_OK);
        extfn_function_unref(function);
    }
    double sum = 0;
    for (int done = 0; done < QUEUED;) {
        extfn_job *job = extfn_queue_step(queue);
        const extfn_stats stats = stats_of(host);
        assert_true(stats.workers_started - stats.workers_ended <= 1);
        struct pollfd ready = {.fd = extfn_queue_descriptor(queue), .events = POLLIN};
        if (!job) {
            assert_int_equal(poll(&ready, 1, 60000), 1);
            continue;
        }
        extfn_value value = {0};
        assert_int_equal(extfn_job_take_value(job, &value, NULL), EXTFN_OK);
        sum += value.as.number;
        extfn_job_free(job);
        done++;
    }
    assert_true(sum == QUEUED * (QUEUED - 1) / 2.0);
    extfn_queue_free(queue);
    extfn_host_free(host);
}

/* What a failed start had is given back, or nothing would ever start again. */
static void a_hundred_starts_may_fail_before_one_succeeds(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(&narrow);
    extfn_function *good = test_function(EXTFN_PYTHON, "->N", "result = 1");
    extfn_function *bad = test_function(EXTFN_PYTHON, "->N", "result = = 1");
    for (int i = 0; i < 5; i++)
        assert_int_equal(extfn_host_check(host, bad, NULL, NULL), EXTFN_ERUNTIME);
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const struct rlimit few = {.rlim_cur = (rlim_t)test_count_fds() + 8,
                               .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(extfn_host_check(host, good, NULL, NULL), EXTFN_ESANDBOX);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_called(host, good, 1);
    assert_int_equal(stats_of(host).workers_started, 6);
    extfn_function_unref(good);
    extfn_function_unref(bad);
    extfn_host_free(host);
}

/* ---- Replaced ---- */

static void assert_starts(extfn_host_options options, int calls, uint64_t expected)
{
    extfn_host *host = test_host(&options);
    extfn_function *function = test_function(EXTFN_PYTHON, "->N", "result = 1");
    for (int i = 0; i < calls; i++)
        assert_called(host, function, 1);
    assert_int_equal(stats_of(host).workers_started, expected);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void a_worker_is_replaced_by_age_and_by_number_of_calls(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    assert_starts((extfn_host_options){0}, 5, 1);
    assert_starts((extfn_host_options){.worker_calls = 2}, 5, 3);
    assert_starts((extfn_host_options){.worker_age_us = 1}, 3, 3);
}

static void within_a_batch_too(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    batch run =
        apply_in(&(extfn_host_options){.worker_calls = 2}, EXTFN_PYTHON, "N(x)->N",
                 "result = 2 * x", 50, (extfn_call_options){.chunk_rows = 10, .workers = 1});
    assert_doubled_but(&run, 50, NULL, 0, NULL);
    assert_int_equal(workers_started(&run), 3);
    batch_clear(&run);
    run = apply_in(&(extfn_host_options){.worker_calls = 2}, EXTFN_PYTHON, "N(x)->N!",
                   "result = 2 * x", 50, (extfn_call_options){0});
    assert_doubled_but(&run, 50, NULL, 0, NULL);
    assert_int_equal(workers_started(&run), 1);
    batch_clear(&run);
}

#define FUNCTIONS 12

/* With all that it may have, each would take more than a fourth of the room. */
static void idle_ones_take_the_room_that_they_need(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(&(extfn_host_options){.workers_memory_bytes = UINT64_C(4) << 30});
    for (int i = 0; i < 3 * FUNCTIONS; i++) {
        char body[32];
        (void)snprintf(body, sizeof(body), "result = %d", i % FUNCTIONS);
        extfn_function *function = test_function(EXTFN_PYTHON, "->N", body);
        assert_called(host, function, i % FUNCTIONS);
        extfn_function_unref(function);
    }
    assert_int_equal(stats_of(host).workers_started, FUNCTIONS);
    assert_int_equal(stats_of(host).workers_warm, FUNCTIONS);
    extfn_host_free(host);
}

static void signal_both(const pid_t supervisors[2], int number)
{
    for (int i = 0; i < 2; i++)
        assert_int_equal(kill(supervisors[i], number), 0);
}

/* Both supervisors stand still from before the call begins until it has its answer: it needs
 * nothing of them, nor does putting the worker to sleep. One that was given up would be replaced.
 */
static void a_supervisor_that_does_not_answer_is_not_waited_for(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    busy fix = busy_new();
    while (test_descendant(5) == 0) /* the interpreter: there is a sandbox */
        test_pause();
    const pid_t supervisors[2] = {test_descendant(1), test_descendant(2)};
    signal_both(supervisors, SIGSTOP);
    finish(&fix);
    signal_both(supervisors, SIGCONT);
    assert_int_equal(stats_of(fix.host).workers_warm, 1);
    assert_called(fix.host, fix.function, 7);
    assert_called(fix.host, fix.function, 7);
    assert_int_equal(stats_of(fix.host).workers_started, 1);
    busy_clear(&fix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_idle_worker_makes_room),
        cmocka_unit_test(idle_ones_take_the_room_that_they_need),
        cmocka_unit_test(a_supervisor_that_does_not_answer_is_not_waited_for),
        cmocka_unit_test(a_batch_does_with_the_workers_that_there_is_room_for),
        cmocka_unit_test(a_call_waits_for_room_up_to_its_deadline),
        cmocka_unit_test(waiting_for_room_can_be_canceled),
        cmocka_unit_test(what_waits_in_a_queue_gets_its_turn),
        cmocka_unit_test(a_hundred_starts_may_fail_before_one_succeeds),
        cmocka_unit_test(a_worker_is_replaced_by_age_and_by_number_of_calls),
        cmocka_unit_test(within_a_batch_too),
    };
    return cmocka_run_group_tests_name("room", tests, NULL, NULL);
}
