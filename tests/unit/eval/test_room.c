#include "eval/room.h"

#include "support/unit.h"

static void the_only_worker_gets_what_it_wants(void **state)
{
    (void)state;
    xf_room room = {.limit = 10};
    assert_true(xf_room_take(&room, 0, 100));
    assert_false(xf_room_take(&room, 0, 1));
    assert_true(xf_room_take(&room, 100, 5));
    assert_true(xf_room_take(&room, 5, 200));
    xf_room_give_back(&room, 200);
    assert_int_equal(room.taken, 0);
    assert_int_equal(room.count, 0);
}

static void others_get_what_is_left(void **state)
{
    (void)state;
    xf_room room = {.limit = 10};
    assert_true(xf_room_take(&room, 0, 4));
    assert_true(xf_room_take(&room, 0, 4));
    assert_false(xf_room_take(&room, 0, 3));
    assert_true(xf_room_take(&room, 0, 2));
    xf_room_give_back(&room, 4);
    assert_true(xf_room_take(&room, 0, 3));
    assert_int_equal(room.taken, 9);
    assert_int_equal(room.count, 3);
}

static void an_idle_one_gives_back_and_may_not_get_it_again(void **state)
{
    (void)state;
    xf_room room = {.limit = 13};
    assert_true(xf_room_take(&room, 0, 8));
    assert_true(xf_room_take(&room, 8, 4));
    assert_true(xf_room_take(&room, 0, 8));
    assert_false(xf_room_take(&room, 4, 8));
    assert_int_equal(room.taken, 12);
    assert_int_equal(room.count, 2);
}

static void what_has_no_limit_is_not_counted(void **state)
{
    (void)state;
    xf_room room = {.limit = 1};
    for (int i = 0; i < 3; i++)
        assert_true(xf_room_take(&room, 0, 0));
    assert_int_equal(room.count, 0);
    xf_room_give_back(&room, 0);
    assert_int_equal(room.count, 0);
}

static void huge_numbers_do_not_wrap(void **state)
{
    (void)state;
    xf_room room = {.limit = UINT64_MAX};
    assert_true(xf_room_take(&room, 0, UINT64_MAX - 1));
    assert_false(xf_room_take(&room, 0, 2));
    assert_true(xf_room_take(&room, 0, 1));
}

static void ending_idle_ones_helps_or_not(void **state)
{
    (void)state;
    xf_room room = {.limit = 10};
    assert_true(xf_room_take(&room, 0, 6));
    assert_true(xf_room_take(&room, 0, 3));
    assert_true(xf_room_would_fit(&room, 0, 4, 3));
    assert_false(xf_room_would_fit(&room, 0, 5, 3));
    assert_true(xf_room_would_fit(&room, 3, 10, 6));
    assert_true(xf_room_would_fit(&room, 0, 100, 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_only_worker_gets_what_it_wants),
        cmocka_unit_test(others_get_what_is_left),
        cmocka_unit_test(an_idle_one_gives_back_and_may_not_get_it_again),
        cmocka_unit_test(what_has_no_limit_is_not_counted),
        cmocka_unit_test(huge_numbers_do_not_wrap),
        cmocka_unit_test(ending_idle_ones_helps_or_not),
    };
    return cmocka_run_group_tests_name("room", tests, NULL, NULL);
}
