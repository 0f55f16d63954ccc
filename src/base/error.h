/* How library code fills an extfn_error. SPDX-License-Identifier: MIT */
#ifndef XF_BASE_ERROR_H
#define XF_BASE_ERROR_H

#include <extfn/error.h>

/* Record a failure and return its status, so call sites read `return xf_fail(...)`. */
extfn_status xf_fail(extfn_error *err, extfn_status status, const char *fmt, ...)
    EXTFN_PRINTF(3, 4);
extfn_status xf_fail_oom(extfn_error *err);

/* EXTFN_EIO for a failed system call: "open the map: Permission denied", and what to do about a
 * limit: "...: Too many open files; raise ...". */
extfn_status xf_fail_os(extfn_error *err, int os_errno, const char *what);

/* Prefix the recorded message with context: "load manifest: no such file". */
extfn_status xf_fail_context(extfn_error *err, extfn_status status, const char *fmt, ...)
    EXTFN_PRINTF(3, 4);

#define XF_TRY(expr)                                                                               \
    do {                                                                                           \
        extfn_status status_ = (expr);                                                             \
        if (status_ != EXTFN_OK)                                                                   \
            return status_;                                                                        \
    } while (0)

#endif
