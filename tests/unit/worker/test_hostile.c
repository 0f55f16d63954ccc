/* Workers whose driver was replaced by a hostile program: real sandbox, real interpreter, forged
 * answers. SPDX-License-Identifier: MIT */
#include "base/auto.h"
#include "base/clock.h"
#include "lang/language.h"
#include "sandbox/find.h"
#include "support/require.h"
#include "worker/worker.h"

#include <string.h>
#include <unistd.h>

#define LIMIT_US 10000000

/* What every script begins with: say(type, ...) sends a frame about the call of the last one read.
 */
#define PRELUDE                                                                                    \
    "import mmap, os, struct, time\n"                                                              \
    "reply = mmap.mmap(6, 64 << 20)\n"                                                             \
    "def hear():\n"                                                                                \
    "    return struct.unpack('<IHHIIII', os.read(3, 24))[3]\n"                                    \
    "def say(type, call, first=0, rows=1, detail=0, magic=0x6e667865, version=1):\n"               \
    "    os.write(4, struct.pack('<IHHIIII', magic, version, type, call, first, rows, detail))\n"  \
    "PROVEN = 1 | 0x1ffff << 8\n"                                                                  \
    "call = hear()\n"

typedef struct rig {
    xf_worker *worker;
    xf_runtime runtime;
    char *bwrap;
} rig;

static void rig_close(rig *set)
{
    xf_worker_free(set->worker);
    xf_runtime_clear(&set->runtime);
    xf_free(set->bwrap);
}

static void rig_open(rig *set, const char *script)
{
    XF_TEST_REQUIRE("bwrap",
                    xf_bwrap_find("/usr/local/bin:/usr/bin", &set->bwrap, NULL) == EXTFN_OK);
    XF_TEST_REQUIRE("python", access("/usr/bin/python3", X_OK) == 0);
    const xf_language *python = xf_language_get(EXTFN_PYTHON);
    const xf_language_options options = {.interpreter = "/usr/bin/python3"};
    assert_int_equal(python->locate(&options, &set->runtime, NULL), EXTFN_OK);
    const xf_policy policy = {
        .confinement = XF_CONFINED,
        .bwrap_path = set->bwrap,
        .memory_bytes = 1U << 30,
        .tmp_bytes = 1U << 20,
        .start_timeout_us = LIMIT_US,
        .uid_first = 2000000000,
        .uid_count = geteuid() == 0 ? 1000 : 0,
    };
    const xf_plan_file driver = {.place = "/b/driver.py", .data = script, .size = strlen(script)};
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    extfn_error err = {0};
    if (xf_launch_build(&policy, &set->runtime, &driver, &launch, &err) != EXTFN_OK ||
        xf_worker_start(&policy, &launch, &set->worker, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
}

static xf_event wait_for(rig *set)
{
    return xf_worker_step(set->worker, xf_clock_now() + LIMIT_US, -1);
}

static void a_worker_that_is_not_sealed_is_refused(void **state)
{
    (void)state;
    XF_AUTO(rig_close) rig set = {0};
    rig_open(&set, PRELUDE "say(16, call)\ntime.sleep(60)\n");
    xf_worker_begin_setup(set.worker, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_FAILED);
    assert_int_equal(set.worker->failure, XF_FAILURE_SEAL);
}

static void a_worker_without_one_of_its_layers_is_refused(void **state)
{
    (void)state;
    XF_AUTO(rig_close) rig set = {0};
    rig_open(&set, PRELUDE "say(16, call, detail=PROVEN & ~(4 << 8))\ntime.sleep(60)\n");
    xf_worker_begin_setup(set.worker, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_FAILED);
    assert_int_equal(set.worker->failure, XF_FAILURE_SEAL);
    assert_int_equal(set.worker->missing, XF_PROOF_VIEW);
}

static void forged_answers_end_the_worker(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        const char *fault;
    } cases[] = {
        {"os.write(4, b'x' * 24)", "worker broke the protocol: not a frame"},
        {"os.write(4, os.urandom(60000))", "worker broke the protocol: not a frame"},
        {"say(16, call, version=2)", "worker broke the protocol: wrong version"},
        {"say(16, call + 1)", "worker broke the protocol: answer to another call"},
        {"say(18, call)", "worker broke the protocol: unexpected frame"},
        {"say(1, call)", "worker broke the protocol: unexpected frame"},
        {"say(999, call)", "worker broke the protocol: unexpected frame"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char script[2048] = PRELUDE;
        memcpy(script + strlen(script), cases[i].answer, strlen(cases[i].answer) + 1);
        memcpy(script + strlen(script), "\ntime.sleep(60)\n", sizeof("\ntime.sleep(60)\n"));
        XF_AUTO(rig_close) rig set = {0};
        rig_open(&set, script);
        xf_worker_begin_setup(set.worker, LIMIT_US);
        assert_int_equal(wait_for(&set), XF_EVENT_ENDED);
        assert_string_equal(set.worker->fault.message, cases[i].fault);
    }
}

static void a_frame_in_pieces_is_one_frame(void **state)
{
    (void)state;
    XF_AUTO(rig_close) rig set = {0};
    rig_open(&set,
             PRELUDE "for byte in struct.pack('<IHHIIII', 0x6e667865, 1, 16, call, 0, 1, PROVEN):\n"
                     "    os.write(4, bytes([byte]))\n"
                     "    time.sleep(0.002)\n"
                     "time.sleep(60)\n");
    xf_worker_begin_setup(set.worker, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_READY);
    assert_true(xf_worker_is_usable(set.worker));
}

static void half_a_frame_and_silence_is_over_at_the_limit(void **state)
{
    (void)state;
    XF_AUTO(rig_close) rig set = {0};
    rig_open(&set, PRELUDE "say(16, call, detail=PROVEN)\ncall = hear()\nos.write(4, b'exfn')\n"
                           "time.sleep(60)\n");
    xf_worker_begin_setup(set.worker, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_READY);
    xf_worker_begin_call(set.worker, 1, 300000);
    assert_int_equal(wait_for(&set), XF_EVENT_ENDED);
    assert_int_equal(set.worker->report.cause, XF_CAUSE_ROW_TIMEOUT);
}

static void a_second_answer_makes_the_worker_unusable(void **state)
{
    (void)state;
    XF_AUTO(rig_close) rig set = {0};
    rig_open(&set, PRELUDE "say(16, call, detail=PROVEN)\nsay(18, call + 1)\ntime.sleep(60)\n");
    xf_worker_begin_setup(set.worker, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_READY);
    int64_t until = xf_clock_now() + LIMIT_US;
    while (xf_worker_is_usable(set.worker) && xf_clock_now() < until) {
    }
    assert_false(xf_worker_is_usable(set.worker));
}

static void rows_without_a_status_are_not_taken_as_done(void **state)
{
    (void)state;
    XF_AUTO(rig_close) rig set = {0};
    rig_open(&set, PRELUDE "say(16, call, detail=PROVEN)\ncall = hear()\nsay(18, call, rows=3)\n"
                           "time.sleep(60)\n");
    xf_worker_begin_setup(set.worker, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_READY);
    xf_worker_begin_call(set.worker, 3, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_DONE);
    xf_reply reply = {.map = set.worker->maps.reply, .row_count = 3, .type = EXTFN_NUMBER};
    assert_int_equal(xf_reply_done(&reply, 0, 3), 0);
}

static void the_maps_cannot_be_resized_or_the_request_written(void **state)
{
    (void)state;
    XF_AUTO(rig_close) rig set = {0};
    rig_open(&set,
             PRELUDE "held = 0\n"
                     "for fd in (5, 6):\n"
                     "    for size in (0, 4096, 1 << 30):\n"
                     "        try:\n"
                     "            os.ftruncate(fd, size)\n"
                     "        except OSError:\n"
                     "            held += 1\n"
                     "for attempt in (lambda: os.pwrite(5, b'x', 0), lambda: mmap.mmap(5, 4096)):\n"
                     "    try:\n"
                     "        attempt()\n"
                     "    except OSError:\n"
                     "        held += 1\n"
                     "say(16 if held == 8 else 17, call, detail=PROVEN)\ntime.sleep(60)\n");
    xf_worker_begin_setup(set.worker, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_READY);
}

static xf_worker_usage usage_of(const rig *set)
{
    xf_worker_usage usage = {0};
    assert_true(xf_worker_measure(set->worker, -1, &usage));
    return usage;
}

/* A fifth of a second of work, then a call that ends the process. */
static void what_a_worker_used_is_known_while_it_lives_and_after(void **state)
{
    (void)state;
    XF_AUTO(rig_close) rig set = {0};
    rig_open(&set, PRELUDE "while time.process_time() < 0.2: pass\nheld = bytearray(64 << 20)\n"
                           "say(16, call, detail=PROVEN)\nhear()\nos._exit(3)\n");
    xf_worker_begin_setup(set.worker, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_READY);
    xf_worker_usage alive = usage_of(&set);
    assert_in_range(alive.cpu_us, 200000, 5000000);
    assert_in_range(alive.peak_memory, 64U << 20, 256U << 20);
    assert_true(xf_worker_is_usable(set.worker));
    xf_worker_begin_call(set.worker, 1, LIMIT_US);
    xf_worker_usage dead = alive;
    while (set.worker->report_size < sizeof(set.worker->report))
        dead = usage_of(&set);
    assert_in_range(dead.cpu_us, alive.cpu_us, 5000000);
    assert_false(xf_worker_is_usable(set.worker));
    assert_int_equal(wait_for(&set), XF_EVENT_ENDED);
    assert_int_equal(set.worker->report.wait_status, 3 << 8);
    assert_in_range(usage_of(&set).cpu_us, dead.cpu_us, dead.cpu_us);
}

static void what_a_worker_may_keep_is_told_without_waiting(void **state)
{
    (void)state;
    XF_AUTO(rig_close) rig set = {0};
    rig_open(&set, PRELUDE "say(16, call, detail=PROVEN)\nhear()\nos._exit(3)\n");
    xf_worker_begin_setup(set.worker, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_READY);
    assert_true(xf_worker_has_answered(set.worker));
    xf_worker_settle(set.worker);
    assert_true(xf_worker_is_usable(set.worker)); /* whether or not there is an answer */
    int64_t until = xf_clock_now() + LIMIT_US;
    while (!xf_worker_has_answered(set.worker) && xf_clock_now() < until) {
    }
    assert_true(xf_worker_is_usable(set.worker));
    uint64_t most = set.worker->usage.idle_memory;
    assert_in_range(most, 128U << 20, 512U << 20);
    xf_worker_settle(set.worker); /* its answer is not taken for the one to the next question */
    (void)usage_of(&set);
    assert_true(xf_worker_has_answered(set.worker));
    xf_worker_settle(set.worker);
    xf_worker_begin_call(set.worker, 1, LIMIT_US);
    assert_int_equal(wait_for(&set), XF_EVENT_ENDED);
    assert_true(xf_worker_has_answered(set.worker));
    assert_false(xf_worker_is_usable(set.worker));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_that_is_not_sealed_is_refused),
        cmocka_unit_test(a_worker_without_one_of_its_layers_is_refused),
        cmocka_unit_test(forged_answers_end_the_worker),
        cmocka_unit_test(a_frame_in_pieces_is_one_frame),
        cmocka_unit_test(half_a_frame_and_silence_is_over_at_the_limit),
        cmocka_unit_test(a_second_answer_makes_the_worker_unusable),
        cmocka_unit_test(rows_without_a_status_are_not_taken_as_done),
        cmocka_unit_test(the_maps_cannot_be_resized_or_the_request_written),
        cmocka_unit_test(what_a_worker_may_keep_is_told_without_waiting),
        cmocka_unit_test(what_a_worker_used_is_known_while_it_lives_and_after),
    };
    return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}
