/* How the engine compiles and runs, the same in the host and in the program that compiles for it:
 * one does not take the other's code else. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_CONFIG_H
#define XF_WASM_CONFIG_H

#include "wasm/api.h"

/* Stack that a module may use. */
#define XF_WASM_STACK_SIZE ((size_t)512 << 10)

/* The compiler's own: it recurses over some of what it reads. */
#define XF_WASM_COMPILER_STACK_SIZE ((size_t)16 << 20)

/* Owned by the engine that is made with it. NULL: out of memory. */
wasm_config_t *xf_wasm_config_new(const xf_wasm_api *wt);

#endif
