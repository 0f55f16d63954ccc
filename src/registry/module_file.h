/* From a WebAssembly module's bytes to its function. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_MODULE_FILE_H
#define XF_REGISTRY_MODULE_FILE_H

#include "base/error.h"

#include <extfn/function.h>

/* A custom section named `extfn` declares the function, `hypot(x: number, y: number) -> number`; a
 * module without it has its name from the path, and its arguments and its result, Numbers all, from
 * `improv_call`. The body is the bytes as base64. EXTFN_EINVAL without the path. */
EXTFN_MUST_CHECK extfn_status xf_module_file_parse(const char *path, const void *bytes, size_t size,
                                                   EXTFN_OWN extfn_function **ret_function,
                                                   extfn_error *err);

#endif
