/* What an interpreter needs to run: found by lang/, turned into a plan by this folder. Pure data.
 * SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_RUNTIME_H
#define XF_SANDBOX_RUNTIME_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* A list of owned strings; starts as `= {0}`. Once it has one, items[count] is NULL. */
typedef struct xf_strings {
    char **items;
    size_t count;
    size_t capacity;
} xf_strings;

EXTFN_MUST_CHECK extfn_status xf_strings_add(xf_strings *list, const char *text, extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_strings_add_format(xf_strings *list, extfn_error *err,
                                                    const char *fmt, ...) EXTFN_PRINTF(3, 4);
void xf_strings_clear(xf_strings *list);

/* Stand in argv for the paths of the driver and of the guest library, which differ with and without
 * bubblewrap. */
#define XF_DRIVER_MARK "@driver"
#define XF_GUEST_MARK "@guest"

/* A file that crosses by descriptor; the bytes are borrowed from the library. */
typedef struct xf_plan_file {
    const char *place; /* inside the sandbox; NULL: it is not shown there */
    const void *data;
    size_t size;
} xf_plan_file;

#define XF_RUNTIME_FILE_LIMIT 2

typedef struct xf_runtime {
    xf_strings argv;        /* argv[0]: absolute path; a mark may stand within an element */
    xf_strings binds;       /* host paths, seen read-only at the same place */
    xf_strings symlinks;    /* pairs: target, place */
    xf_strings environment; /* pairs: name, value; beyond what every worker has */
    xf_strings devices;     /* host paths of devices that the sandbox shows */
    uint64_t base_memory;   /* bytes of private memory that the interpreter takes before any body */
    uint64_t address_space; /* bytes; 0: what all others get */
    uint64_t file_bytes;    /* of one file, where it has to write more than /tmp holds; or 0 */
    xf_plan_file driver;    /* the form of it that starts quickest */
    xf_plan_file files[XF_RUNTIME_FILE_LIMIT]; /* of the sandbox only; the rest has no place */
    bool needs_stub_shell;                     /* a /bin/sh that only fails */
} xf_runtime;

void xf_runtime_clear(xf_runtime *runtime);

#endif
