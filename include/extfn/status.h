/* Status codes: 0 is success, every failure is negative. SPDX-License-Identifier: MIT */
#ifndef EXTFN_STATUS_H
#define EXTFN_STATUS_H

#include <extfn/common.h>

EXTFN_BEGIN

/* X(name, code, kind, text): `kind` is the word that JSON replies carry. */
#define EXTFN_STATUS_MAP(X)                                                                        \
    X(OK, 0, "Ok", "success")                                                                      \
    X(EINVAL, -1, "InvalidArgument", "invalid argument")                                           \
    X(ENOMEM, -2, "OutOfMemory", "out of memory")                                                  \
    X(EIO, -3, "IO", "input or output failed")                                                     \
    X(ENOTFOUND, -4, "NotFound", "external function not found")                                    \
    X(EARITY, -5, "ArityMismatch", "wrong number of arguments")                                    \
    X(ETYPE, -6, "TypeMismatch", "argument of the wrong type")                                     \
    X(EUNAVAILABLE, -7, "LanguageUnavailable", "language runtime unavailable")                     \
    X(ERUNTIME, -8, "Runtime", "function failed")                                                  \
    X(ETIMEOUT, -9, "Timeout", "function timed out")                                               \
    X(ESANDBOX, -10, "Sandbox", "sandbox unavailable")                                             \
    X(ECANCELED, -11, "Canceled", "canceled by the host")

typedef enum extfn_status {
#define X(name, code, kind, text) EXTFN_##name = (code),
    EXTFN_STATUS_MAP(X)
#undef X
} extfn_status;

/* A static string such as "argument of the wrong type"; never NULL. */
EXTFN_API const char *extfn_status_text(extfn_status status);

/* A static string such as "TypeMismatch"; never NULL. */
EXTFN_API const char *extfn_status_kind(extfn_status status);

EXTFN_END

#endif
