/* The locators and the embedded files that language.c puts into its table. SPDX-License-Identifier:
 * MIT */
#ifndef XF_LANG_LANGUAGES_H
#define XF_LANG_LANGUAGES_H

#include "lang/language.h"

extern const unsigned char xf_driver_python[];
extern const size_t xf_driver_python_size;
extern const unsigned char xf_driver_r[];
extern const size_t xf_driver_r_size;
extern const unsigned char xf_ask_python[]; /* a program for the interpreter's `-c` */
extern const size_t xf_ask_python_size;

EXTFN_MUST_CHECK extfn_status xf_python_locate(const xf_language *language,
                                               const xf_language_options *options,
                                               xf_runtime *ret_runtime, extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_r_locate(const xf_language *language,
                                          const xf_language_options *options,
                                          xf_runtime *ret_runtime, extfn_error *err);
const char *xf_r_refusal(const extfn_value *value);

#endif
