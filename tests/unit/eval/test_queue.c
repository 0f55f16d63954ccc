/* Calls that go on while there is no memory, with a real worker. */
#include "base/alloc.h"

#include "support/host.h"

#include <extfn/queue.h>
#include <poll.h>

#define JOBS 3

/* More than a step that begins a batch makes. */
#define ALLOCATIONS 40

static extfn_job *next_done(extfn_queue *queue)
{
    for (;;) {
        extfn_job *job = extfn_queue_step(queue);
        if (job)
            return job;
        struct pollfd ready = {.fd = extfn_queue_descriptor(queue), .events = POLLIN};
        assert_int_equal(poll(&ready, 1, 60000), 1);
    }
}

static void assert_five_or_no_memory(extfn_job *job)
{
    extfn_value value = {0};
    extfn_error err = {0};
    if (extfn_job_take_value(job, &value, &err) != EXTFN_OK)
        assert_int_equal(err.status, EXTFN_ENOMEM);
    else
        assert_true(value.as.number == 5);
    extfn_job_free(job);
}

/* Jobs that travel together, in a step of which one allocation fails. */
static void a_step_without_memory_fails_its_jobs_or_is_made_again(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    extfn_host *host = test_trusted_host();
    extfn_function *function = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    extfn_queue *queue = NULL;
    assert_int_equal(extfn_queue_new(host, &queue, NULL), EXTFN_OK);
    const extfn_value five = extfn_value_number(5);
    for (long nth = 0; nth < ALLOCATIONS; nth++) {
        extfn_job *job = NULL;
        for (int i = 0; i < JOBS; i++)
            assert_int_equal(extfn_queue_submit(queue, function, &five, 1, NULL, NULL, &job, NULL),
                             EXTFN_OK);
        xf_alloc_fail_after(nth);
        job = extfn_queue_step(queue);
        xf_alloc_fail_after(-1);
        for (int i = 0; i < JOBS; i++)
            assert_five_or_no_memory(i == 0 && job ? job : next_done(queue));
    }
    extfn_queue_free(queue);
    extfn_function_unref(function);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_without_memory_fails_its_jobs_or_is_made_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
