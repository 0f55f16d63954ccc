/* The memories of modules: ours instead of the engine's, so that no address space is reserved, and
 * that it is known why one did not grow. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_MEMORY_H
#define XF_WASM_MEMORY_H

#include "wasm/api.h"

/* What became of the memories that one session asked for. */
typedef struct xf_wasm_memory_note {
    bool is_unlimited;     /* they are ours */
    bool is_limit_reached; /* refused for the limit */
    bool is_system_out;    /* refused by the system */
} xf_wasm_memory_note;

/* All memories that an engine makes are at most `limit` bytes; it must live as long. */
typedef struct xf_wasm_memory_rule {
    const xf_wasm_api *api;
    uint64_t limit;
} xf_wasm_memory_rule;

wasmtime_memory_creator_t xf_wasm_memory_creator(const xf_wasm_memory_rule *rule);

/* Memories that this thread makes from now on write their refusals there. */
void xf_wasm_memory_tell(xf_wasm_memory_note *note);

#endif
