/* From a module's bytes to its code. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_COMPILE_H
#define XF_WASM_COMPILE_H

#include "wasm/inside.h"
#include "wasm/limits.h"

/* The compiler cannot be interrupted. A module of so few bytes takes it half a second and
 * 300 MiB at most (ARCHITECTURE.md has the measurements); a larger one is compiled by a process
 * that is killed at the limits. */
#define XF_WASM_SMALL_MODULE 2048

/* `is_quiet`: nothing that the engine says is told. What is wrong with the module is
 * EXTFN_ERUNTIME; EXTFN_ETIMEOUT and EXTFN_ECANCELED as the limits say, whose row_us is that of the
 * compilation; NULL: the module is ours. */
EXTFN_MUST_CHECK extfn_status xf_wasm_compile(xf_wasm_engine *engine, const void *bytes,
                                              size_t size, bool is_quiet,
                                              const xf_wasm_limits *limits,
                                              wasmtime_module_t **ret_code, extfn_error *err);

/* A module's text to its bytes, which wasm_byte_vec_delete frees. */
EXTFN_MUST_CHECK extfn_status xf_wasm_translate(xf_wasm_engine *engine, const char *text,
                                                size_t size, wasm_byte_vec_t *ret_bytes,
                                                extfn_error *err);

#endif
