/* Failures. SPDX-License-Identifier: MIT */
#include "cli/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extfn_status cli_fail(extfn_error *err, extfn_status status, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(err->message, sizeof(err->message), fmt, args);
    va_end(args);
    err->status = status;
    err->os_errno = 0;
    return status;
}

extfn_status cli_fail_oom(extfn_error *err)
{
    return cli_fail(err, EXTFN_ENOMEM, "%s", extfn_status_text(EXTFN_ENOMEM));
}

extfn_status cli_fail_os(extfn_error *err, int os_errno, const char *action, const char *path)
{
    char text[128];
    (void)cli_fail(err, EXTFN_EIO, "%s '%s': %s", action, path,
                   strerror_r(os_errno, text, sizeof(text)));
    err->os_errno = os_errno;
    return EXTFN_EIO;
}
