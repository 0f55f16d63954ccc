#include "wasm/engine.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "wasm/inside.h"

#include <assert.h>

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
    wasm_config_t *config = xf_wasm_config_new(&it->api);
    if (!config)
        return xf_fail_oom(err);
    wasmtime_memory_creator_t creator = xf_wasm_memory_creator(&it->memory_rule);
    it->api.wasmtime_config_host_memory_creator_set(config, &creator);
    it->engine = it->api.wasm_engine_new_with_config(config);
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
