#include "worker/decode.h"

#include "base/auto.h"
#include "base/limits.h"
#include "base/text.h"
#include "value/column.h"
#include "value/datetime.h"

#include <string.h>

#define BLOCK_ROWS 4096U

/* A private copy of what some rows say of themselves. */
typedef struct block {
    uint32_t first; /* row of the call */
    uint32_t count;
    unsigned char status[BLOCK_ROWS];
} block;

static void copy_block(const xf_reply *reply, uint32_t first, uint32_t end, block *ret_block)
{
    ret_block->first = first;
    ret_block->count = end - first < BLOCK_ROWS ? end - first : BLOCK_ROWS;
    memcpy(ret_block->status, reply->map + XF_MAP_START + first, ret_block->count);
}

static const char *slots_of(const xf_reply *reply)
{
    return reply->map + xf_wire_slots_offset(reply->row_count);
}

/* Read once: what is checked is what is used, whatever the worker writes meanwhile. */
static uint64_t slot_at(const xf_reply *reply, uint32_t row)
{
    return ((const volatile uint64_t *)(const void *)slots_of(reply))[row];
}

uint32_t xf_reply_done(const xf_reply *reply, uint32_t first, uint32_t end)
{
    const volatile unsigned char *status =
        (const volatile unsigned char *)reply->map + XF_MAP_START;
    uint32_t row = first;
    while (row < end && status[row] != XF_ROW_NOT_DONE)
        row++;
    return row;
}

bool xf_reply_is_all_errors(const xf_reply *reply, uint32_t first, uint32_t end)
{
    const volatile unsigned char *status =
        (const volatile unsigned char *)reply->map + XF_MAP_START;
    uint32_t row = first;
    while (row < end && (status[row] == XF_ROW_ERROR || status[row] == XF_ROW_MEMORY))
        row++;
    return row == end;
}

static extfn_status fail_row(uint32_t row, const char *what, extfn_error *err)
{
    return xf_fail(err, EXTFN_ERUNTIME, "worker broke the protocol: row %u: %s", row, what);
}

/* Copies the heap text of a slot, at most `limit` bytes of it. Texts do not overlap: all of them
 * together take no more than the heap. */
static extfn_status copy_text(xf_reply *reply, uint64_t slot, size_t limit, xf_buf *ret_text,
                              extfn_error *err)
{
    xf_wire_text text;
    memcpy(&text, &slot, sizeof(text));
    uint32_t heap = xf_wire_heap_offset(reply->row_count);
    if (text.offset < heap || text.offset > XF_MAP_SIZE || text.size > XF_MAP_SIZE - text.offset)
        return xf_fail(err, EXTFN_ERUNTIME, "text outside the heap");
    uint32_t size = slot == reply->last_message ? 0 : text.size;
    if (size > XF_MAP_SIZE - heap - reply->heap_used)
        return xf_fail(err, EXTFN_ERUNTIME, "more text than fits");
    reply->heap_used += size;
    ret_text->size = 0;
    return xf_buf_append(ret_text, reply->map + text.offset, text.size < limit ? text.size : limit,
                         err);
}

/* Replaces what is not UTF-8, and NULs, which no message may hold. */
static void clean_message(xf_buf *message)
{
    message->size = xf_utf8_cut(message->data, message->size, XF_MESSAGE_LIMIT);
    bool is_valid = xf_utf8_is_valid(message->data, message->size);
    for (size_t i = 0; i < message->size; i++) {
        if (message->data[i] == '\0' || (!is_valid && (message->data[i] & 0x80)))
            message->data[i] = '?';
    }
}

static extfn_status copy_message(xf_reply *reply, uint64_t slot, xf_buf *ret_message,
                                 extfn_error *err)
{
    XF_TRY(copy_text(reply, slot, XF_MESSAGE_LIMIT + 1, ret_message, err));
    reply->last_message = slot;
    if (ret_message->size > 0)
        clean_message(ret_message);
    return xf_buf_append(ret_message, "", 1, err);
}

static extfn_status append_error(xf_reply *reply, uint64_t slot, extfn_column *result,
                                 extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf message = {0};
    XF_TRY(copy_message(reply, slot, &message, err));
    return xf_column_append_failure(result, EXTFN_KIND_CUSTOM, EXTFN_ERUNTIME, message.data, err);
}

static extfn_status append_memory(const xf_reply *reply, extfn_column *result, extfn_error *err)
{
    extfn_error failure = {0};
    extfn_status status = xf_fail_memory(&failure, reply->memory_limit);
    return xf_column_append_failure(result, EXTFN_KIND_CUSTOM, status, failure.message, err);
}

/* By way of `room`, which is there for all texts of a block. */
static extfn_status append_text(xf_reply *reply, uint64_t slot, xf_buf *room, extfn_column *result,
                                extfn_error *err)
{
    XF_TRY(copy_text(reply, slot, XF_VALUE_LIMIT + 1, room, err));
    if (room->size > XF_VALUE_LIMIT)
        return xf_fail(err, EXTFN_ERUNTIME, "text too large");
    extfn_status status = extfn_column_append_text(result, room->data, room->size, err);
    return status == EXTFN_EINVAL ? xf_fail(err, EXTFN_ERUNTIME, "text is not UTF-8") : status;
}

static extfn_status append_fixed(uint64_t slot, extfn_column *result, extfn_error *err)
{
    int64_t whole;
    memcpy(&whole, &slot, sizeof(whole));
    uint32_t index = (uint32_t)whole;
    uint8_t boolean = (uint8_t)whole;
    bool is_valid = true;
    const void *value = &slot;
    if (result->type == EXTFN_BOOLEAN) {
        is_valid = whole == 0 || whole == 1;
        value = &boolean;
    } else if (result->type == EXTFN_ENUM) {
        is_valid = whole >= 0 && whole <= UINT32_MAX;
        value = &index;
    } else if (result->type == EXTFN_DATETIME) {
        is_valid = xf_datetime_is_valid(whole);
    }
    if (!is_valid)
        return xf_fail(err, EXTFN_ERUNTIME, "result out of range");
    return xf_column_append_raw(result, value, 1, err);
}

static extfn_status append_row(xf_reply *reply, const block *copy, uint32_t at, xf_buf *room,
                               extfn_column *result, extfn_error *err)
{
    uint64_t slot = slot_at(reply, copy->first + at);
    switch (copy->status[at]) {
    case XF_ROW_VALUE:
        return result->type == EXTFN_TEXT ? append_text(reply, slot, room, result, err)
                                          : append_fixed(slot, result, err);
    case XF_ROW_ERROR:
        return append_error(reply, slot, result, err);
    case XF_ROW_MEMORY:
        return append_memory(reply, result, err);
    default:
        return xf_fail(err, EXTFN_ERUNTIME, "no result");
    }
}

/* Rows from `at` on that are values. */
static uint32_t value_run(const block *copy, uint32_t at)
{
    const unsigned char *status = copy->status + at;
    size_t left = copy->count - at;
    if (status[0] == XF_ROW_VALUE && memcmp(status, status + 1, left - 1) == 0)
        return (uint32_t)left;
    uint32_t end = at;
    while (end < copy->count && copy->status[end] == XF_ROW_VALUE)
        end++;
    return end - at;
}

static extfn_status append_block(xf_reply *reply, const block *copy, extfn_column *result,
                                 uint32_t *ret_appended, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf room = {0};
    uint32_t at = 0;
    extfn_status status = EXTFN_OK;
    while (at < copy->count && status == EXTFN_OK) {
        uint32_t run = result->type == EXTFN_NUMBER ? value_run(copy, at) : 0;
        if (run > 0) {
            /* Numbers need no check. */
            status =
                xf_column_append_raw(result,
                                     slots_of(reply) + (size_t)(copy->first + at) * sizeof(double),
                                     run, err);
        } else {
            run = 1;
            status = append_row(reply, copy, at, &room, result, err);
        }
        if (status == EXTFN_OK)
            at += run;
    }
    *ret_appended = at;
    return status;
}

extfn_status xf_reply_decode(xf_reply *reply, uint32_t first, uint32_t end, extfn_column *result,
                             uint32_t *ret_next, extfn_error *err)
{
    uint32_t row = first;
    extfn_status status = EXTFN_OK;
    while (row < end && status == EXTFN_OK) {
        block copy;
        copy_block(reply, row, end, &copy);
        uint32_t appended = 0;
        status = append_block(reply, &copy, result, &appended, err);
        row += appended;
    }
    *ret_next = row;
    if (status != EXTFN_ERUNTIME)
        return status;
    extfn_error why = {0};
    if (err)
        why = *err;
    return fail_row(row, why.message, err);
}

static const char no_reason[] = "the worker gives no reason";

extfn_status xf_reply_message(xf_reply *reply, xf_buf *ret_message, extfn_error *err)
{
    extfn_status status = copy_message(reply, slot_at(reply, 0), ret_message, err);
    if (status != EXTFN_ERUNTIME && (status != EXTFN_OK || ret_message->data[0]))
        return status;
    ret_message->size = 0;
    return xf_buf_append(ret_message, no_reason, sizeof(no_reason), err);
}
