/* Rows that end their worker, hang or exhaust memory among many that do not: all others have their
 * results, and a function that does nothing else is given up. SPDX-License-Identifier: MIT */
#include "support/batch.h"
#include "support/temporary.h"

#include <extfn/queue.h>
#include <poll.h>
#include <stdio.h>

#define GIVEN_UP_AFTER 100

static void note_failure(const extfn_failure *failure, void *context)
{
    (void)failure;
    ++*(int *)context;
}

static void a_function_that_ends_its_worker_on_every_row_is_given_up(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    int told = 0;
    batch run = apply(EXTFN_PYTHON, "N(x)->N", "import os\nos._exit(3)", 100000,
                      (extfn_call_options){.workers = 1,
                                           .on_failure = note_failure,
                                           .failure_context = &told});
    assert_int_equal(run.status, EXTFN_ERUNTIME);
    assert_string_equal(run.err.message, "function ends its worker on every row (100 in a row): "
                                         "function ended its process with exit status 3");
    assert_null(run.result);
    assert_int_equal(told, 1);
    assert_int_equal(workers_started(&run), GIVEN_UP_AFTER);
    batch_clear(&run);
}

/* Neither does a run of one less than that harm other rows, nor one that ends the batch. */
static void one_row_between_is_enough(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    int64_t bad[2 * GIVEN_UP_AFTER - 1];
    for (int i = 0; i < GIVEN_UP_AFTER - 1; i++)
        bad[i] = 50 + i;
    for (int i = 0; i < GIVEN_UP_AFTER; i++)
        bad[GIVEN_UP_AFTER - 1 + i] = 50 + GIVEN_UP_AFTER + i;
    batch run = apply(EXTFN_PYTHON, "N(x)->N",
                      "if x >= 50 and x != 149:\n    import os\n    os._exit(3)\nresult = 2 * x",
                      50 + 2 * GIVEN_UP_AFTER, (extfn_call_options){.workers = 1});
    assert_doubled_but(&run, 50 + 2 * GIVEN_UP_AFTER, bad, 2 * GIVEN_UP_AFTER - 1,
                       "function ended its process with exit status 3");
    batch_clear(&run);
}

/* Rows are counted in their own order, whoever evaluated them. */
static void several_workers_do_not_add_up(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    for (size_t workers = 2; workers <= 4; workers += 2) {
        batch run = apply(EXTFN_PYTHON, "N(x)->N",
                          "if x % 100 != 0:\n    import os\n    os._exit(3)\nresult = x", 300,
                          (extfn_call_options){.workers = workers});
        if (run.status != EXTFN_OK)
            fail_msg("%s", run.err.message);
        assert_int_equal(extfn_column_error_count(run.result), 297);
        batch_clear(&run);
        run = apply(EXTFN_PYTHON, "N(x)->N", "import os\nif x > 20:\n    os._exit(3)\nresult = x",
                    500, (extfn_call_options){.workers = workers});
        assert_int_equal(run.status, EXTFN_ERUNTIME);
        assert_string_equal(run.err.message,
                            "function ends its worker on every row (100 in a row): "
                            "function ended its process with exit status 3");
        batch_clear(&run);
    }
}

/* Of each two rows the first is good, the second forges a text that lies outside of its heap. */
static void good_rows_before_forged_ones_count(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char forger[] =
        "import mmap, os, struct\n"
        "if x % 2 == 1:\n"
        "    reply = mmap.mmap(6, 64 << 20)\n"
        "    reply[4168:4176] = struct.pack('<II', 0xfffffff0, 0x7fffffff)\n"
        "    reply[4097] = 1\n"
        "    os.write(4, struct.pack('<IHHIIII', 0x6e667865, 1, 18, 2, 0, 2, 0))\n"
        "    while True: pass\n"
        "result = 'good'";
    int64_t rows = 2 * (GIVEN_UP_AFTER + 2);
    batch run = apply(EXTFN_PYTHON, "N(x)->T", forger, rows,
                      (extfn_call_options){.workers = 1, .chunk_rows = 2});
    if (run.status != EXTFN_OK)
        fail_msg("%s", run.err.message);
    assert_int_equal(extfn_column_error_count(run.result), rows / 2);
    extfn_value value = {0};
    for (int64_t row = 1; row < rows; row += 2)
        assert_non_null(strstr(message_at(&run, row, &value), "worker broke the protocol"));
    extfn_value_clear(&value);
    batch_clear(&run);
}

/* One text of 16 MiB in each slot of an answer would be as much memory of the host as there are
 * rows. */
static void a_text_that_every_slot_shows_ends_its_worker(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char forger[] =
        "import mmap, os, struct\n"
        "call, rows = struct.unpack_from('<II', mmap.mmap(5, 64 << 20, prot=mmap.PROT_READ), 8)\n"
        "reply = mmap.mmap(6, 64 << 20)\n"
        "slots = (4096 + rows + 63) // 64 * 64\n"
        "heap = (slots + 8 * rows + 63) // 64 * 64\n"
        "reply[heap:heap + (16 << 20)] = b'a' * (16 << 20)\n"
        "reply[slots:slots + 8 * rows] = struct.pack('<II', heap, 16 << 20) * rows\n"
        "reply[4096:4096 + rows] = bytes([1]) * rows\n"
        "os.write(4, struct.pack('<IHHIIII', 0x6e667865, 1, 18, call, 0, rows, 0))\n"
        "while True: pass";
    batch run = apply(EXTFN_PYTHON, "N(x)->Tv", forger, 8, (extfn_call_options){.workers = 1});
    if (run.status != EXTFN_OK)
        fail_msg("%s", run.err.message);
    assert_int_equal(extfn_column_error_count(run.result), 2);
    extfn_value value = {0};
    for (int64_t row = 3; row < 8; row += 4)
        assert_string_equal(message_at(&run, row, &value),
                            "worker broke the protocol: row 3: more text than fits");
    extfn_value_clear(&value);
    batch_clear(&run);
}

/* The limit is what such a row costs. */
static void rows_over_their_time_are_not_counted(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    int64_t rows = GIVEN_UP_AFTER + 5;
    batch run = apply(EXTFN_PYTHON, "N(x)->N", "while True: pass", rows,
                      (extfn_call_options){.workers = 1, .timeout_us = 10000});
    assert_int_equal(run.status, EXTFN_OK);
    assert_int_equal(extfn_column_error_count(run.result), rows);
    batch_clear(&run);
}

/* Calls that travel together are nobody's batch: each has its own outcome. */
static void calls_in_a_queue_are_not_given_up_for_each_other(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(&(extfn_host_options){.workers = 1});
    extfn_function *function =
        test_function(EXTFN_PYTHON, "N(x)->N",
                      "if x < 105:\n    import os\n    os._exit(3)\nresult = 2 * x");
    extfn_queue *queue = NULL;
    assert_int_equal(extfn_queue_new(host, &queue, NULL), EXTFN_OK);
    for (int i = 0; i < 110; i++) {
        const extfn_value args[] = {extfn_value_number(i)};
        extfn_job *job = NULL;
        assert_int_equal(extfn_queue_submit(queue, function, args, 1, NULL, NULL, &job, NULL),
                         EXTFN_OK);
    }
    int good = 0;
    for (int done = 0; done < 110;) {
        extfn_job *job = extfn_queue_step(queue);
        struct pollfd ready = {.fd = extfn_queue_descriptor(queue), .events = POLLIN};
        if (!job) {
            assert_int_equal(poll(&ready, 1, 60000), 1);
            continue;
        }
        extfn_value value = {0};
        extfn_error err = {0};
        if (extfn_job_take_value(job, &value, &err) == EXTFN_OK)
            good++;
        else
            assert_string_equal(err.message, "function ended its process with exit status 3");
        extfn_job_free(job);
        done++;
    }
    assert_int_equal(good, 5);
    extfn_queue_free(queue);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* ---- Few among many ---- */

#define ROWS 20000

static const char mixed[] = "if x % 2000 == 999:\n    import os\n    os._exit(3)\n"
                            "while x in (4321, 14321):\n    pass\n"
                            "if x in (0, 19998):\n    bytearray(1 << 40)\n"
                            "result = 2 * x";

static const char *expected_at(int64_t row)
{
    if (row % 2000 == 999)
        return "function ended its process with exit status 3";
    if (row == 4321 || row == 14321)
        return "function timed out after 200ms";
    return row == 0 || row == 19998 ? "memory limit of 1 GiB reached" : "";
}

static void each_has_its_own_error_and_all_others_their_results(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const size_t worker_counts[] = {1, 2, 8};
    for (size_t i = 0; i < sizeof(worker_counts) / sizeof(worker_counts[0]); i++) {
        batch run = apply(EXTFN_PYTHON, "N(x)->N", mixed, ROWS,
                          (extfn_call_options){.timeout_us = 200000, .workers = worker_counts[i]});
        if (run.status != EXTFN_OK)
            fail_msg("%s", run.err.message);
        assert_int_equal(extfn_column_rows(run.result), ROWS);
        assert_int_equal(extfn_column_error_count(run.result), 14);
        extfn_value value = {0};
        for (int64_t row = 0; row < ROWS; row++) {
            const char *expected = expected_at(row);
            if (expected[0])
                assert_string_equal(message_at(&run, row, &value), expected);
            else
                assert_true(extfn_column_numbers(run.result)[row] == 2 * (double)row);
        }
        extfn_value_clear(&value);
        batch_clear(&run);
    }
}

/* Outside of a sandbox a body can kill what is around it: no row is blamed for that at once. Row 3
 * does it always, row 4 once. */
static void a_row_that_was_given_up_leaves_the_next_its_chances(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", test_has(EXTFN_PYTHON));
    char path[TEMPORARY_SIZE];
    int fd = temporary_file(path, sizeof(path), "/tmp");
    assert_true(fd >= 0);
    (void)close(fd);
    char body[256];
    (void)snprintf(body, sizeof(body),
                   "import os, signal, time\n"
                   "if x == 3 or x == 4 and os.path.exists('%s'):\n"
                   "    if x == 4:\n        os.remove('%s')\n"
                   "    os.kill(os.getppid(), signal.SIGKILL)\n    time.sleep(60)\n"
                   "result = 2 * x",
                   path, path);
    batch run = apply_in(&(extfn_host_options){.policy = EXTFN_TRUSTED}, EXTFN_PYTHON, "N(x)->N",
                         body, 8, (extfn_call_options){.timeout_us = 20000000, .workers = 1});
    assert_int_equal(run.status, EXTFN_OK);
    assert_int_equal(access(path, F_OK), -1);
    extfn_value value = {0};
    assert_memory_equal(message_at(&run, 3, &value), "function died: signal 9", 23);
    extfn_value_clear(&value);
    assert_int_equal(extfn_column_error_count(run.result), 1);
    assert_true(extfn_column_numbers(run.result)[4] == 8);
    batch_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_that_ends_its_worker_on_every_row_is_given_up),
        cmocka_unit_test(one_row_between_is_enough),
        cmocka_unit_test(several_workers_do_not_add_up),
        cmocka_unit_test(good_rows_before_forged_ones_count),
        cmocka_unit_test(a_text_that_every_slot_shows_ends_its_worker),
        cmocka_unit_test(rows_over_their_time_are_not_counted),
        cmocka_unit_test(calls_in_a_queue_are_not_given_up_for_each_other),
        cmocka_unit_test(each_has_its_own_error_and_all_others_their_results),
        cmocka_unit_test(a_row_that_was_given_up_leaves_the_next_its_chances),
    };
    return cmocka_run_group_tests_name("poison", tests, NULL, NULL);
}
