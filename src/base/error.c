#include "base/error.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Ends a message that did not fit with "...", at a character. */
static void cut(char *message)
{
    static const char dots[] = "...";
    size_t size = xf_utf8_cut(message, strlen(message), EXTFN_MESSAGE_SIZE - sizeof(dots));
    memcpy(message + size, dots, sizeof(dots));
}

extfn_status xf_fail(extfn_error *err, extfn_status status, const char *fmt, ...)
{
    if (!err)
        return status;
    va_list args;
    va_start(args, fmt);
    int size = vsnprintf(err->message, sizeof(err->message), fmt, args);
    va_end(args);
    if (size < 0 || (size_t)size >= sizeof(err->message))
        cut(err->message);
    err->status = status;
    err->os_errno = 0;
    return status;
}

extfn_status xf_fail_oom(extfn_error *err)
{
    return xf_fail(err, EXTFN_ENOMEM, "%s", extfn_status_text(EXTFN_ENOMEM));
}

/* What to do about a limit that was met; nothing where only the reader can know. */
static const char *advice_for(int os_errno)
{
    static const struct {
        int os_errno;
        const char *advice;
    } limits[] = {
        {EMFILE, "; raise the limit of open files (ulimit -n)"},
        {ENFILE, "; raise the sysctl fs.file-max"},
        {EAGAIN, "; raise the limit of processes (ulimit -u)"},
        {EFBIG, "; raise the limit of file sizes (ulimit -f)"},
    };
    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        if (limits[i].os_errno == os_errno)
            return limits[i].advice;
    }
    return "";
}

extfn_status xf_fail_os(extfn_error *err, int os_errno, const char *what)
{
    char text[128];
    (void)xf_fail(err, EXTFN_EIO, "%s: %s%s", what, strerror_r(os_errno, text, sizeof(text)),
                  advice_for(os_errno));
    if (err)
        err->os_errno = os_errno;
    return EXTFN_EIO;
}

extfn_status xf_fail_context(extfn_error *err, extfn_status status, const char *fmt, ...)
{
    if (!err)
        return status;
    char inner[sizeof(err->message)];
    memcpy(inner, err->message, sizeof(inner));
    va_list args;
    va_start(args, fmt);
    int used = vsnprintf(err->message, sizeof(err->message), fmt, args);
    va_end(args);
    bool fits = used >= 0 && (size_t)used < sizeof(err->message);
    if (fits) {
        size_t left = sizeof(err->message) - (size_t)used;
        int more = snprintf(err->message + used, left, ": %s", inner);
        fits = more >= 0 && (size_t)more < left;
    }
    if (!fits)
        cut(err->message);
    err->status = status;
    return status;
}

const char *extfn_status_text(extfn_status status)
{
    switch (status) {
#define X(name, code, kind, text)                                                                  \
    case EXTFN_##name:                                                                             \
        return text;
        EXTFN_STATUS_MAP(X)
#undef X
    default:
        return "unknown status";
    }
}

const char *extfn_status_kind(extfn_status status)
{
    switch (status) {
#define X(name, code, kind, text)                                                                  \
    case EXTFN_##name:                                                                             \
        return kind;
        EXTFN_STATUS_MAP(X)
#undef X
    default:
        return "Unknown";
    }
}
