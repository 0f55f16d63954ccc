#include "record/format.h"

#define YEAR_US UINT64_C(31536000000000)
#define BYTES_MOST (UINT64_C(1) << 53) /* beyond, a number of JSON is not exact */

const char *const xf_record_policies[2] = {"restricted", "trusted"};

enum { TIMEOUT, START_TIMEOUT, MEMORY, TMP };

const xf_record_limit xf_record_limits[XF_RECORD_LIMIT_COUNT] = {
    [TIMEOUT] = {"timeout_us", 1, YEAR_US},
    [START_TIMEOUT] = {"start_timeout_us", 1, YEAR_US},
    [MEMORY] = {"memory_bytes", 1, BYTES_MOST},
    [TMP] = {"tmp_bytes", 1, BYTES_MOST},
};

uint64_t xf_record_limit_get(const extfn_record *record, size_t position)
{
    switch (position) {
    case TIMEOUT:
        return (uint64_t)record->timeout_us;
    case START_TIMEOUT:
        return (uint64_t)record->start_timeout_us;
    case MEMORY:
        return record->memory_bytes;
    default:
        return record->tmp_bytes;
    }
}

void xf_record_limit_set(extfn_record *record, size_t position, uint64_t amount)
{
    switch (position) {
    case TIMEOUT:
        record->timeout_us = (int64_t)amount;
        break;
    case START_TIMEOUT:
        record->start_timeout_us = (int64_t)amount;
        break;
    case MEMORY:
        record->memory_bytes = amount;
        break;
    default:
        record->tmp_bytes = amount;
        break;
    }
}
