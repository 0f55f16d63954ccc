/* Rows that run while their host is busy elsewhere. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"

#include <extfn/queue.h>
#include <poll.h>

#define LIMIT_US 300000
#define ABSENT_S 1.5
#define BUBBLEWRAP 3 /* below both supervisors */

typedef struct fixture {
    extfn_host *host;
    extfn_function *function;
    extfn_queue *queue;
} fixture;

static fixture fixture_new(const char *body)
{
    fixture fix = {.host = test_host(NULL),
                   .function = test_function(EXTFN_PYTHON, "N(x)->N", body)};
    assert_int_equal(extfn_queue_new(fix.host, &fix.queue, NULL), EXTFN_OK);
    return fix;
}

static void fixture_clear(fixture *fix)
{
    extfn_queue_free(fix->queue);
    extfn_function_unref(fix->function);
    extfn_host_free(fix->host);
}

static void submit(const fixture *fix, double number)
{
    const extfn_value args[] = {extfn_value_number(number)};
    const extfn_call_options options = {.struct_size = sizeof(options), .timeout_us = LIMIT_US};
    extfn_job *job = NULL;
    assert_int_equal(extfn_queue_submit(fix->queue, fix->function, args, 1, &options, NULL, &job,
                                        NULL),
                     EXTFN_OK);
}

static extfn_status next_result(const fixture *fix, extfn_error *err)
{
    extfn_job *job = extfn_queue_step(fix->queue);
    while (!job) {
        struct pollfd ready = {.fd = extfn_queue_descriptor(fix->queue), .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 60000), 1);
        job = extfn_queue_step(fix->queue);
    }
    extfn_value value = {0};
    extfn_status status = extfn_job_take_value(job, &value, err);
    extfn_job_free(job);
    return status;
}

/* The first call finds its worker; the second is sent, and nobody looks after it for long.
 * ret_lives: then the worker is still there. */
static extfn_status come_back_late(const char *body, bool *ret_lives, extfn_error *err)
{
    fixture fix = fixture_new(body);
    submit(&fix, 0);
    assert_int_equal(next_result(&fix, err), EXTFN_OK);
    submit(&fix, 1);
    assert_null(extfn_queue_step(fix.queue));
    double until = test_now() + ABSENT_S;
    while (test_now() < until)
        test_pause();
    *ret_lives = test_descendant(BUBBLEWRAP) > 0;
    extfn_status status = next_result(&fix, err);
    fixture_clear(&fix);
    return status;
}

static void a_row_is_not_charged_for_what_nobody_read(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char *const bodies[] = {
        "if x:\n    print('z' * 500000)\nresult = x",
        "if x:\n    import sys\n    print('z' * 500000, file=sys.stderr)\nresult = x"};
    for (size_t i = 0; i < 2; i++) {
        extfn_error err = {0};
        bool is_alive = false;
        if (come_back_late(bodies[i], &is_alive, &err) != EXTFN_OK)
            fail_msg("%s", err.message);
        assert_true(is_alive);
    }
}

/* Neither one that does not print nor one that fills the pipe and goes on. */
static void the_limit_of_one_that_computes_holds(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char *const bodies[] = {
        "while x:\n    pass\nresult = x",
        "if x:\n    print('z' * 65000, flush=True)\nwhile x:\n    pass\nresult = x"};
    for (size_t i = 0; i < 2; i++) {
        extfn_error err = {0};
        bool is_alive = true;
        assert_int_equal(come_back_late(bodies[i], &is_alive, &err), EXTFN_ETIMEOUT);
        assert_false(is_alive);
        assert_string_equal(err.message, "function timed out after 300ms");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_not_charged_for_what_nobody_read),
        cmocka_unit_test(the_limit_of_one_that_computes_holds),
    };
    return cmocka_run_group_tests_name("absence", tests, NULL, NULL);
}
