/* However a worker ends, nothing of it is left, and the host is told so: no process, file, socket,
 * shared memory, mount. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"
#include "support/temporary.h"
#include "support/traces.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>

#define LEFT_S 1.0           /* after that nothing may be left */
#define LATE_NS 60000000     /* all of a worker is there */
#define CANCELS 500          /* of each of two threads */
#define CANCEL_STEP_NS 40000 /* so they lie within the first 20 ms of a life */

/* ---- Hosts ---- */

enum { CONFINED = 1, UNSANDBOXED = 2, TRUSTED = 4, ALL = 7 };

/* A root host's workers run as uids that no other test has: what they own can be told. */
static extfn_host *host_of(int kind)
{
    extfn_host_options options = {.uid_first = traces_first_uid(), .uid_count = TRACES_UIDS};
    if (kind == UNSANDBOXED)
        options.search_path = "/nowhere";
    options.is_unsandboxed_allowed = kind == UNSANDBOXED;
    options.policy = kind == TRUSTED ? EXTFN_TRUSTED : EXTFN_RESTRICTED;
    return test_host(&options);
}

static extfn_stats stats_of(extfn_host *host)
{
    extfn_stats stats = {.struct_size = sizeof(stats)};
    extfn_host_stats(host, &stats);
    return stats;
}

static void assert_all_proven_gone(extfn_host *host, const char *what)
{
    extfn_stats stats = stats_of(host);
    if (stats.workers_ended != stats.workers_started ||
        stats.workers_proven_gone != stats.workers_started)
        fail_msg("%s: %llu started, %llu ended, %llu proven gone", what,
                 (unsigned long long)stats.workers_started, (unsigned long long)stats.workers_ended,
                 (unsigned long long)stats.workers_proven_gone);
}

static void assert_nothing_left(const traces *before, const char *what)
{
    if (!test_is_childless_within(LEFT_S))
        fail_msg("%s: a process is left", what);
    traces_compare(before, what);
}

/* ---- Ends ---- */

#define DOUBLE_FORK                                                                                \
    "import os, signal, time\n"                                                                    \
    "def deaf():\n"                                                                                \
    "    for n in set(range(1, 65)) - {9, 19, 32, 33}: signal.signal(n, signal.SIG_IGN)\n"         \
    "if os.fork() == 0:\n    os.setsid()\n    deaf()\n"                                            \
    "    if os.fork(): os._exit(0)\n    time.sleep(60)\n"

static const struct {
    const char *name;
    int kinds;
    extfn_language language;
    const char *body;
} ends[] = {
    {"answers", ALL, EXTFN_PYTHON, "result = 1"},
    {"fails", ALL, EXTFN_PYTHON, "1 / 0"},
    {"does not compile", ALL, EXTFN_PYTHON, "result = ("},
    {"sleeps", ALL, EXTFN_PYTHON, "import time\ntime.sleep(60)"},
    {"stops itself", ALL, EXTFN_PYTHON, "import signal\nsignal.raise_signal(19)"},
    {"is deaf to all signals", ALL, EXTFN_PYTHON,
     "import signal\nfor n in set(range(1, 65)) - {9, 19, 32, 33}:\n"
     "    signal.signal(n, signal.SIG_IGN)\n"
     "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass"},
    {"dies", ALL, EXTFN_PYTHON, "import os\nos.abort()"},
    {"leaves a daemon and answers", ALL, EXTFN_PYTHON, DOUBLE_FORK "result = 1"},
    {"leaves a daemon and exits", ALL, EXTFN_PYTHON, DOUBLE_FORK "os._exit(3)"},
    {"leaves a daemon and hangs", ALL, EXTFN_PYTHON, DOUBLE_FORK "time.sleep(60)"},
    {"leaves threads", ALL, EXTFN_PYTHON,
     "import threading, time\nfor i in range(8):\n"
     "    threading.Thread(target=time.sleep, args=(60,)).start()\nresult = 1"},
    {"leaves files", CONFINED, EXTFN_PYTHON,
     "import os, socket\nfor make in (lambda: open('/tmp/extfn-left', 'w'),\n"
     "        lambda: os.mkfifo('/tmp/extfn-left-fifo'),\n"
     "        lambda: os.symlink('/etc', '/tmp/extfn-left-link'),\n"
     "        lambda: open('/var/tmp/extfn-left', 'w'), lambda: open('/dev/shm/extfn-left', 'w'),\n"
     "        lambda: socket.socket(1).bind('/tmp/extfn-left-socket')):\n"
     "    try: make()\n    except OSError: pass\nresult = 1"},
    {"leaves names", CONFINED | UNSANDBOXED, EXTFN_PYTHON,
     "import ctypes, os, socket\nfor make in (lambda: socket.socket(1).bind('\\0extfn-left'),\n"
     "        lambda: os.memfd_create('extfn-left'),\n"
     "        lambda: ctypes.CDLL(None).shmget(77, 4096, 0o1600),\n"
     "        lambda: ctypes.CDLL(None).semget(77, 1, 0o1600),\n"
     "        lambda: ctypes.CDLL(None).msgget(77, 0o1600)):\n"
     "    try: make()\n    except OSError: pass\nresult = 1"},
    {"R: sleeps", CONFINED, EXTFN_R, "Sys.sleep(60)"},
    {"R: answers", ALL, EXTFN_R, "result <- 1"},
};

static void end_one(size_t which, int kind)
{
    char what[128];
    (void)snprintf(what, sizeof(what), "%s (policy %d)", ends[which].name, kind);
    traces before = traces_take();
    extfn_host *host = host_of(kind);
    /* Impure: the worker ends with its call, whose end is waited for. */
    extfn_function *function = test_function(ends[which].language, "->N!", ends[which].body);
    test_result result = test_call(host, function, NULL, 0, 0.3);
    assert_all_proven_gone(host, what);
    assert_nothing_left(&before, what);
    test_result_clear(&result);
    extfn_function_unref(function);
    extfn_host_free(host);
}

static void however_a_worker_ends_nothing_is_left(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    REQUIRE_R();
    test_adopt_orphans();
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        for (int kind = CONFINED; kind <= TRUSTED; kind *= 2) {
            if (ends[i].kinds & kind)
                end_one(i, kind);
        }
    }
}

/* ---- Killed from outside ---- */

typedef struct sleeper {
    extfn_host *host;
    extfn_function *function;
    extfn_cancel *cancel;
    extfn_error failure;
    atomic_bool is_over;
} sleeper;

static void *sleep_in_body(void *context)
{
    sleeper *self = context;
    extfn_value value = {0};
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .timeout_us = 20000000,
                                        .cancel = self->cancel};
    (void)!extfn_host_eval(self->host, self->function, NULL, 0, &options, &value, NULL);
    extfn_value_clear(&value);
    self->is_over = true;
    return NULL;
}

/* What stands third is what both supervisors have started. */
static void await_command(int depth)
{
    double until = test_now() + 20;
    while (test_descendant(depth < 3 ? 3 : depth) == 0 && test_now() < until)
        test_pause();
}

/* Kills what stands at `depth`, `delay_ns` after the call; one of the supervisors lives. */
static void kill_in_chain(int kind, int depth, long delay_ns)
{
    char what[128];
    (void)snprintf(what, sizeof(what), "policy %d, depth %d, after %ld ns", kind, depth, delay_ns);
    traces before = traces_take();
    sleeper self = {.host = host_of(kind)};
    self.function = test_function(EXTFN_PYTHON, "->N!", "import time\ntime.sleep(60)");
    assert_int_equal(extfn_cancel_new(&self.cancel, NULL), EXTFN_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, sleep_in_body, &self), 0);
    const struct timespec delay = {.tv_nsec = delay_ns};
    (void)nanosleep(&delay, NULL);
    if (delay_ns >= LATE_NS)
        await_command(depth);
    int victim = test_descendant(depth);
    if (victim > 0)
        (void)kill(victim, SIGKILL);
    extfn_cancel_trigger(self.cancel);
    assert_int_equal(pthread_join(thread, NULL), 0);
    /* Of one killed before it had its second nobody can say anything. */
    if (depth > 1 || delay_ns >= LATE_NS)
        assert_all_proven_gone(self.host, what);
    assert_nothing_left(&before, what);
    extfn_cancel_free(self.cancel);
    extfn_function_unref(self.function);
    extfn_host_free(self.host);
}

static void whatever_is_killed_nothing_is_left(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_adopt_orphans();
    static const long delays_ns[] = {500000, 1500000, 3000000, 5000000, 8000000, LATE_NS};
    for (int depth = 1; depth <= 6; depth++) {
        for (size_t i = 0; i < sizeof(delays_ns) / sizeof(delays_ns[0]); i++)
            kill_in_chain(CONFINED, depth, delays_ns[i]);
        if (depth <= 4) {
            kill_in_chain(UNSANDBOXED, depth, LATE_NS);
            kill_in_chain(TRUSTED, depth, LATE_NS);
        }
    }
}

/* ---- Cancelled ---- */

typedef struct later {
    extfn_cancel *cancel;
    struct timespec delay;
} later;

static void *trigger_later(void *context)
{
    const later *timer = context;
    (void)nanosleep(&timer->delay, NULL);
    extfn_cancel_trigger(timer->cancel);
    return NULL;
}

/* Returns NULL, or what else came of a call. */
static void *cancel_many(void *context)
{
    static char no_thread[] = "no thread";
    sleeper *self = context;
    for (int i = 0; i < CANCELS; i++) {
        later timer = {.delay = {.tv_nsec = (long)i * CANCEL_STEP_NS}};
        if (extfn_cancel_new(&timer.cancel, NULL) != EXTFN_OK)
            return no_thread;
        pthread_t thread;
        if (pthread_create(&thread, NULL, trigger_later, &timer) != 0)
            return no_thread;
        const extfn_call_options options = {.struct_size = sizeof(options), .cancel = timer.cancel};
        extfn_value value = {0};
        extfn_status status =
            extfn_host_eval(self->host, self->function, NULL, 0, &options, &value, &self->failure);
        (void)pthread_join(thread, NULL);
        extfn_cancel_free(timer.cancel);
        if (status != EXTFN_ECANCELED)
            return self->failure.message;
    }
    return NULL;
}

static void a_thousand_early_cancels_leave_nothing(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    test_adopt_orphans();
    traces before = traces_take();
    sleeper self = {.host = host_of(CONFINED)};
    self.function = test_function(EXTFN_PYTHON, "->N!", "import time\ntime.sleep(60)");
    sleeper sleepers[] = {self, self};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, cancel_many, &sleepers[i]), 0);
    void *wrong[2] = {NULL};
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], &wrong[i]), 0);
    for (int i = 0; i < 2; i++) {
        if (wrong[i])
            fail_msg("not cancelled but: %s", (const char *)wrong[i]);
    }
    /* But for those canceled before their start. */
    assert_in_range(stats_of(self.host).workers_started, CANCELS, 2 * CANCELS);
    assert_all_proven_gone(self.host, "cancelled");
    assert_nothing_left(&before, "cancelled");
    extfn_function_unref(self.function);
    extfn_host_free(self.host);
}

/* ---- What a body leaves in a warm worker ---- */

/* Writes an answer to a call that nobody has made, and then the file that says so. */
static const char forger[] =
    "import mmap, os, threading\n"
    "def forge(os=os, mmap=mmap.mmap, open=open, path=path):\n" /* of its row nothing stays */
    "    mmap(6, 64 << 20)[4096:8192] = b'\\1' * 4096\n"
    "    os.write(4, bytes.fromhex('6578666e0100120003000000000000000100000000000000'))\n"
    "    open(path, 'w').close()\n"
    "if not os.path.exists(path):\n"
    "    threading.Timer(0.3, forge).start()\n"
    "result = 7";

static void a_thread_that_answers_between_calls_is_not_heard(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    char folder[TEMPORARY_SIZE];
    assert_non_null(temporary_folder(folder, sizeof(folder), "/tmp"));
    char path[64];
    (void)snprintf(path, sizeof(path), "%s/forged", folder);
    extfn_host *host = host_of(TRUSTED); /* only there it can tell us when it has */
    extfn_function *function = test_function(EXTFN_PYTHON, "T(path)->N", forger);
    extfn_value arg = test_text(path);
    for (int i = 0; i < 2; i++) {
        test_result result = test_call(host, function, &arg, 1, 10);
        ASSERT_NUMBER(result, 7);
        test_result_clear(&result);
        double until = test_now() + 20;
        while (access(path, F_OK) != 0 && test_now() < until)
            test_pause();
    }
    assert_int_equal(stats_of(host).workers_started, 2);
    assert_int_equal(stats_of(host).workers_proven_gone, 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    extfn_value_clear(&arg);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* A host that was built with an older header gets the fields that it knows. */
static void older_hosts_get_the_statistics_that_they_know(void **state)
{
    (void)state;
    extfn_host *host = test_host(NULL);
    extfn_stats stats = {.struct_size = offsetof(extfn_stats, workers_ended),
                         .workers_started = 5,
                         .workers_ended = 6,
                         .workers_proven_gone = 7};
    extfn_host_stats(host, &stats);
    assert_int_equal(stats.workers_started, 0);
    assert_int_equal(stats.workers_ended, 6);
    assert_int_equal(stats.workers_proven_gone, 7);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(however_a_worker_ends_nothing_is_left),
        cmocka_unit_test(whatever_is_killed_nothing_is_left),
        cmocka_unit_test(a_thousand_early_cancels_leave_nothing),
        cmocka_unit_test(a_thread_that_answers_between_calls_is_not_heard),
        cmocka_unit_test(older_hosts_get_the_statistics_that_they_know),
    };
    return cmocka_run_group_tests_name("emptiness", tests, NULL, NULL);
}
