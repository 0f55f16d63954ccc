/* A worker's reply map into results. The bytes are hostile and may change while they are read: each
 * is copied once and checked then. SPDX-License-Identifier: MIT */
#ifndef XF_WORKER_DECODE_H
#define XF_WORKER_DECODE_H

#include "base/buf.h"
#include "wire/wire.h"

#include <extfn/column.h>

typedef struct xf_reply {
    const char *map;    /* XF_MAP_SIZE bytes */
    uint32_t row_count; /* of the call; decides where slots and heap lie */
    extfn_type type;
    uint64_t memory_limit; /* for the words of XF_ROW_MEMORY */
    uint32_t heap_used;    /* bytes of texts and messages decoded so far; starts at 0 */
    uint64_t last_message; /* slot of the last one: rows that follow each other may share it */
} xf_reply;

/* Rows from `first` on that have a status, at most up to `end`. */
uint32_t xf_reply_done(const xf_reply *reply, uint32_t first, uint32_t end);

/* Whether rows `first` to `end` are all errors: a vectorized call that failed as a whole. */
bool xf_reply_is_all_errors(const xf_reply *reply, uint32_t first, uint32_t end);

/* Appends rows `first` to `end` to the result; each is a value or a failure with its message.
 * `ret_next` is the first row that was not appended, also on failure. EXTFN_ERUNTIME: the worker
 * broke the protocol in that row. What all calls for one answer take of the heap is counted. */
EXTFN_MUST_CHECK extfn_status xf_reply_decode(xf_reply *reply, uint32_t first, uint32_t end,
                                              extfn_column *result, uint32_t *ret_next,
                                              extfn_error *err);

/* The message in slot 0, cut to its limit, made valid UTF-8; where there is none, that. */
EXTFN_MUST_CHECK extfn_status xf_reply_message(xf_reply *reply, xf_buf *ret_message,
                                               extfn_error *err);

#endif
