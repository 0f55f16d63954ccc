/* One descriptor a language: how it is found, started and spoken to. SPDX-License-Identifier: MIT
 */
#ifndef XF_LANG_LANGUAGE_H
#define XF_LANG_LANGUAGE_H

#include "sandbox/plan.h"

#include <extfn/function.h>

/* What the operator said about a language; texts borrowed, NULL where nothing was said. */
typedef struct xf_language_options {
    const char *interpreter;
    const char *packages;
} xf_language_options;

typedef struct xf_language xf_language;

struct xf_language {
    extfn_language id;
    const char *program; /* as messages name it: `python3` */
    const char *package; /* to install: `python3` */

    /* Fills ret_runtime by looking at the file system and, for an interpreter in no known place, by
     * asking it. EXTFN_EUNAVAILABLE with the contract's text; EXTFN_EINVAL for options that name no
     * path to show. */
    extfn_status (*locate)(const xf_language *language, const xf_language_options *options,
                           xf_runtime *ret_runtime, extfn_error *err);

    /* NULL: the language holds every value. Otherwise a static text such as "R text cannot hold
     * U+0000", or NULL when the value fits. */
    const char *(*refusal)(const extfn_value *value);

    const char *driver_place; /* inside the sandbox; NULL: no driver in this version */
    const unsigned char *driver_data;
    const size_t *driver_size;
};

/* Never NULL. */
const xf_language *xf_language_get(extfn_language id);

/* The driver's file; only where the language has one. */
xf_plan_file xf_language_driver(const xf_language *language);

/* EXTFN_EUNAVAILABLE: `language runtime unavailable: R (R): REASON; WHAT TO DO`. */
EXTFN_MUST_CHECK extfn_status xf_language_unavailable(const xf_language *language,
                                                      const char *reason, const char *advice,
                                                      extfn_error *err);

#endif
