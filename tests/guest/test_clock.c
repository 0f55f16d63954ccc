/* The clock and the counting of rows. SPDX-License-Identifier: MIT */
#include "guest/supervise/clock.h"
#include "guest/supervise/look.h"
#include "support/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000)
#define LIMIT (5 * SECOND)

static const xf_observation nothing_yet = {0};

/* A worker that was set up long ago. */
static xf_clock set_up_clock(void)
{
    return (xf_clock){.start_limit_us = 30 * SECOND, .was_set_up = true};
}

static xf_observation running(uint64_t now_us, uint32_t call, uint32_t rows_done)
{
    return (xf_observation){.now_us = now_us,
                            .limit_us = LIMIT,
                            .call = call,
                            .rows_done = rows_done,
                            .is_active = true};
}

static void a_row_within_its_limit_goes_on(void **state)
{
    (void)state;
    xf_clock clock = set_up_clock();
    xf_observation seen = running(SECOND, 7, 0);
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    seen.now_us = SECOND + LIMIT - 1;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
}

static void a_row_that_does_not_move_is_over(void **state)
{
    (void)state;
    xf_clock clock = set_up_clock();
    xf_observation seen = running(SECOND, 7, 3);
    (void)xf_clock_judge(&clock, &seen);
    seen.now_us = SECOND + LIMIT;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, XF_CAUSE_ROW_TIMEOUT);
}

static void a_row_that_moves_gets_a_new_limit(void **state)
{
    (void)state;
    xf_clock clock = set_up_clock();
    for (uint32_t row = 0; row < 100; row++) {
        xf_observation seen = running(SECOND + row * (LIMIT - 1), 7, row);
        assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    }
}

static void the_next_call_gets_a_new_limit(void **state)
{
    (void)state;
    xf_clock clock = set_up_clock();
    for (uint32_t call = 1; call < 100; call++) {
        xf_observation seen = running(SECOND + call * (LIMIT - 1), call, 0);
        assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    }
}

static void time_stands_still_while_an_answer_waits(void **state)
{
    (void)state;
    xf_clock clock = set_up_clock();
    xf_observation seen = running(SECOND, 7, 3);
    (void)xf_clock_judge(&clock, &seen);
    seen.is_answered = true;
    seen.now_us += 100 * LIMIT;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    seen.is_answered = false; /* the host reads it and sends CONTINUE */
    seen.now_us += LIMIT;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    seen.now_us += LIMIT;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, XF_CAUSE_ROW_TIMEOUT);
}

static void time_stands_still_between_calls(void **state)
{
    (void)state;
    xf_clock clock = set_up_clock();
    xf_observation seen = running(SECOND, 7, 1);
    (void)xf_clock_judge(&clock, &seen);
    seen.is_active = false;
    seen.now_us += 100 * LIMIT;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
}

/* The host is slow, not the row; what it had used before still counts. */
static void while_the_host_has_to_read_first_time_stands_still(void **state)
{
    (void)state;
    xf_clock clock = set_up_clock();
    xf_observation seen = running(SECOND, 7, 1);
    (void)xf_clock_judge(&clock, &seen);
    seen.now_us += LIMIT - 1;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    seen.is_awaited = true;
    for (int i = 0; i < 10; i++) {
        seen.now_us += SECOND;
        assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    }
    seen.is_awaited = false;
    seen.now_us += 1;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, XF_CAUSE_ROW_TIMEOUT);
}

static void no_limit_is_never_over(void **state)
{
    (void)state;
    xf_clock clock = set_up_clock();
    xf_observation seen = running(SECOND, 7, 1);
    seen.limit_us = 0;
    (void)xf_clock_judge(&clock, &seen);
    seen.now_us = UINT64_MAX / 2;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
}

static void a_start_without_a_frame_is_over_at_its_limit(void **state)
{
    (void)state;
    xf_clock clock = {.start_limit_us = 30 * SECOND, .mark_us = 5 * SECOND};
    xf_observation seen = nothing_yet;
    seen.now_us = 35 * SECOND - 1;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    seen.now_us = 35 * SECOND;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, XF_CAUSE_START_TIMEOUT);
}

static void setup_has_the_start_limit_from_its_activation(void **state)
{
    (void)state;
    xf_clock clock = {.start_limit_us = 30 * SECOND, .mark_us = 5 * SECOND};
    xf_observation seen = {.now_us = 20 * SECOND,
                           .limit_us = 1,
                           .is_active = true,
                           .is_setup = true};
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    seen.now_us = 50 * SECOND - 1;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    seen.now_us = 50 * SECOND;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, XF_CAUSE_START_TIMEOUT);
}

static void a_spare_waits_longer_and_has_the_start_limit_then(void **state)
{
    (void)state;
    xf_clock clock = {.start_limit_us = 30 * SECOND,
                      .spare_limit_us = 300 * SECOND,
                      .mark_us = 5 * SECOND};
    xf_observation seen = nothing_yet;
    seen.now_us = 305 * SECOND - 1;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    xf_clock late = clock;
    seen.now_us = 305 * SECOND;
    assert_int_equal(xf_clock_judge(&late, &seen).cause, XF_CAUSE_START_TIMEOUT);
    seen = (xf_observation){.now_us = 304 * SECOND, .is_active = true, .is_setup = true};
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    seen.now_us = 334 * SECOND - 1;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    seen.now_us = 334 * SECOND;
    assert_int_equal(xf_clock_judge(&clock, &seen).cause, XF_CAUSE_START_TIMEOUT);
}

/* A setup of 20 ms lies between two looks: only its traces in the header are seen. */
static void a_setup_that_was_missed_ends_the_start_limit(void **state)
{
    (void)state;
    const xf_observation traces[] = {{.is_setup = true}, {.call = 1}};
    for (size_t i = 0; i < 2; i++) {
        xf_clock clock = {.start_limit_us = 30 * SECOND};
        xf_observation seen = traces[i];
        (void)xf_clock_judge(&clock, &seen);
        seen.now_us = 1000 * SECOND;
        assert_int_equal(xf_clock_judge(&clock, &seen).cause, 0);
    }
}

static uint64_t wait_of(uint64_t limit_us, bool is_active, uint64_t elapsed_us)
{
    xf_clock clock = set_up_clock();
    xf_observation seen = running(SECOND, 7, 0);
    seen.limit_us = limit_us;
    seen.is_active = is_active;
    (void)xf_clock_judge(&clock, &seen);
    seen.now_us += elapsed_us;
    return xf_clock_judge(&clock, &seen).wait_us;
}

static void the_tick_follows_the_limit(void **state)
{
    (void)state;
    assert_int_equal(wait_of(5 * SECOND, true, 0), 250000);
    assert_int_equal(wait_of(800000, true, 0), 100000);
    assert_int_equal(wait_of(80, true, 0), 1000);
    assert_int_equal(wait_of(0, true, 0), 250000);
}

static void idle_workers_are_looked_at_every_250_ms(void **state)
{
    (void)state;
    assert_int_equal(wait_of(1000, false, 0), 250000);
    xf_clock clock = {.start_limit_us = 100 * SECOND};
    assert_int_equal(xf_clock_judge(&clock, &nothing_yet).wait_us, 250000);
}

static void the_last_tick_ends_with_the_limit(void **state)
{
    (void)state;
    assert_int_equal(wait_of(5 * SECOND, true, 5 * SECOND - 30000), 30000);
    assert_int_equal(wait_of(5 * SECOND, true, 5 * SECOND - 10), 1000);
}

static void rows_count_up_to_the_first_that_is_not_done(void **state)
{
    (void)state;
    const unsigned char statuses[] = {1, 2, 3, 0, 1, 1};
    assert_int_equal(xf_rows_done(statuses, 0, 6), 3);
    assert_int_equal(xf_rows_done(statuses, 4, 6), 6);
    assert_int_equal(xf_rows_done(statuses, 0, 2), 2);
    assert_int_equal(xf_rows_done(statuses, 5, 2), 2);
}

static void rows_are_bounded_by_the_protocol(void **state)
{
    (void)state;
    unsigned char *statuses = malloc(XF_ROWS_LIMIT);
    assert_non_null(statuses);
    memset(statuses, 0xff, XF_ROWS_LIMIT);
    assert_int_equal(xf_rows_done(statuses, 0, UINT32_MAX), XF_ROWS_LIMIT);
    free(statuses);
}

/* A file of the size of a map, as the host makes it. */
static int make_map(const char *name, size_t size)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    return fd;
}

static void a_look_sees_what_the_host_wrote(void **state)
{
    (void)state;
    int request_fd = make_map("request", XF_MAP_SIZE);
    int reply_fd = make_map("reply", XF_MAP_SIZE);
    int pipe_ends[2];
    assert_int_equal(pipe(pipe_ends), 0);
    const xf_request_header header = {.call = 9, .row_count = 4, .is_active = 1, .limit_us = LIMIT};
    assert_int_equal(pwrite(request_fd, &header, sizeof(header), 0), sizeof(header));
    assert_int_equal(pwrite(reply_fd, "\1\1\0\1\1", 5, XF_MAP_START), 5);

    xf_maps maps;
    assert_int_equal(xf_maps_open(request_fd, reply_fd, pipe_ends[0], &maps), 0);
    xf_observation seen = xf_maps_look(&maps, 77);
    assert_int_equal(seen.now_us, 77);
    assert_int_equal(seen.limit_us, LIMIT);
    assert_int_equal(seen.call, 9);
    assert_int_equal(seen.rows_done, 2);
    assert_true(seen.is_active && !seen.is_setup && !seen.is_answered);

    assert_int_equal(write(pipe_ends[1], "x", 1), 1);
    assert_true(xf_maps_look(&maps, 78).is_answered);
    assert_int_equal(pwrite(reply_fd, "\0", 1, XF_MAP_START), 1);
    assert_int_equal(xf_maps_look(&maps, 79).rows_done, 2); /* rows only grow within a call */
    assert_int_equal(pwrite(request_fd, &(uint32_t){10}, 4, offsetof(xf_request_header, call)), 4);
    assert_int_equal(xf_maps_look(&maps, 80).rows_done, 0);
    close(request_fd);
    close(reply_fd);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

static void maps_that_are_too_short_are_refused(void **state)
{
    (void)state;
    int big = make_map("big", XF_MAP_SIZE);
    int small = make_map("small", XF_MAP_START - 1);
    xf_maps maps;
    assert_int_not_equal(xf_maps_open(small, big, 0, &maps), 0);
    assert_int_not_equal(xf_maps_open(big, small, 0, &maps), 0);
    assert_int_not_equal(xf_maps_open(big, -1, 0, &maps), 0);
    close(big);
    close(small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_within_its_limit_goes_on),
        cmocka_unit_test(a_row_that_does_not_move_is_over),
        cmocka_unit_test(a_row_that_moves_gets_a_new_limit),
        cmocka_unit_test(the_next_call_gets_a_new_limit),
        cmocka_unit_test(time_stands_still_while_an_answer_waits),
        cmocka_unit_test(time_stands_still_between_calls),
        cmocka_unit_test(while_the_host_has_to_read_first_time_stands_still),
        cmocka_unit_test(no_limit_is_never_over),
        cmocka_unit_test(a_start_without_a_frame_is_over_at_its_limit),
        cmocka_unit_test(setup_has_the_start_limit_from_its_activation),
        cmocka_unit_test(a_spare_waits_longer_and_has_the_start_limit_then),
        cmocka_unit_test(a_setup_that_was_missed_ends_the_start_limit),
        cmocka_unit_test(the_tick_follows_the_limit),
        cmocka_unit_test(idle_workers_are_looked_at_every_250_ms),
        cmocka_unit_test(the_last_tick_ends_with_the_limit),
        cmocka_unit_test(rows_count_up_to_the_first_that_is_not_done),
        cmocka_unit_test(rows_are_bounded_by_the_protocol),
        cmocka_unit_test(a_look_sees_what_the_host_wrote),
        cmocka_unit_test(maps_that_are_too_short_are_refused),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
