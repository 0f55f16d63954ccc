/* What reader and writer of records share. SPDX-License-Identifier: MIT */
#ifndef XF_RECORD_FORMAT_H
#define XF_RECORD_FORMAT_H

#include <extfn/record.h>

/* Grows by one when older readers could misread it. */
#define XF_RECORD_FORMAT 1
#define XF_RECORD_FORMAT_TEXT "1"

/* By whether it is EXTFN_TRUSTED. */
extern const char *const xf_record_policies[2];

/* A whole number of the record: both ends are allowed. */
typedef struct xf_record_limit {
    const char *name;
    uint64_t least;
    uint64_t most;
} xf_record_limit;

#define XF_RECORD_LIMIT_COUNT 4
extern const xf_record_limit xf_record_limits[XF_RECORD_LIMIT_COUNT];

uint64_t xf_record_limit_get(const extfn_record *record, size_t position);
void xf_record_limit_set(extfn_record *record, size_t position, uint64_t amount);

#endif
