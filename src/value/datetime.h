/* RFC 3339 instants to the microsecond. SPDX-License-Identifier: MIT */
#ifndef XF_VALUE_DATETIME_H
#define XF_VALUE_DATETIME_H

#include "base/error.h"

#include <stdint.h>

#define XF_DATETIME_LOWEST                                                                         \
    (-62135596800000000)                       /* 0001-01-01T00:00:00Z in microseconds since 1970 */
#define XF_DATETIME_HIGHEST 253402300799999999 /* 9999-12-31T23:59:59.999999Z */

#define XF_DATETIME_SIZE 32

static inline bool xf_datetime_is_valid(int64_t microseconds)
{
    return microseconds >= XF_DATETIME_LOWEST && microseconds <= XF_DATETIME_HIGHEST;
}

/* Any offset, 0 to 6 decimals; `T` or a space, `Z` in either case. More decimals, a leap second, a
 * year out of range (after conversion to UTC): EXTFN_EINVAL. */
EXTFN_MUST_CHECK extfn_status xf_datetime_read(const char *text, size_t size, int64_t *ret_datetime,
                                               extfn_error *err);

/* With 0, 3 or 6 decimals, the fewest that are exact. Returns the size without the NUL. The
 * datetime must be valid. */
size_t xf_datetime_write(int64_t datetime, char ret_text[XF_DATETIME_SIZE]);

#endif
