/* How the program fills an extfn_error: `CAUSE; WHAT TO DO`. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_FAIL_H
#define XF_CLI_FAIL_H

#include <extfn/error.h>

#define CLI_AUTO(cleanup_fn) __attribute__((cleanup(cleanup_fn)))

#define CLI_TRY(expr)                                                                              \
    do {                                                                                           \
        extfn_status status_ = (expr);                                                             \
        if (status_ != EXTFN_OK)                                                                   \
            return status_;                                                                        \
    } while (0)

/* Each returns the status that it records. */
extfn_status cli_fail(extfn_error *err, extfn_status status, const char *fmt, ...)
    EXTFN_PRINTF(3, 4);
extfn_status cli_fail_oom(extfn_error *err);

/* EXTFN_EIO: "read 'a.csv': Input/output error". */
extfn_status cli_fail_os(extfn_error *err, int os_errno, const char *action, const char *path);

#endif
