/* What the operator named and what lies where, for all languages. SPDX-License-Identifier: MIT */
#ifndef XF_LANG_FIND_H
#define XF_LANG_FIND_H

#include "lang/language.h"

bool xf_path_is_folder(const char *path);
bool xf_path_is_file(const char *path);

/* `/`, `/usr`, `/home/ann` and the like: more than a function may be shown. The path is resolved.
 */
bool xf_path_is_too_wide(const char *path);

/* The operator's interpreter, else the first of `places` (NULL-terminated) that is an executable
 * file; not resolved, it may be a symlink. */
EXTFN_MUST_CHECK extfn_status xf_interpreter_find(const xf_language *language,
                                                  const xf_language_options *options,
                                                  const char *const places[],
                                                  EXTFN_OWN char **ret_path, extfn_error *err);

/* Adds each of the operator's package folders, resolved. EXTFN_EINVAL when one is no folder or too
 * wide. */
EXTFN_MUST_CHECK extfn_status xf_packages_find(const xf_language_options *options,
                                               xf_strings *ret_folders, extfn_error *err);

/* `name` and the folders joined by colons, added to pairs; nothing when there is none. */
EXTFN_MUST_CHECK extfn_status xf_path_list_add(xf_strings *pairs, const char *name,
                                               const xf_strings *folders, extfn_error *err);

/* A name and a value. */
EXTFN_MUST_CHECK extfn_status xf_pair_add(xf_strings *pairs, const char *name, const char *value,
                                          extfn_error *err);

#endif
