/* A library: what lies at a path, and what is wrong with it. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_LIBRARY_H
#define XF_CLI_LIBRARY_H

#include "cli/fail.h"

#include <extfn/registry.h>

/* `on_problem` is told of each bad file; the others are there. */
EXTFN_MUST_CHECK extfn_status cli_library_open(const char *path, extfn_problem_fn *on_problem,
                                               void *context,
                                               EXTFN_OWN extfn_registry **ret_registry,
                                               extfn_error *err);

/* EXTFN_EINVAL: nothing at the path is or was meant as a function. */
EXTFN_MUST_CHECK extfn_status cli_library_fail_empty(const char *path, extfn_error *err);

/* One function; bad neighbours do not matter unless it is missing: then the problem
 * of the file that is named after it is what is told. */
EXTFN_MUST_CHECK extfn_status cli_library_find(const char *path, const char *name,
                                               EXTFN_OWN extfn_function **ret_function,
                                               extfn_error *err);

/* For CLI_AUTO. */
void cli_registry_clear(extfn_registry **slot);
void cli_function_clear(extfn_function **slot);
void cli_text_clear(char **slot);

#endif
