/* Inside of engine and modules, for this folder alone. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_INSIDE_H
#define XF_WASM_INSIDE_H

#include "wasm/config.h"
#include "wasm/loop.h"
#include "wasm/memory.h"
#include "wasm/module.h"
#include "wasm/ticker.h"

#include <pthread.h>
#include <stdatomic.h>

struct xf_wasm_engine {
    xf_wasm_api api;
    char *path; /* of the library, or NULL */
    wasm_engine_t *engine;
    xf_wasm_memory_rule memory_rule;
    xf_wasm_ticker ticker;
};

/* Stack that a call needs: the module's, and for the engine's own functions beyond it. */
#define XF_WASM_STACK_NEED (XF_WASM_STACK_SIZE + ((size_t)128 << 10))

/* What a module exports. */
#define XF_WASM_CALL "improv_call"
#define XF_WASM_ALLOC "improv_alloc"
#define XF_WASM_MEMORY "memory"

typedef struct xf_wasm_session xf_wasm_session;

struct xf_wasm_module {
    atomic_int refs;
    xf_wasm_engine *engine;
    xf_wasm_signature signature;
    wasmtime_module_t *code;
    size_t raw_count; /* values of a call: parameters or results, whichever are more */
    bool has_text_arguments;
    bool has_state;       /* each row gets an instance of its own */
    xf_wasm_stamp stamp;  /* of its file */
    bool is_quiet;        /* no error may show what the engine says: it may quote a file */
    pthread_mutex_t lock; /* of what follows */
    xf_wasm_session *idle;
    unsigned idle_count;
    xf_wasm_loop loop_plan;
    wasmtime_module_t *loop; /* NULL: not compiled yet; never changes once set */
};

#endif
