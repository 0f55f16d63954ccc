#include "support/unit.h"
#include "worker/frame.h"

#include <string.h>

static xf_frame frame(uint16_t type)
{
    return (xf_frame){.magic = XF_WIRE_MAGIC, .version = XF_WIRE_VERSION, .type = type, .call = 7};
}

static xf_exchange exchange(xf_state state)
{
    return (xf_exchange){.state = state, .call = 7, .row_count = 10};
}

static void every_state_accepts_only_its_answers(void **state)
{
    (void)state;
    static const struct {
        xf_state state;
        uint16_t type;
        xf_state next;
    } allowed[] = {
        {XF_STATE_SETUP, XF_FRAME_READY, XF_STATE_IDLE},
        {XF_STATE_SETUP, XF_FRAME_FAILED, XF_STATE_ENDED},
        {XF_STATE_BUSY, XF_FRAME_DONE, XF_STATE_IDLE},
        {XF_STATE_BUSY, XF_FRAME_FULL, XF_STATE_FULL},
    };
    for (xf_state from = XF_STATE_STARTING; from <= XF_STATE_ENDED; from++) {
        for (unsigned type = 0; type < 64; type++) {
            xf_exchange now = exchange(from);
            xf_frame answer = frame((uint16_t)type);
            answer.first_row = 1;
            const xf_state *next = NULL;
            for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
                if (allowed[i].state == from && allowed[i].type == type)
                    next = &allowed[i].next;
            }
            extfn_status status = xf_exchange_accept(&now, &answer, NULL);
            assert_int_equal(status, next ? EXTFN_OK : EXTFN_ERUNTIME);
            assert_int_equal(now.state, next ? *next : from);
        }
    }
}

static void a_frame_of_another_call_is_refused(void **state)
{
    (void)state;
    xf_exchange now = exchange(XF_STATE_BUSY);
    xf_frame answer = frame(XF_FRAME_DONE);
    answer.call = 6;
    extfn_error err = {0};
    assert_int_equal(xf_exchange_accept(&now, &answer, &err), EXTFN_ERUNTIME);
    assert_string_equal(err.message, "worker broke the protocol: answer to another call");
    assert_int_equal(now.state, XF_STATE_BUSY);
}

static void wrong_magic_and_version_are_refused(void **state)
{
    (void)state;
    xf_exchange now = exchange(XF_STATE_BUSY);
    xf_frame answer = frame(XF_FRAME_DONE);
    answer.magic++;
    assert_int_equal(xf_exchange_accept(&now, &answer, NULL), EXTFN_ERUNTIME);
    answer = frame(XF_FRAME_DONE);
    answer.version++;
    assert_int_equal(xf_exchange_accept(&now, &answer, NULL), EXTFN_ERUNTIME);
}

static void full_must_make_progress_and_leave_rows(void **state)
{
    (void)state;
    static const uint32_t bad[] = {0, 3, 10, 11, UINT32_MAX};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        xf_exchange now = exchange(XF_STATE_BUSY);
        now.first_row = 3;
        xf_frame answer = frame(XF_FRAME_FULL);
        answer.first_row = bad[i];
        assert_int_equal(xf_exchange_accept(&now, &answer, NULL), EXTFN_ERUNTIME);
        assert_int_equal(now.first_row, 3);
    }
    xf_exchange now = exchange(XF_STATE_BUSY);
    now.first_row = 3;
    xf_frame answer = frame(XF_FRAME_FULL);
    answer.first_row = 4;
    assert_int_equal(xf_exchange_accept(&now, &answer, NULL), EXTFN_OK);
    assert_int_equal(now.first_row, 4);
}

static void worn_out_must_make_progress_and_may_leave_rows(void **state)
{
    (void)state;
    for (uint32_t row = 0; row < 13; row++) {
        xf_exchange now = exchange(XF_STATE_BUSY);
        now.first_row = 3;
        xf_frame answer = frame(XF_FRAME_DONE);
        answer.detail = XF_DONE_WORN;
        answer.first_row = row;
        bool is_good = row > 3 && row <= 10;
        assert_int_equal(xf_exchange_accept(&now, &answer, NULL),
                         is_good ? EXTFN_OK : EXTFN_ERUNTIME);
        assert_int_equal(now.first_row, is_good ? row : 3);
        assert_int_equal(now.state, is_good ? XF_STATE_IDLE : XF_STATE_BUSY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_accepts_only_its_answers),
        cmocka_unit_test(a_frame_of_another_call_is_refused),
        cmocka_unit_test(wrong_magic_and_version_are_refused),
        cmocka_unit_test(full_must_make_progress_and_leave_rows),
        cmocka_unit_test(worn_out_must_make_progress_and_may_leave_rows),
    };
    return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}
