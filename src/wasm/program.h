/* extfn-compile, built beside the library and embedded in it. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_PROGRAM_H
#define XF_WASM_PROGRAM_H

#include <stddef.h>

extern const unsigned char xf_program_compile[];
extern const size_t xf_program_compile_size;

#endif
