/* What a call cost. SPDX-License-Identifier: MIT */
#ifndef EXTFN_RECEIPT_H
#define EXTFN_RECEIPT_H

#include <extfn/error.h>

EXTFN_BEGIN

/* Set `struct_size` first. Figures of worker processes come from their supervisors, never from
 * themselves. */
typedef struct extfn_receipt {
    size_t struct_size;
    int64_t wall_us;
    uint64_t cpu_us;      /* of the workers, with their starts; of Wasm the calling thread's own */
    uint64_t peak_memory; /* bytes, the most that one worker had since it started; of Wasm 0: its
                             memory is the host's */
    int64_t rows;         /* that have their value or error */
    uint64_t bytes_in;    /* of the columns of arguments; a value is a column of one row */
    uint64_t bytes_out;   /* of the result's */
    uint64_t workers_started; /* for this call */
    uint64_t workers_warm;    /* that it found */
    uint64_t memo_hits;       /* rows that were not evaluated, since their value was known */
} extfn_receipt;

/* One line of JSON, an object of the members above; freed by extfn_text_free. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_receipt_to_json(const extfn_receipt *receipt,
                                                              EXTFN_OWN char **ret_json,
                                                              extfn_error *err);

EXTFN_END

#endif
