#include "wasm/engine.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "wasm/inside.h"

#include <assert.h>

/* What makes results the same on every machine, and keeps a host's process as it is. */
static wasm_config_t *configure(const xf_wasm_engine *it)
{
    const xf_wasm_api *wt = &it->api;
    wasm_config_t *config = wt->wasm_config_new();
    if (!config)
        return NULL;
    wt->wasmtime_config_cranelift_nan_canonicalization_set(config, true);
    wt->wasmtime_config_wasm_relaxed_simd_set(config, false);
    wt->wasmtime_config_wasm_memory64_set(config, false);
    wt->wasmtime_config_wasm_multi_memory_set(config, false);
    wt->wasmtime_config_shared_memory_set(config, false);
    wt->wasmtime_config_epoch_interruption_set(config, true);
    wt->wasmtime_config_max_wasm_stack_set(config, XF_WASM_STACK_SIZE);
    /* Signals are the program's that we are in. */
    wt->wasmtime_config_signals_based_traps_set(config, false);
    /* A host may run under RLIMIT_AS: no address space is reserved for memories. */
    wt->wasmtime_config_memory_reservation_set(config, 0);
    wt->wasmtime_config_memory_reservation_for_growth_set(config, 0);
    wt->wasmtime_config_memory_guard_size_set(config, 0);
    wt->wasmtime_config_memory_may_move_set(config, true);
    wasmtime_memory_creator_t creator = xf_wasm_memory_creator(&it->memory_rule);
    wt->wasmtime_config_host_memory_creator_set(config, &creator);
    wt->wasmtime_config_memory_init_cow_set(config,
                                            false); /* the creator's memories have no images */
    return config;
}

static void on_tick(void *context)
{
    const xf_wasm_engine *it = context;
    it->api.wasmtime_engine_increment_epoch(it->engine);
}

static void discard(xf_wasm_engine **slot)
{
    if (*slot)
        xf_free((*slot)->path);
    xf_free(*slot);
}

extfn_status xf_wasm_engine_new(const xf_wasm_engine_options *options, xf_wasm_engine **ret_engine,
                                extfn_error *err)
{
    XF_AUTO(discard) xf_wasm_engine *it = xf_alloc(sizeof(*it));
    if (!it)
        return xf_fail_oom(err);
    XF_TRY(xf_wasm_api_load(options->path, &it->api, err));
    it->memory_rule = (xf_wasm_memory_rule){.api = &it->api, .limit = options->memory_bytes};
    if (options->path) {
        it->path = xf_strdup(options->path);
        if (!it->path)
            return xf_fail_oom(err);
    }
    wasm_config_t *config = configure(it);
    it->engine = config ? it->api.wasm_engine_new_with_config(config) : NULL;
    if (!it->engine)
        return xf_fail(err, EXTFN_EUNAVAILABLE, "the engine refuses its configuration");
    xf_wasm_ticker_init(&it->ticker, on_tick, it);
    *ret_engine = XF_STEAL(it);
    return EXTFN_OK;
}

void xf_wasm_engine_free(xf_wasm_engine *engine)
{
    if (!engine)
        return;
    xf_wasm_ticker_clear(&engine->ticker);
    engine->api.wasm_engine_delete(engine->engine);
    discard(&engine);
}

const char *xf_wasm_engine_path(const xf_wasm_engine *engine)
{
    return engine->path ? engine->path : xf_wasm_api_place();
}

const char *xf_wasm_engine_version(void)
{
    return "wasmtime " WASMTIME_VERSION;
}
