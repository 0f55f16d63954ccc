/* Functions in WebAssembly and the process that they run in. SPDX-License-Identifier: MIT */
#include "support/process.h"
#include "support/shared.h"
#include "support/wasm.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#define SMALL_STACK ((size_t)64 << 10)

/* Exit statuses of children; cmocka's assertions work in the parent only. */
enum { FINE = 0, WRONG = 9 };

/* ---- Stacks ---- */

static void *exhaust_stack(void *context)
{
    test_result *result = context;
    *result = test_run(NULL, EXTFN_WASM, "->N", WASM_DEEP, 5);
    return NULL;
}

static void the_stack_is_exhausted_on_any_thread_without_harm(void **state)
{
    (void)state;
    REQUIRE_WASM();
    static const char expected[] = "call stack exhausted: wasm trap: call stack exhausted";
    test_result result;
    (void)exhaust_stack(&result);
    ASSERT_FAILS(result, EXTFN_ERUNTIME, expected);
    static const size_t sizes[] = {SMALL_STACK, 512U << 10, 640U << 10, 700U << 10, 4U << 20};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        pthread_attr_t attributes;
        pthread_t thread;
        assert_int_equal(pthread_attr_init(&attributes), 0);
        assert_int_equal(pthread_attr_setstacksize(&attributes, sizes[i]), 0);
        assert_int_equal(pthread_create(&thread, &attributes, exhaust_stack, &result), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(pthread_attr_destroy(&attributes), 0);
        ASSERT_FAILS(result, EXTFN_ERUNTIME, expected);
    }
}

/* ---- The process ---- */

static int count_threads(void)
{
    DIR *directory = opendir("/proc/self/task");
    assert_non_null(directory);
    int count = 0;
    while (readdir(directory))
        count++;
    (void)closedir(directory);
    return count;
}

static void the_host_keeps_its_signals_and_descriptors_and_threads(void **state)
{
    (void)state;
    REQUIRE_WASM();
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGUSR1, SIGALRM};
    enum { COUNT = sizeof(signals) / sizeof(signals[0]) };
    struct sigaction former[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(sigaction(signals[i], NULL, &former[i]), 0);
    int fds = test_count_fds();
    int threads = count_threads();
    test_result result = test_run(NULL, EXTFN_WASM, "->N", WASM_DEEP, 5);
    assert_int_equal(result.status, EXTFN_ERUNTIME);
    for (size_t i = 0; i < COUNT; i++) {
        struct sigaction action;
        assert_int_equal(sigaction(signals[i], NULL, &action), 0);
        assert_true(action.sa_handler == former[i].sa_handler);
    }
    assert_int_equal(test_count_fds(), fds);
    assert_int_equal(count_threads(), threads);
}

/* How often threads other than the first woke up. */
static unsigned long count_wakes(void)
{
    DIR *directory = opendir("/proc/self/task");
    assert_non_null(directory);
    unsigned long count = 0;
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        char path[320];
        (void)snprintf(path, sizeof(path), "/proc/self/task/%s/status", entry->d_name);
        FILE *status = entry->d_name[0] == '.' || strtol(entry->d_name, NULL, 10) == getpid()
                           ? NULL
                           : fopen(path, "r");
        char line[256];
        while (status && fgets(line, sizeof(line), status)) {
            if (strncmp(line, "voluntary_ctxt_switches:", 24) == 0)
                count += strtoul(line + 24, NULL, 10);
        }
        if (status)
            (void)fclose(status);
    }
    (void)closedir(directory);
    return count;
}

static void the_clock_of_an_idle_host_sleeps(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_host *host = test_host(NULL);
    extfn_function *function = test_function(EXTFN_WASM, "->N", WASM_FUNCTION("", "(f64.const 1)"));
    for (int round = 0; round < 3; round++) {
        test_result result = test_call(host, function, NULL, 0, 5);
        ASSERT_NUMBER(result, 1.0);
        unsigned long former = 0;
        unsigned long now = count_wakes();
        for (int look = 0; look < 500 && now != former; look++) {
            former = now;
            for (int i = 0; i < 4; i++)
                test_pause();
            now = count_wakes();
        }
        assert_int_equal(now, former);
    }
    extfn_function_unref(function);
    extfn_host_free(host);
}

static bool is_answered(extfn_host *host, extfn_function *function)
{
    extfn_value arg = extfn_value_number(21);
    extfn_value value = {0};
    return extfn_host_eval(host, function, &arg, 1, NULL, &value, NULL) == EXTFN_OK &&
           value.as.number == 42.0;
}

static void use_in_child(void *context)
{
    shared *all = context;
    extfn_value arg = extfn_value_number(1);
    extfn_value value = {0};
    if (extfn_host_eval(all->host, all->functions[0], &arg, 1, NULL, &value, NULL) != EXTFN_EINVAL)
        _exit(WRONG);
    extfn_host_free(all->host);
    extfn_host *own = NULL;
    if (extfn_host_new(NULL, &own, NULL) != EXTFN_OK || !is_answered(own, all->functions[0]))
        _exit(WRONG);
    /* Its clock runs as well. */
    extfn_function *endless = test_function(EXTFN_WASM, "->N", WASM_ENDLESS);
    test_result result = test_call(own, endless, NULL, 0, 0.03);
    if (result.status != EXTFN_ETIMEOUT)
        _exit(WRONG);
    extfn_function_unref(endless);
    extfn_host_free(own);
}

static void a_forked_child_has_a_host_of_its_own(void **state)
{
    (void)state;
    REQUIRE_WASM();
    shared all = {.host = test_host(NULL)};
    all.functions[0] = test_function(EXTFN_WASM, "N->N", WASM_TWICE);
    assert_true(is_answered(all.host, all.functions[0]));
    assert_int_equal(test_in_child(use_in_child, &all), FINE);
    assert_true(is_answered(all.host, all.functions[0]));
    extfn_function_unref(all.functions[0]);
    extfn_host_free(all.host);
}

static void live_in(void *context)
{
    const rlim_t *space = context;
    const struct rlimit both = {.rlim_cur = *space, .rlim_max = *space};
    if (setrlimit(RLIMIT_AS, &both) != 0)
        _exit(WRONG);
    extfn_host *host = test_host(NULL);
    extfn_function *count = test_function(EXTFN_WASM, "N->N", WASM_COUNT);
    extfn_value arg = extfn_value_number(1);
    test_result result = test_call(host, count, &arg, 1, 5);
    if (result.status != EXTFN_OK || result.value.as.number != 2.0)
        _exit(WRONG);
    /* 900 MiB, which fit into the limit of a function, not always into that of the process. */
    extfn_function *grow = test_function(EXTFN_WASM, "N->N", WASM_GROW);
    arg = extfn_value_number(14400);
    result = test_call(host, grow, &arg, 1, 5);
    bool is_refused =
        result.status == EXTFN_ERUNTIME &&
        strcmp(result.err.message, "the system has no more memory for this process") == 0;
    if (!is_refused && (result.status != EXTFN_OK || *space < (rlim_t)1 << 30))
        _exit(WRONG);
    extfn_function_unref(grow);
    extfn_function_unref(count);
    extfn_host_free(host);
}

static void no_address_space_is_reserved(void **state)
{
    (void)state;
    REQUIRE_WASM();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* their shadow alone needs more */
#endif
    rlim_t spaces[] = {(rlim_t)8 << 30, (rlim_t)2 << 30, (rlim_t)256 << 20};
    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
        if (test_in_child(live_in, &spaces[i]) != FINE)
            fail_msg("%llu MiB", (unsigned long long)(spaces[i] >> 20));
    }
}

static void without_an_engine_it_is_said_what_to_do(void **state)
{
    (void)state;
    const extfn_host_options options = {.interpreters[EXTFN_WASM] = "/nonexistent/engine.so"};
    test_result result = test_run(&options, EXTFN_WASM, "N->N", WASM_TWICE, 5);
    assert_int_equal(result.status, EXTFN_EARITY);
    result = test_run(&options, EXTFN_WASM, "->N", WASM_ENDLESS, 5);
    assert_int_equal(result.status, EXTFN_EUNAVAILABLE);
    assert_memory_equal(result.err.message, "language runtime unavailable: Wasm (wasmtime): ", 47);
    assert_non_null(strstr(result.err.message, "; name another engine"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stack_is_exhausted_on_any_thread_without_harm),
        cmocka_unit_test(the_host_keeps_its_signals_and_descriptors_and_threads),
        cmocka_unit_test(the_clock_of_an_idle_host_sleeps),
        cmocka_unit_test(a_forked_child_has_a_host_of_its_own),
        cmocka_unit_test(no_address_space_is_reserved),
        cmocka_unit_test(without_an_engine_it_is_said_what_to_do),
    };
    return cmocka_run_group_tests_name("wasm_hosts", tests, NULL, NULL);
}
