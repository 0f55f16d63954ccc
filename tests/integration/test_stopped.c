/* Supervisors that an administrator or a debugger has stopped: whatever is asked of the host object
 * returns, and nothing of a worker is left. All cases at once, since each waits for the same limit.
 * SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"
#include "support/traces.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#define RETURNS_S 120.0
#define LEFT_S 10.0

enum { FIRST = 1, SECOND = 2, BOTH = 3, WHOLE_CHAIN = 4 };
enum { CONFINED, UNSANDBOXED, TRUSTED };
enum { NO_CALL = -1, ANSWERS = 0, SLEEPS = 1 };

typedef struct stand {
    const char *name;
    int kind;
    int stopped;
    int call; /* made before the host object is freed */
    bool has_receipt;
    extfn_status expected;
    extfn_host *host;
    extfn_function *function;
    extfn_status status;
    bool is_proven; /* of all workers that have ended before the host object is freed */
    atomic_bool is_over;
    pthread_t thread;
} stand;

static stand stands[] = {
    {.name = "the first, idle", .stopped = FIRST, .call = NO_CALL},
    {.name = "the second, idle", .stopped = SECOND, .call = NO_CALL},
    {.name = "both, idle", .stopped = BOTH, .call = NO_CALL},
    {.name = "all, idle", .stopped = WHOLE_CHAIN, .call = NO_CALL},
    {.name = "both, idle, unsandboxed", .kind = UNSANDBOXED, .stopped = BOTH, .call = NO_CALL},
    {.name = "both, idle, trusted", .kind = TRUSTED, .stopped = BOTH, .call = NO_CALL},
    {.name = "the first, in a call", .stopped = FIRST, .call = ANSWERS},
    {.name = "both, in a call", .stopped = BOTH, .call = ANSWERS},
    {.name = "both, in a call that is measured", .stopped = BOTH, .has_receipt = true},
    {.name = "all, in a call", .stopped = WHOLE_CHAIN, .call = ANSWERS},
    {.name = "all, in a call that is measured", .stopped = WHOLE_CHAIN, .has_receipt = true},
    {.name = "the first, over the limit",
     .stopped = FIRST,
     .call = SLEEPS,
     .expected = EXTFN_ETIMEOUT},
    {.name = "both, over the limit", .stopped = BOTH, .call = SLEEPS, .expected = EXTFN_ETIMEOUT},
};

#define STANDS (sizeof(stands) / sizeof(stands[0]))

static extfn_host *host_of(int kind)
{
    extfn_host_options options = {.uid_first = traces_first_uid(), .uid_count = TRACES_UIDS};
    if (kind == UNSANDBOXED)
        options.search_path = "/nowhere";
    options.is_unsandboxed_allowed = kind == UNSANDBOXED;
    options.policy = kind == TRUSTED ? EXTFN_TRUSTED : EXTFN_RESTRICTED;
    return test_host(&options);
}

static pid_t newest_child(void)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    FILE *list = fopen(path, "re");
    assert_non_null(list);
    int child = 0;
    while (fscanf(list, "%d", &child) == 1)
        continue;
    (void)fclose(list);
    assert_true(child > 0);
    return child;
}

static void stop_from(pid_t first, int stopped)
{
    int depth = 0;
    for (pid_t pid = first; pid > 0; pid = test_child_of(pid), depth++) {
        bool is_chosen = stopped == WHOLE_CHAIN || (depth < 2 && stopped & (1 << depth));
        if (is_chosen)
            assert_int_equal(kill(pid, SIGSTOP), 0);
    }
    assert_true(depth > 2);
}

static void prepare(stand *self)
{
    self->host = host_of(self->kind);
    self->function = test_function(EXTFN_PYTHON, "N(x)->N",
                                   "import time\nif x:\n    time.sleep(x * 60)\nresult = 7");
    const extfn_value zero = extfn_value_number(0);
    test_result result = test_call(self->host, self->function, &zero, 1, 60);
    ASSERT_NUMBER(result, 7);
    test_result_clear(&result);
    stop_from(newest_child(), self->stopped);
}

static void *run(void *context)
{
    stand *self = context;
    if (self->call != NO_CALL) {
        const extfn_value x = extfn_value_number(self->call);
        extfn_receipt receipt = {.struct_size = sizeof(receipt)};
        const extfn_call_options options = {.struct_size = sizeof(options),
                                            .timeout_us = 500000,
                                            .receipt = self->has_receipt ? &receipt : NULL};
        extfn_value value = {0};
        self->status = extfn_host_eval(self->host, self->function, &x, 1, &options, &value, NULL);
        extfn_value_clear(&value);
    }
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(self->host, &stats);
    self->is_proven = stats.workers_proven_gone == stats.workers_ended;
    extfn_host_free(self->host);
    self->is_over = true;
    return NULL;
}

static void stopped_supervisors_are_not_waited_for_for_ever(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_adopt_orphans();
    traces before = traces_take();
    for (size_t i = 0; i < STANDS; i++)
        prepare(&stands[i]);
    for (size_t i = 0; i < STANDS; i++)
        assert_int_equal(pthread_create(&stands[i].thread, NULL, run, &stands[i]), 0);
    double until = test_now() + RETURNS_S;
    for (size_t i = 0; i < STANDS; i++) {
        while (!stands[i].is_over && test_now() < until)
            test_pause();
        if (!stands[i].is_over)
            fail_msg("%s: does not return", stands[i].name);
    }
    for (size_t i = 0; i < STANDS; i++) {
        assert_int_equal(pthread_join(stands[i].thread, NULL), 0);
        if (stands[i].status != stands[i].expected)
            fail_msg("%s: status %d", stands[i].name, stands[i].status);
        if (!stands[i].is_proven)
            fail_msg("%s: not proven gone", stands[i].name);
        extfn_function_unref(stands[i].function);
    }
    if (!test_is_childless_within(LEFT_S))
        fail_msg("a process is left");
    traces_compare(&before, "stopped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_supervisors_are_not_waited_for_for_ever),
    };
    return cmocka_run_group_tests_name("stopped", tests, NULL, NULL);
}
