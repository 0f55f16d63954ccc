/* What extfn-enter says, in whatever pieces it arrives. SPDX-License-Identifier: MIT */
#include "guest/supervise/status.h"
#include "support/unit.h"

#include <string.h>

typedef struct said {
    xf_enter_ready ready;
    xf_enter_exit end;
} said;
_Static_assert(sizeof(said) == sizeof(xf_enter_ready) + sizeof(xf_enter_exit), "no padding");

static const said everything = {
    .ready = {.magic = XF_WIRE_MAGIC, .version = XF_WIRE_VERSION, .layers = XF_LAYER_NETWORK},
    .end = {.magic = XF_WIRE_MAGIC, .wait_status = 256, .peak_memory = 5, .cpu_us = 6},
};

static void ready_and_exit_are_told_apart(void **state)
{
    (void)state;
    xf_status status = {0};
    xf_enter_exit end;
    xf_status_add(&status, (const unsigned char *)&everything, sizeof(xf_enter_ready));
    assert_true(xf_status_is_ready(&status));
    assert_false(xf_status_get_exit(&status, &end));
    xf_status_add(&status, (const unsigned char *)&everything.end, sizeof(xf_enter_exit));
    assert_true(xf_status_get_exit(&status, &end));
    assert_int_equal(end.wait_status, 256);
    assert_int_equal(end.peak_memory, 5);
    assert_false(status.is_broken);
}

static void layers_are_told_with_ready(void **state)
{
    (void)state;
    xf_status status = {0};
    assert_int_equal(xf_status_layers(&status), 0);
    xf_status_add(&status, (const unsigned char *)&everything, sizeof(xf_enter_ready) - 1);
    assert_int_equal(xf_status_layers(&status), 0);
    xf_status_add(&status, (const unsigned char *)&everything + sizeof(xf_enter_ready) - 1, 1);
    assert_int_equal(xf_status_layers(&status), XF_LAYER_NETWORK);
}

static void pieces_add_up(void **state)
{
    (void)state;
    xf_status status = {0};
    xf_enter_exit end;
    for (size_t i = 0; i < sizeof(everything); i++) {
        assert_int_equal(xf_status_is_ready(&status), i >= sizeof(xf_enter_ready));
        assert_false(xf_status_get_exit(&status, &end));
        xf_status_add(&status, (const unsigned char *)&everything + i, 1);
    }
    assert_true(xf_status_get_exit(&status, &end));
}

static void garbage_is_noticed(void **state)
{
    (void)state;
    xf_status status = {0};
    xf_status_add(&status, (const unsigned char *)"garbage!garbage!", 16);
    assert_true(status.is_broken);
    assert_false(xf_status_is_ready(&status));

    xf_status second = {0};
    said wrong = everything;
    wrong.end.magic = 0;
    xf_status_add(&second, (const unsigned char *)&wrong, sizeof(wrong));
    assert_true(second.is_broken);
}

static void more_than_was_agreed_is_noticed(void **state)
{
    (void)state;
    xf_status status = {0};
    xf_enter_exit end;
    xf_status_add(&status, (const unsigned char *)&everything, sizeof(everything));
    xf_status_add(&status, (const unsigned char *)"x", 1);
    assert_true(status.is_broken);
    assert_false(xf_status_get_exit(&status, &end));
}

static void the_signal_in_an_exit_status_is_unwrapped(void **state)
{
    (void)state;
    assert_int_equal(xf_status_unwrap(137 << 8), 9);
    assert_int_equal(xf_status_unwrap(9), 9);
    assert_int_equal(xf_status_unwrap(1 << 8), 1 << 8);
    assert_int_equal(xf_status_unwrap(128 << 8), 128 << 8);
    assert_int_equal(xf_status_unwrap(255 << 8), 255 << 8);
    assert_int_equal(xf_status_unwrap(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ready_and_exit_are_told_apart),
        cmocka_unit_test(layers_are_told_with_ready),
        cmocka_unit_test(pieces_add_up),
        cmocka_unit_test(garbage_is_noticed),
        cmocka_unit_test(more_than_was_agreed_is_noticed),
        cmocka_unit_test(the_signal_in_an_exit_status_is_unwrapped),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
