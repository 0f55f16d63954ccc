/* What went wrong in the engine, in our words first and the engine's after them.
 * SPDX-License-Identifier: MIT */
#ifndef XF_WASM_FAILURE_H
#define XF_WASM_FAILURE_H

#include "wasm/inside.h"

/* `what`, and unless `is_quiet` the engine's text after it. Returns EXTFN_ERUNTIME. */
EXTFN_MUST_CHECK extfn_status xf_wasm_fail_words(bool is_quiet, const char *what, const char *text,
                                                 size_t size, extfn_error *err);

/* Takes the engine's error; `what` is our word for it. Returns EXTFN_ERUNTIME. */
EXTFN_MUST_CHECK extfn_status xf_wasm_fail_error(const xf_wasm_api *wt, bool is_quiet,
                                                 const char *what,
                                                 EXTFN_OWN wasmtime_error_t *error,
                                                 extfn_error *err);

/* Takes the error of a module's text, which has its line. Returns EXTFN_ERUNTIME. */
EXTFN_MUST_CHECK extfn_status xf_wasm_fail_text(const xf_wasm_api *wt,
                                                EXTFN_OWN wasmtime_error_t *error,
                                                extfn_error *err);

/* Takes the trap and says which it was. Returns EXTFN_ERUNTIME. */
EXTFN_MUST_CHECK extfn_status xf_wasm_fail_trap(const xf_wasm_api *wt, bool is_quiet,
                                                EXTFN_OWN wasm_trap_t *trap, extfn_error *err);

#endif
