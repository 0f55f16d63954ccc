/* What language.c puts into its table. SPDX-License-Identifier:
 * MIT */
#ifndef XF_LANG_LANGUAGES_H
#define XF_LANG_LANGUAGES_H

#include "lang/language.h"

EXTFN_MUST_CHECK extfn_status xf_python_locate(const xf_language_options *options,
                                               xf_runtime *ret_runtime, extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_r_locate(const xf_language_options *options,
                                          xf_runtime *ret_runtime, extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_pure_locate(const xf_language_options *options,
                                             xf_runtime *ret_runtime, extfn_error *err);
const char *xf_pure_refusal(const extfn_value *value);
const char *xf_r_refusal(const extfn_value *value);
EXTFN_MUST_CHECK extfn_status xf_julia_locate(const xf_language_options *options,
                                              xf_runtime *ret_runtime, extfn_error *err);
const char *xf_julia_refusal(const extfn_value *value);

#endif
