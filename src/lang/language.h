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

typedef struct xf_language {
    const char *program; /* as messages name it: `python3` */
    const char *package; /* to install: `python3`; NULL: no system has one */

    /* Fills ret_runtime by looking at the file system and, for an
     * interpreter in no known place, by asking it. EXTFN_EUNAVAILABLE with the contract's text. */
    extfn_status (*locate)(const xf_language_options *options, xf_runtime *ret_runtime,
                           extfn_error *err);

    /* NULL: the language holds every value. Otherwise a static text such as "R text cannot hold
     * U+0000", or NULL when the value fits. */
    const char *(*refusal)(const extfn_value *value);

    extfn_language id;
    bool is_in_process; /* evaluated by src/wasm: no worker, no sandbox, `locate` unused */
} xf_language;

/* Never NULL. */
const xf_language *xf_language_get(extfn_language id);

/* EXTFN_EUNAVAILABLE: `language runtime unavailable: R (R): REASON; WHAT TO DO`. */
EXTFN_MUST_CHECK extfn_status xf_language_unavailable(const xf_language *language,
                                                      const char *reason, const char *advice,
                                                      extfn_error *err);

#endif
