/* Functions by name, and the time limit of one evaluation. SPDX-License-Identifier: MIT */
#ifndef EXTFN_REGISTRY_H
#define EXTFN_REGISTRY_H

#include <extfn/function.h>
#include <extfn/host.h>

EXTFN_BEGIN

/* Any number of threads may use one registry at once. */
typedef struct extfn_registry extfn_registry;

EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_registry_new(EXTFN_OWN extfn_registry **ret_registry,
                                                           extfn_error *err);
EXTFN_API void extfn_registry_free(extfn_registry *registry);

/* Time limit of one evaluation in microseconds, at least 1; 5 s unless set. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_registry_set_timeout(extfn_registry *registry,
                                                                   int64_t timeout_us,
                                                                   extfn_error *err);
EXTFN_API int64_t extfn_registry_timeout(const extfn_registry *registry);

/* Adds the function under its name. ret_former (may be NULL) gets the one that it replaces, with
 * its reference, or NULL. */
EXTFN_API EXTFN_MUST_CHECK extfn_status
extfn_registry_register(extfn_registry *registry, extfn_function *function,
                        EXTFN_OWN extfn_function **ret_former, extfn_error *err);

/* A new reference, or NULL when the name is not registered. */
EXTFN_API EXTFN_OWN extfn_function *extfn_registry_get(const extfn_registry *registry,
                                                       const char *name);
EXTFN_API size_t extfn_registry_count(const extfn_registry *registry);
EXTFN_API bool extfn_registry_is_empty(const extfn_registry *registry);

/* A new reference to the function at `position` in the order of names (bytes), or NULL past the
 * end. */
EXTFN_API EXTFN_OWN extfn_function *extfn_registry_at(const extfn_registry *registry,
                                                      size_t position);

/* Told of each file that could not be read; loading goes on with the next one. */
typedef void extfn_problem_fn(const char *path, const extfn_error *problem, void *context);

/* Adds what lies at `path`: a function file, a directory of them (not below it; files of other
 * extensions are left alone), or a .json file with one descriptor or an array of them. Without
 * `on_problem` the first bad file fails the call and nothing is added. EXTFN_EINVAL: two functions
 * of one name; EXTFN_EIO: cannot be read. Messages begin with the path, `lib/f.py:1: ...`. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_registry_load(extfn_registry *registry,
                                                            const char *path,
                                                            extfn_problem_fn *on_problem,
                                                            void *context, extfn_error *err);

/* Reads again what extfn_registry_load read, where a file or a directory changed since: changed and
 * new functions are registered, those whose file is gone are not any more. A file that became bad
 * is told once to `on_problem` (which may be NULL and must not use the registry), and evaluating
 * its functions by name fails with what is wrong with it. Where nothing changed this costs one look
 * at each file. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_registry_refresh(extfn_registry *registry,
                                                               extfn_problem_fn *on_problem,
                                                               void *context, extfn_error *err);

/* extfn_host_eval on the function of that name with the registry's time limit (where options, which
 * may be NULL, set none). EXTFN_ENOTFOUND before anything else. */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_registry_eval(
    const extfn_registry *registry, extfn_host *host, const char *name, const extfn_value *args,
    size_t arg_count, const extfn_call_options *options, extfn_value *ret_value, extfn_error *err);

EXTFN_END

#endif
