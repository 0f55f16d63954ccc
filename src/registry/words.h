/* Words of languages and types in descriptors and function files. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_WORDS_H
#define XF_REGISTRY_WORDS_H

#include "base/error.h"

#include <extfn/function.h>

/* A function file's word of a type that a function may have: `number`. */
const char *xf_type_word(extfn_type type);

/* Reads that word (in any case, so a descriptor's too), or else a descriptor's alone, `Number`.
 * EXTFN_EINVAL lists what would do. */
EXTFN_MUST_CHECK extfn_status xf_type_read_word(const char *text, size_t size, extfn_type *ret_type,
                                                extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_type_read_text(const char *text, size_t size, extfn_type *ret_type,
                                                extfn_error *err);

/* The descriptor's word alone: `Python`. */
EXTFN_MUST_CHECK extfn_status xf_language_read_text(const char *text, size_t size,
                                                    extfn_language *ret_language, extfn_error *err);

#endif
