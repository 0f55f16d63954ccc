/* The engine of a host object: compiles modules, and keeps the clock of those that run. A host has
 * its own, so that nothing is shared with another host, nor with a forked child.
 * SPDX-License-Identifier: MIT */
#ifndef XF_WASM_ENGINE_H
#define XF_WASM_ENGINE_H

#include "base/error.h"

#include <stdint.h>

typedef struct xf_wasm_engine xf_wasm_engine;

typedef struct xf_wasm_engine_options {
    const char *path;      /* of the engine's library, or NULL: where it was installed or built */
    uint64_t memory_bytes; /* most that one instance may have */
} xf_wasm_engine_options;

/* Threads may use it at once. EXTFN_EUNAVAILABLE with the reason alone. */
EXTFN_MUST_CHECK extfn_status xf_wasm_engine_new(const xf_wasm_engine_options *options,
                                                 EXTFN_OWN xf_wasm_engine **ret_engine,
                                                 extfn_error *err);

/* No module of it may be left. */
void xf_wasm_engine_free(xf_wasm_engine *engine);

/* The file that was loaded, and what it is: `wasmtime 48.0.8`. */
const char *xf_wasm_engine_path(const xf_wasm_engine *engine);
const char *xf_wasm_engine_version(void);

#endif
