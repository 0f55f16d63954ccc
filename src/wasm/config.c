#include "wasm/config.h"

wasm_config_t *xf_wasm_config_new(const xf_wasm_api *wt)
{
    wasm_config_t *config = wt->wasm_config_new();
    if (!config)
        return NULL;
    /* What makes results the same on every machine. */
    wt->wasmtime_config_cranelift_nan_canonicalization_set(config, true);
    wt->wasmtime_config_wasm_relaxed_simd_set(config, false);
    wt->wasmtime_config_wasm_memory64_set(config, false);
    wt->wasmtime_config_wasm_multi_memory_set(config, false);
    wt->wasmtime_config_shared_memory_set(config, false);
    wt->wasmtime_config_epoch_interruption_set(config, true);
    wt->wasmtime_config_max_wasm_stack_set(config, XF_WASM_STACK_SIZE);
    /* Signals belong to the program that we are in; a check of each access costs a tenth. */
    wt->wasmtime_config_signals_based_traps_set(config, false);
    /* Nor is the program's unwinder told of our code. */
    wt->wasmtime_config_native_unwind_info_set(config, false);
    /* A host may run under RLIMIT_AS: no address space is reserved for memories. */
    wt->wasmtime_config_memory_reservation_set(config, 0);
    wt->wasmtime_config_memory_reservation_for_growth_set(config, 0);
    wt->wasmtime_config_memory_guard_size_set(config, 0);
    wt->wasmtime_config_memory_may_move_set(config, true);
    /* Images of what memories begin with need the engine's own memories, and abort with others. */
    wt->wasmtime_config_memory_init_cow_set(config, false);
    return config;
}
