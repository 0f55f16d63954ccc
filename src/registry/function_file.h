/* Function files. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_FUNCTION_FILE_H
#define XF_REGISTRY_FUNCTION_FILE_H

#include "base/error.h"

#include <extfn/function.h>

/* Whether the path's extension is that of a function file. */
bool xf_function_file_is_named(const char *path);

/* Makes the function of a file that holds `text`; see extfn_function_from_file. */
EXTFN_MUST_CHECK extfn_status xf_function_file_parse(const char *path, const char *text,
                                                     size_t size, extfn_function **ret_function,
                                                     extfn_error *err);

#endif
