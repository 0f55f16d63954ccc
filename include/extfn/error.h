/* Caller-owned error record, filled by failing calls. SPDX-License-Identifier: MIT */
#ifndef EXTFN_ERROR_H
#define EXTFN_ERROR_H

#include <extfn/status.h>

EXTFN_BEGIN

/* Bytes of a message with its NUL; a longer one is cut at a character and ends in "...". */
#define EXTFN_MESSAGE_SIZE 2048

/* Starts as `= {0}`; owns nothing, so it needs no clearing. Every function of this library that
 * takes one also takes NULL. */
typedef struct extfn_error {
    extfn_status status;
    int os_errno; /* of the system call that failed, or 0 */
    char message[EXTFN_MESSAGE_SIZE];
} extfn_error;

EXTFN_END

#endif
