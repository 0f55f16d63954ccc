/* Which names an argument may have. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_IDENTIFIER_H
#define XF_REGISTRY_IDENTIFIER_H

#include "base/error.h"

#include <extfn/function.h>

/* [A-Za-z_][A-Za-z0-9_]*, whatever the host's locale. */
bool xf_identifier_is_valid(const char *text, size_t size);

/* `args` and `result`, in every language. */
bool xf_word_is_ours(const char *word);

/* Whether the language keeps the word for itself, or it is ours. */
bool xf_word_is_reserved(extfn_language language, const char *word);

/* EXTFN_EINVAL when `name` cannot be bound as an argument in that language. */
EXTFN_MUST_CHECK extfn_status xf_argument_name_check(extfn_language language, const char *name,
                                                     extfn_error *err);

#endif
