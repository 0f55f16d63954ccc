/* A function's module, compiled: made once, shared by reference count. SPDX-License-Identifier: MIT
 */
#ifndef XF_WASM_MODULE_H
#define XF_WASM_MODULE_H

#include "wasm/engine.h"
#include "wasm/limits.h"
#include "wasm/signature.h"
#include "wasm/source.h"

typedef struct xf_wasm_module xf_wasm_module;

/* Compiles it and checks that it is what the signature says. What is wrong with it is
 * EXTFN_ERUNTIME; EXTFN_ETIMEOUT and EXTFN_ECANCELED as the limits say, whose row_us is that of the
 * compilation. */
EXTFN_MUST_CHECK extfn_status xf_wasm_module_load(
    xf_wasm_engine *engine, const xf_wasm_source *source, const xf_wasm_signature *signature,
    const xf_wasm_limits *limits, EXTFN_OWN xf_wasm_module **ret_module, extfn_error *err);

/* Of the file that it was compiled from: see xf_wasm_source_read. */
xf_wasm_stamp xf_wasm_module_stamp(const xf_wasm_module *module);

xf_wasm_module *xf_wasm_module_ref(xf_wasm_module *module);
void xf_wasm_module_unref(xf_wasm_module *module);

#endif
