/* Whatever state the host process is in, and however it ends. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"
#include "support/shared.h"
#include "support/temporary.h"

#include <signal.h>
#include <sys/stat.h>

/* Exit statuses of children; cmocka's assertions work in the parent only. */
enum { FINE = 0, WRONG = 9 };

static void evaluate_once(void *context)
{
    extfn_host *host = NULL;
    const extfn_host_options *options = context;
    extfn_value args[] = {extfn_value_number(2), extfn_value_number(3)};
    static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_NUMBER};
    const extfn_function_options function_options = {
        .struct_size = sizeof(function_options),
        .name = "add",
        .language = EXTFN_PYTHON,
        .body = "result = args[0] + args[1]",
        .arg_types = types,
        .arg_count = 2,
        .return_type = EXTFN_NUMBER,
        .is_pure = true,
    };
    extfn_function *function = NULL;
    extfn_value value = {0};
    if (extfn_host_new(options, &host, NULL) != EXTFN_OK ||
        extfn_function_new(&function_options, &function, NULL) != EXTFN_OK)
        _exit(WRONG);
    for (int i = 0; i < 2; i++) {
        if (extfn_host_eval(host, function, args, 2, NULL, &value, NULL) != EXTFN_OK ||
            value.as.number != 5.0)
            _exit(WRONG);
    }
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void with_stdio_closed(void *context)
{
    for (int fd = 0; fd < 3; fd++)
        (void)close(fd);
    evaluate_once(context);
}

static void with_signals_ignored(void *context)
{
    (void)signal(SIGCHLD, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    evaluate_once(context);
}

static void with_signals_blocked(void *context)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    evaluate_once(context);
}

static void in_a_deleted_directory(void *context)
{
    char directory[TEMPORARY_SIZE];
    if (!temporary_folder(directory, sizeof(directory), "/tmp") || chdir(directory) != 0 ||
        rmdir(directory) != 0)
        _exit(WRONG);
    evaluate_once(context);
}

static void with_a_strict_umask(void *context)
{
    (void)umask(0777);
    evaluate_once(context);
}

static void the_state_of_the_host_process_does_not_matter(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    void (*const conditions[])(void *) = {evaluate_once,          with_stdio_closed,
                                          with_signals_ignored,   with_signals_blocked,
                                          in_a_deleted_directory, with_a_strict_umask};
    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        if (test_in_child(conditions[i], NULL) != FINE)
            fail_msg("condition %zu", i);
    }
}

static void nothing_stays_open_and_nothing_alive(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    evaluate_once(NULL);
    int before = test_count_fds();
    for (int i = 0; i < 3; i++)
        evaluate_once(NULL);
    assert_int_equal(test_count_fds(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* ---- Forks and violent ends ---- */

static void use_and_free_in_child(void *context)
{
    const shared *all = context;
    extfn_value arg = extfn_value_number(1);
    extfn_value value = {0};
    if (extfn_host_eval(all->host, all->functions[0], &arg, 1, NULL, &value, NULL) != EXTFN_EINVAL)
        _exit(WRONG);
    extfn_host_free(all->host);
}

static void a_forked_child_is_refused_and_harms_nothing(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    shared all = {.host = test_host(NULL)};
    all.functions[0] = test_function(EXTFN_PYTHON, "N(x)->N", "result = x");
    assert_null(call_once(&all));
    assert_int_equal(test_in_child(use_and_free_in_child, &all), FINE);
    assert_null(call_once(&all));
    shared_end(&all);
}

typedef struct victim {
    extfn_language language;
    const char *body;
    extfn_policy policy;
    int ready; /* written to just before the call */
    bool has_child;
} victim;

static void sleep_in_a_body(void *context)
{
    const victim *self = context;
    extfn_host *host = test_host(&(extfn_host_options){.policy = self->policy});
    extfn_function *function = test_function(self->language, "->N!", self->body);
    if (self->has_child && fork() == 0) {
        /* Keeps every descriptor of the host open. */
        for (int i = 0; i < 2000; i++)
            test_pause();
        _exit(0);
    }
    (void)!write(self->ready, "", 1);
    test_result result = test_call(host, function, NULL, 0, 60);
    _exit(result.status == EXTFN_OK ? FINE : WRONG);
}

static void kill_host_in_the_middle(victim self, long wait_ns)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    self.ready = ends[1];
    pid_t host = fork();
    assert_true(host >= 0);
    if (host == 0)
        sleep_in_a_body(&self);
    char byte;
    assert_int_equal(read(ends[0], &byte, 1), 1);
    const struct timespec wait = {.tv_nsec = wait_ns};
    (void)nanosleep(&wait, NULL);
    assert_int_equal(kill(host, SIGKILL), 0);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void nothing_survives_a_killed_host(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_adopt_orphans();
    const victim sleeping = {.language = EXTFN_PYTHON, .body = "import time\ntime.sleep(60)"};
    static const long waits_ns[] = {0,        2000000,  5000000,  8000000,  12000000,
                                    16000000, 25000000, 40000000, 400000000};
    for (size_t i = 0; i < sizeof(waits_ns) / sizeof(waits_ns[0]); i++) {
        kill_host_in_the_middle(sleeping, waits_ns[i]);
        assert_true(test_is_childless_within(1.0));
    }
}

static void nothing_survives_a_killed_host_that_was_trusted(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_adopt_orphans();
    const victim forking = {
        .language = EXTFN_PYTHON,
        .policy = EXTFN_TRUSTED,
        .body = "import os, signal, time\n"
                "for n in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):\n"
                "    signal.signal(n, signal.SIG_IGN)\n"
                "if os.fork() == 0:\n    os.setsid()\n    if os.fork():\n        os._exit(0)\n"
                "time.sleep(60)",
    };
    kill_host_in_the_middle(forking, 400000000);
    assert_true(test_is_childless_within(1.0));
}

static void a_forked_child_of_the_host_keeps_nothing_alive(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_adopt_orphans();
    const victim forked = {.language = EXTFN_PYTHON,
                           .body = "import time\ntime.sleep(60)",
                           .has_child = true};
    kill_host_in_the_middle(forked, 400000000);
    /* The host's own child sleeps for 10 s; all else must be gone in one. */
    double until = test_now() + 1.0;
    int reaped = 0;
    while (test_now() < until) {
        reaped += waitpid(-1, NULL, WNOHANG) > 0;
        test_pause();
    }
    assert_true(reaped >= 2);
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    FILE *children = fopen(path, "r");
    assert_non_null(children);
    int child = 0;
    assert_int_equal(fscanf(children, "%d", &child), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(fscanf(children, "%d", &child), EOF);
    (void)fclose(children);
    assert_true(test_is_childless_within(1.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_of_the_host_process_does_not_matter),
        cmocka_unit_test(nothing_stays_open_and_nothing_alive),
        cmocka_unit_test(a_forked_child_is_refused_and_harms_nothing),
        cmocka_unit_test(nothing_survives_a_killed_host),
        cmocka_unit_test(nothing_survives_a_killed_host_that_was_trusted),
        cmocka_unit_test(a_forked_child_of_the_host_keeps_nothing_alive),
    };
    return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
