/* Calls that wait for the workers' memory get it in the order in which they came.
 * SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"

#include <extfn/queue.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#define DEADLINE_US 20000000

/* Room for one worker, which always gets it. */
static const extfn_host_options narrow = {.workers_memory_bytes = 1};

/* ---- Callers that never pause ---- */

#define CALLERS 4
#define CALLS 10 /* of each, at least */

typedef struct crowd crowd;

typedef struct caller {
    crowd *all;
    extfn_function *function;
    pthread_t thread;
    atomic_int calls;
    atomic_int failures;
} caller;

struct crowd {
    extfn_host *host;
    caller callers[CALLERS];
    int count;
    atomic_bool is_over;
};

static void *call_on_and_on(void *context)
{
    caller *self = context;
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .deadline_us = 3 * (int64_t)DEADLINE_US};
    while (!self->all->is_over) {
        extfn_value value = {0};
        extfn_status status =
            extfn_host_eval(self->all->host, self->function, NULL, 0, &options, &value, NULL);
        extfn_value_clear(&value);
        self->failures += status != EXTFN_OK;
        self->calls++;
    }
    return NULL;
}

static void crowd_add(crowd *all, const char *body)
{
    caller *self = &all->callers[all->count++];
    self->all = all;
    self->function = test_function(EXTFN_PYTHON, "->N", body);
    assert_int_equal(pthread_create(&self->thread, NULL, call_on_and_on, self), 0);
}

/* Each has made so many calls. */
static void crowd_await(const crowd *all, int calls)
{
    for (int i = 0; i < all->count; i++) {
        double until = test_now() + 60;
        while (all->callers[i].calls < calls && test_now() < until)
            test_pause();
        assert_in_range(all->callers[i].calls, calls, INT32_MAX);
    }
}

static void crowd_end(crowd *all)
{
    all->is_over = true;
    for (int i = 0; i < all->count; i++) {
        assert_int_equal(pthread_join(all->callers[i].thread, NULL), 0);
        assert_int_equal(all->callers[i].failures, 0);
        extfn_function_unref(all->callers[i].function);
    }
}

/* ---- Turns ---- */

static void assert_called(extfn_host *host, extfn_function *function, double expected)
{
    const extfn_call_options options = {.struct_size = sizeof(options), .deadline_us = DEADLINE_US};
    extfn_value value = {0};
    extfn_error err = {0};
    if (extfn_host_eval(host, function, NULL, 0, &options, &value, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    assert_true(value.as.number == expected);
    extfn_value_clear(&value);
}

static void a_call_gets_its_turn_while_others_never_pause(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    crowd all = {.host = test_host(&narrow)};
    extfn_function *other = test_function(EXTFN_PYTHON, "->N", "result = 8");
    crowd_add(&all, "import time\ntime.sleep(0.2)\nresult = 1");
    crowd_await(&all, 1);
    for (int i = 0; i < 3; i++)
        assert_called(all.host, other, 8);
    const extfn_call_options options = {.struct_size = sizeof(options), .deadline_us = DEADLINE_US};
    assert_int_equal(extfn_host_check(all.host, other, &options, NULL), EXTFN_OK);
    assert_int_equal(extfn_host_probe_sandbox(all.host, NULL, NULL), EXTFN_OK);
    crowd_end(&all);
    extfn_function_unref(other);
    extfn_host_free(all.host);
}

static void callers_of_one_function_take_turns(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    crowd all = {.host = test_host(&narrow)};
    for (int i = 0; i < CALLERS; i++)
        crowd_add(&all, "import time\ntime.sleep(0.01)\nresult = 1");
    crowd_await(&all, CALLS);
    crowd_end(&all);
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(all.host, &stats);
    /* Handed over, and not started anew for each call; now and then who waits for room ends the
     * very worker that it could have had. */
    assert_in_range(stats.workers_started, 1, CALLERS * CALLS / 2);
    extfn_host_free(all.host);
}

static void callers_of_several_functions_take_turns(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    crowd all = {.host = test_host(&narrow)};
    crowd_add(&all, "result = 1");
    crowd_add(&all, "result = 2");
    crowd_add(&all, "result = 3");
    crowd_await(&all, 3);
    crowd_end(&all);
    extfn_host_free(all.host);
}

/* ---- Queues ---- */

typedef struct line_up {
    extfn_queue *queue;
    extfn_job *job;
} line_up;

static line_up submit(extfn_host *host, extfn_function *function)
{
    line_up fix = {0};
    assert_int_equal(extfn_queue_new(host, &fix.queue, NULL), EXTFN_OK);
    assert_int_equal(extfn_queue_submit(fix.queue, function, NULL, 0, NULL, NULL, &fix.job, NULL),
                     EXTFN_OK);
    assert_null(extfn_queue_step(fix.queue));
    return fix;
}

static void finish(line_up *fix, double expected)
{
    extfn_job *job = NULL;
    double until = test_now() + 60;
    while (!job && test_now() < until) {
        struct pollfd ready = {.fd = extfn_queue_descriptor(fix->queue), .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 60000), 1);
        job = extfn_queue_step(fix->queue);
    }
    assert_non_null(job);
    extfn_value value = {0};
    assert_int_equal(extfn_job_take_value(job, &value, NULL), EXTFN_OK);
    assert_true(value.as.number == expected);
    extfn_job_free(job);
    extfn_queue_free(fix->queue);
}

static void a_queue_gets_its_turn_while_others_never_pause(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    crowd all = {.host = test_host(&narrow)};
    extfn_function *other = test_function(EXTFN_PYTHON, "->N", "result = 8");
    crowd_add(&all, "import time\ntime.sleep(0.2)\nresult = 1");
    crowd_await(&all, 1);
    line_up fix = submit(all.host, other);
    finish(&fix, 8);
    crowd_end(&all);
    extfn_function_unref(other);
    extfn_host_free(all.host);
}

/* It would be the first in line for as long as its program does something else. */
static void a_queue_that_nobody_steps_keeps_nobody_waiting(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(&narrow);
    extfn_function *f = test_function(EXTFN_PYTHON, "->N", "result = 7");
    extfn_function *g = test_function(EXTFN_PYTHON, "->N", "result = 8");
    line_up busy = submit(host, f);
    line_up waiting = submit(host, g);
    finish(&busy, 7);
    assert_called(host, f, 7);
    assert_called(host, f, 7);
    finish(&waiting, 8);
    line_up given_up = submit(host, f);
    line_up canceled = submit(host, g);
    extfn_queue_free(canceled.queue);
    finish(&given_up, 7);
    assert_called(host, g, 8);
    extfn_function_unref(f);
    extfn_function_unref(g);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_gets_its_turn_while_others_never_pause),
        cmocka_unit_test(callers_of_one_function_take_turns),
        cmocka_unit_test(callers_of_several_functions_take_turns),
        cmocka_unit_test(a_queue_gets_its_turn_while_others_never_pause),
        cmocka_unit_test(a_queue_that_nobody_steps_keeps_nobody_waiting),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
