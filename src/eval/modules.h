/* Compiled modules of one host, each with the function that it is of; oldest go first.
 * SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_MODULES_H
#define XF_EVAL_MODULES_H

#include "registry/function.h"
#include "wasm/rows.h"
#include "wasm/source.h"

#include <extfn/host.h>

#include <pthread.h>

/* The machine code of a module takes about ten times its bytes. */
#define XF_MODULES_LIMIT 256
#define XF_MODULES_BYTES (UINT64_C(16) << 20)

typedef struct xf_kept_module {
    extfn_function *function;
    xf_wasm_stamp stamp; /* of the file that it was compiled from */
    xf_wasm_module *module;
    uint64_t size; /* bytes of what it was compiled from */
} xf_kept_module;

typedef struct xf_modules {
    pthread_mutex_t lock;                  /* of what follows; never held for long */
    xf_wasm_engine *engine;                /* NULL until the first function */
    xf_kept_module kept[XF_MODULES_LIMIT]; /* oldest first */
    size_t count;
    uint64_t size; /* of all that are kept */
} xf_modules;

/* Where the bytes of the function's module are to be found. Borrows from both. */
xf_wasm_source xf_modules_source(const extfn_host *host, const extfn_function *function);

void xf_modules_init(xf_modules *modules);
void xf_modules_clear(xf_modules *modules);

/* The engine, made once. EXTFN_EUNAVAILABLE in the contract's words. */
EXTFN_MUST_CHECK extfn_status xf_modules_engine(extfn_host *host, xf_wasm_engine **ret_engine,
                                                extfn_error *err);

/* The function's module, compiled where it was not or where its file has changed; with a reference.
 * The limits are those of the compilation. */
EXTFN_MUST_CHECK extfn_status xf_modules_get(extfn_host *host, extfn_function *function,
                                             const xf_wasm_limits *limits,
                                             EXTFN_OWN xf_wasm_module **ret_module,
                                             extfn_error *err);

#endif
