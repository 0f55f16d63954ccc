#include "base/auto.h"
#include "support/oom.h"
#include "support/unit.h"
#include "value/datetime.h"
#include "worker/decode.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A reply map as a worker would write it. */
static int open_map(void **state)
{
    void *map = mmap(NULL, XF_MAP_SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(map != MAP_FAILED);
    *state = map;
    return 0;
}

static int close_map(void **state)
{
    return munmap(*state, XF_MAP_SIZE);
}

static xf_reply reply_of(const char *map, uint32_t rows, extfn_type type)
{
    return (xf_reply){.map = map, .row_count = rows, .type = type, .memory_limit = 1U << 30};
}

static void set(char *map, uint32_t rows, uint32_t row, unsigned char status, uint64_t slot)
{
    memcpy(map + xf_wire_slots_offset(rows) + row * sizeof(slot), &slot, sizeof(slot));
    map[XF_MAP_START + row] = (char)status;
}

static uint64_t text_slot(uint32_t offset, uint32_t size)
{
    xf_wire_text text = {.offset = offset, .size = size};
    uint64_t slot;
    memcpy(&slot, &text, sizeof(slot));
    return slot;
}

static extfn_column *decode(xf_reply *reply, extfn_status expected, uint32_t *ret_next,
                            extfn_error *err)
{
    extfn_column *result = NULL;
    assert_int_equal(extfn_column_new(reply->type, &result, NULL), EXTFN_OK);
    assert_int_equal(xf_reply_decode(reply, 0, reply->row_count, result, ret_next, err), expected);
    assert_int_equal(extfn_column_rows(result), *ret_next);
    return result;
}

static void numbers_arrive_bit_for_bit(void **state)
{
    char *map = *state;
    enum { ROWS = 3000 };
    for (uint32_t i = 0; i < ROWS; i++)
        set(map, ROWS, i, XF_ROW_VALUE, UINT64_C(0x8000000000000000) + i);
    xf_reply reply = reply_of(map, ROWS, EXTFN_NUMBER);
    uint32_t next = 0;
    extfn_column *result = decode(&reply, EXTFN_OK, &next, NULL);
    assert_int_equal(next, ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
        uint64_t bits;
        memcpy(&bits, extfn_column_numbers(result) + i, sizeof(bits));
        assert_true(bits == UINT64_C(0x8000000000000000) + i);
    }
    extfn_column_free(result);
}

static void errors_and_values_keep_their_rows(void **state)
{
    char *map = *state;
    uint32_t heap = xf_wire_heap_offset(4);
    memcpy(map + heap, "ValueError: nope (line 3)", 25);
    set(map, 4, 0, XF_ROW_VALUE, 0);
    set(map, 4, 1, XF_ROW_ERROR, text_slot(heap, 25));
    set(map, 4, 2, XF_ROW_VALUE, 0);
    set(map, 4, 3, XF_ROW_MEMORY, 0);
    xf_reply reply = reply_of(map, 4, EXTFN_NUMBER);
    uint32_t next = 0;
    extfn_column *result = decode(&reply, EXTFN_OK, &next, NULL);
    assert_int_equal(extfn_column_error_count(result), 2);
    static const char *const messages[] = {NULL, "ValueError: nope (line 3)", NULL,
                                           "memory limit of 1 GiB reached"};
    for (int64_t row = 0; row < 4; row++) {
        assert_int_equal(extfn_column_is_error(result, row), messages[row] != NULL);
        extfn_value value = {0};
        assert_int_equal(extfn_column_get(result, row, &value, NULL), EXTFN_OK);
        if (messages[row])
            assert_string_equal(value.as.error.message, messages[row]);
        extfn_value_clear(&value);
    }
    extfn_column_free(result);
}

static void what_is_no_result_breaks_the_protocol(void **state)
{
    char *map = *state;
    uint32_t heap = xf_wire_heap_offset(2);
    memcpy(map + heap, "\xff\xfe", 2);
    static const char out_of_range[] = "worker broke the protocol: row 1: result out of range";
    static const char outside[] = "worker broke the protocol: row 1: text outside the heap";
    const struct {
        extfn_type type;
        unsigned char status;
        uint64_t slot;
        const char *message;
    } cases[] = {
        {EXTFN_NUMBER, XF_ROW_NOT_DONE, 0, "worker broke the protocol: row 1: no result"},
        {EXTFN_NUMBER, 77, 0, "worker broke the protocol: row 1: no result"},
        {EXTFN_BOOLEAN, XF_ROW_VALUE, 2, out_of_range},
        {EXTFN_BOOLEAN, XF_ROW_VALUE, UINT64_C(1) << 32, out_of_range},
        {EXTFN_ENUM, XF_ROW_VALUE, UINT64_C(1) << 32, out_of_range},
        {EXTFN_ENUM, XF_ROW_VALUE, UINT64_MAX, out_of_range},
        {EXTFN_DATETIME, XF_ROW_VALUE, (uint64_t)XF_DATETIME_HIGHEST + 1, out_of_range},
        {EXTFN_TEXT, XF_ROW_VALUE, 0, outside},
        {EXTFN_TEXT, XF_ROW_VALUE, UINT64_MAX, outside},
        {EXTFN_TEXT, XF_ROW_VALUE, text_slot(heap - 1, 1), outside},
        {EXTFN_TEXT, XF_ROW_VALUE, text_slot(XF_MAP_SIZE - 1, 2), outside},
        {EXTFN_TEXT, XF_ROW_VALUE, text_slot(XF_MAP_SIZE, UINT32_MAX), outside},
        {EXTFN_TEXT, XF_ROW_VALUE, text_slot(heap, XF_VALUE_LIMIT + 1),
         "worker broke the protocol: row 1: text too large"},
        {EXTFN_TEXT, XF_ROW_VALUE, text_slot(heap, 2),
         "worker broke the protocol: row 1: text is not UTF-8"},
        {EXTFN_NUMBER, XF_ROW_ERROR, UINT64_MAX, outside},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t good = cases[i].type == EXTFN_TEXT ? text_slot(heap + 2, 0) : 1;
        set(map, 2, 0, XF_ROW_VALUE, good);
        set(map, 2, 1, cases[i].status, cases[i].slot);
        xf_reply reply = reply_of(map, 2, cases[i].type);
        extfn_error err = {0};
        uint32_t next = 0;
        extfn_column *result = decode(&reply, EXTFN_ERUNTIME, &next, &err);
        assert_int_equal(next, 1);
        assert_string_equal(err.message, cases[i].message);
        extfn_column_free(result);
    }
}

/* Each slot may show the same bytes: a reply of 64 MiB would take the host any amount of memory. */
static void texts_take_no_more_together_than_the_heap_holds(void **state)
{
    char *map = *state;
    enum { ROWS = 8, SIZE = XF_VALUE_LIMIT };
    uint32_t heap = xf_wire_heap_offset(ROWS);
    memset(map + heap, 'a', SIZE);
    for (uint32_t i = 0; i < ROWS; i++)
        set(map, ROWS, i, XF_ROW_VALUE, text_slot(heap, SIZE));
    xf_reply reply = reply_of(map, ROWS, EXTFN_TEXT);
    extfn_error err = {0};
    uint32_t next = 0;
    extfn_column *result = decode(&reply, EXTFN_ERUNTIME, &next, &err);
    assert_int_equal(next, 3); /* the head of the map is no heap: 4 do not fit */
    assert_string_equal(err.message, "worker broke the protocol: row 3: more text than fits");
    extfn_column_free(result);
}

static void the_whole_heap_may_be_used_and_no_byte_twice(void **state)
{
    char *map = *state;
    enum { ROWS = 6 };
    uint32_t heap = xf_wire_heap_offset(ROWS);
    memset(map + heap, 'a', XF_MAP_SIZE - heap);
    uint32_t place = heap;
    for (uint32_t i = 0; i < ROWS - 1; i++) {
        uint32_t left = XF_MAP_SIZE - place;
        uint32_t size = left < XF_VALUE_LIMIT ? left : XF_VALUE_LIMIT;
        set(map, ROWS, i, XF_ROW_VALUE, text_slot(place, size));
        place += size;
    }
    const struct {
        uint64_t slot;
        extfn_status status;
    } cases[] = {{text_slot(heap, 0), EXTFN_OK}, {text_slot(heap, 1), EXTFN_ERUNTIME}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        set(map, ROWS, ROWS - 1, XF_ROW_VALUE, cases[i].slot);
        xf_reply reply = reply_of(map, ROWS, EXTFN_TEXT);
        extfn_column *result = NULL;
        assert_int_equal(extfn_column_new(EXTFN_TEXT, &result, NULL), EXTFN_OK);
        uint32_t next = 0; /* in two parts, as where rows between are passed over */
        assert_int_equal(xf_reply_decode(&reply, 0, 2, result, &next, NULL), EXTFN_OK);
        assert_int_equal(xf_reply_decode(&reply, 2, ROWS, result, &next, NULL), cases[i].status);
        extfn_column_free(result);
    }
}

/* Drivers write the message of a call that failed as a whole once. */
static void rows_that_follow_each_other_may_share_a_message(void **state)
{
    char *map = *state;
    enum { ROWS = 40000 }; /* more than messages of their own fit */
    uint32_t heap = xf_wire_heap_offset(ROWS);
    memset(map + heap, 'a', XF_MESSAGE_LIMIT + 1);
    for (uint32_t i = 0; i < ROWS; i++)
        set(map, ROWS, i, XF_ROW_ERROR, text_slot(heap, XF_MESSAGE_LIMIT));
    xf_reply reply = reply_of(map, ROWS, EXTFN_NUMBER);
    uint32_t next = 0;
    extfn_column_free(decode(&reply, EXTFN_OK, &next, NULL));
    for (uint32_t i = 0; i < ROWS; i += 2)
        set(map, ROWS, i, XF_ROW_ERROR, text_slot(heap + 1, XF_MESSAGE_LIMIT));
    reply = reply_of(map, ROWS, EXTFN_NUMBER);
    extfn_column_free(decode(&reply, EXTFN_ERUNTIME, &next, NULL));
    assert_int_equal(next, (XF_MAP_SIZE - heap) / XF_MESSAGE_LIMIT);
}

static void a_message_is_cut_and_cleaned(void **state)
{
    char *map = *state;
    uint32_t heap = xf_wire_heap_offset(1);
    memset(map + heap, 'x', 5000);
    memcpy(map + heap, "a\0b\xff", 4);
    set(map, 1, 0, XF_ROW_ERROR, text_slot(heap, 5000));
    xf_reply reply = reply_of(map, 1, EXTFN_NUMBER);
    XF_AUTO(xf_buf_clear) xf_buf message = {0};
    assert_int_equal(xf_reply_message(&reply, &message, NULL), EXTFN_OK);
    assert_int_equal(strlen(message.data), XF_MESSAGE_LIMIT);
    assert_memory_equal(message.data, "a?b?x", 5);

    set(map, 1, 0, XF_ROW_ERROR, UINT64_MAX);
    message.size = 0;
    assert_int_equal(xf_reply_message(&reply, &message, NULL), EXTFN_OK);
    assert_string_equal(message.data, "the worker gives no reason");
}

static void the_first_row_not_done_is_found(void **state)
{
    char *map = *state;
    memset(map + XF_MAP_START, XF_ROW_VALUE, 100);
    map[XF_MAP_START + 42] = XF_ROW_NOT_DONE;
    xf_reply reply = reply_of(map, 100, EXTFN_NUMBER);
    assert_int_equal(xf_reply_done(&reply, 0, 100), 42);
    assert_int_equal(xf_reply_done(&reply, 43, 100), 100);
    assert_int_equal(xf_reply_done(&reply, 0, 10), 10);
    assert_false(xf_reply_is_all_errors(&reply, 0, 10));
    memset(map + XF_MAP_START, XF_ROW_ERROR, 10);
    assert_true(xf_reply_is_all_errors(&reply, 0, 10));
}

static void decode_survives_oom(void **state)
{
    char *map = *state;
    uint32_t heap = xf_wire_heap_offset(2);
    memcpy(map + heap, "text", 4);
    set(map, 2, 0, XF_ROW_VALUE, text_slot(heap, 4));
    set(map, 2, 1, XF_ROW_ERROR, text_slot(heap, 4));
    xf_reply reply = reply_of(map, 2, EXTFN_TEXT);
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        extfn_column *result = NULL;
        status = extfn_column_new(EXTFN_TEXT, &result, NULL);
        uint32_t next = 0;
        if (status == EXTFN_OK)
            status = xf_reply_decode(&reply, 0, 2, result, &next, NULL);
        extfn_column_free(result);
    });
}

int main(void)
{
#define WITH_MAP(test) cmocka_unit_test_setup_teardown(test, open_map, close_map)
    const struct CMUnitTest tests[] = {
        WITH_MAP(numbers_arrive_bit_for_bit),
        WITH_MAP(errors_and_values_keep_their_rows),
        WITH_MAP(what_is_no_result_breaks_the_protocol),
        WITH_MAP(texts_take_no_more_together_than_the_heap_holds),
        WITH_MAP(the_whole_heap_may_be_used_and_no_byte_twice),
        WITH_MAP(rows_that_follow_each_other_may_share_a_message),
        WITH_MAP(a_message_is_cut_and_cleaned),
        WITH_MAP(the_first_row_not_done_is_found),
        WITH_MAP(decode_survives_oom),
    };
    return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
