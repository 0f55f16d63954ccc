/* Who waits for room, and whose turn it is. */
#include "eval/line.h"

#include "support/unit.h"

#include <stddef.h>

enum { START = 1000000 };

static void the_first_is_due_after_a_while_and_then_the_next(void **state)
{
    (void)state;
    xf_line line = {0};
    xf_turn a = {0};
    xf_turn b = {0};
    assert_null(xf_line_whose(&line, START));
    xf_line_ask(&line, &a, 1, START);
    xf_line_ask(&line, &b, 1, START);
    assert_null(xf_line_whose(&line, START + XF_TURN_PASS_US - 1));
    int64_t now_us = START + XF_TURN_PASS_US;
    assert_ptr_equal(xf_line_whose(&line, now_us), &a);
    xf_line_ask(&line, &b, 1, now_us);
    xf_line_leave(&line, &a, now_us);
    assert_null(xf_line_whose(&line, now_us));
    assert_ptr_equal(xf_line_whose(&line, now_us + XF_TURN_PASS_US), &b);
    xf_line_leave(&line, &b, now_us);
    xf_line_leave(&line, &b, now_us);
    assert_null(line.first);
    assert_null(line.last);
}

static void who_asks_again_keeps_the_place(void **state)
{
    (void)state;
    xf_line line = {0};
    xf_turn turns[3] = {{0}};
    for (int i = 0; i < 3; i++)
        xf_line_ask(&line, &turns[i], 1, START + i);
    xf_line_ask(&line, &turns[2], 1, START + 3);
    xf_line_ask(&line, &turns[0], 1, START + 4);
    assert_ptr_equal(line.first, &turns[0]);
    assert_ptr_equal(line.last, &turns[2]);
    xf_line_leave(&line, &turns[1], START + 5);
    assert_ptr_equal(turns[0].next, &turns[2]);
    xf_line_leave(&line, &turns[2], START + 5);
    assert_ptr_equal(line.last, &turns[0]);
    xf_line_ask(&line, &turns[1], 1, START + 6);
    assert_ptr_equal(turns[0].next, &turns[1]);
}

static void who_does_not_ask_again_loses_the_place(void **state)
{
    (void)state;
    xf_line line = {0};
    xf_turn gone = {0};
    xf_turn here = {0};
    int64_t later_us = START + XF_TURN_ABSENT_US;
    xf_line_ask(&line, &gone, 1, START);
    xf_line_ask(&line, &here, 1, START);
    xf_line_ask(&line, &here, 1, later_us);
    assert_null(xf_line_whose(&line, later_us));
    assert_false(gone.is_in_line);
    assert_ptr_equal(xf_line_whose(&line, later_us + XF_TURN_PASS_US), &here);
    xf_line_ask(&line, &gone, 1, later_us);
    assert_ptr_equal(line.last, &gone);
}

/* What its worker takes to start is no time in which it could call it. */
static void one_that_was_served_has_a_while_from_when_its_worker_is_ready(void **state)
{
    (void)state;
    xf_line line = {0};
    xf_turn served = {0};
    xf_turn next = {0};
    xf_line_ask(&line, &served, 1, START);
    xf_line_ask(&line, &next, 1, START);
    xf_line_serve(&line, &served, START);
    assert_false(served.is_in_line);
    int64_t ready_us = START + XF_TURN_PASS_US;
    assert_ptr_equal(xf_line_whose(&line, ready_us), &next);
    xf_line_leave(&line, &served, ready_us);
    assert_null(xf_line_whose(&line, ready_us));
    assert_ptr_equal(xf_line_whose(&line, ready_us + XF_TURN_PASS_US), &next);
    xf_line_leave(&line, &served, ready_us + XF_TURN_PASS_US); /* once only */
    assert_ptr_equal(xf_line_whose(&line, ready_us + XF_TURN_PASS_US), &next);
}

static void unless_it_makes_room_for_itself(void **state)
{
    (void)state;
    xf_line line = {0};
    xf_turn turn = {.is_clearing = true};
    xf_line_ask(&line, &turn, 1, START);
    assert_ptr_equal(xf_line_whose(&line, START + 100 * XF_TURN_ABSENT_US), &turn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_due_after_a_while_and_then_the_next),
        cmocka_unit_test(who_asks_again_keeps_the_place),
        cmocka_unit_test(who_does_not_ask_again_loses_the_place),
        cmocka_unit_test(unless_it_makes_room_for_itself),
        cmocka_unit_test(one_that_was_served_has_a_while_from_when_its_worker_is_ready),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
