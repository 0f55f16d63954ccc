/* The engine: wasmtime's C API, loaded when the first module comes. It is 14 MB that programs
 * without Wasm functions must not pay for, and a machine may lack it. SPDX-License-Identifier: MIT
 */
#ifndef XF_WASM_API_H
#define XF_WASM_API_H

#include "base/error.h"

#include <wasm.h>
#include <wasmtime.h>

/* Every function of the engine that this layer calls. */
#define XF_WASM_API(F)                                                                             \
    F(wasm_byte_vec_delete)                                                                        \
    F(wasm_config_delete)                                                                          \
    F(wasm_config_new)                                                                             \
    F(wasm_engine_delete)                                                                          \
    F(wasm_engine_new_with_config)                                                                 \
    F(wasm_frame_delete)                                                                           \
    F(wasm_frame_func_index)                                                                       \
    F(wasm_frame_module_offset)                                                                    \
    F(wasm_trap_delete)                                                                            \
    F(wasm_trap_message)                                                                           \
    F(wasm_trap_origin)                                                                            \
    F(wasmtime_config_cranelift_nan_canonicalization_set)                                          \
    F(wasmtime_config_epoch_interruption_set)                                                      \
    F(wasmtime_config_host_memory_creator_set)                                                     \
    F(wasmtime_config_native_unwind_info_set)                                                      \
    F(wasmtime_config_shared_memory_set)                                                           \
    F(wasmtime_error_new)                                                                          \
    F(wasmtime_config_max_wasm_stack_set)                                                          \
    F(wasmtime_config_memory_guard_size_set)                                                       \
    F(wasmtime_config_memory_init_cow_set)                                                         \
    F(wasmtime_config_memory_may_move_set)                                                         \
    F(wasmtime_config_memory_reservation_for_growth_set)                                           \
    F(wasmtime_config_memory_reservation_set)                                                      \
    F(wasmtime_config_signals_based_traps_set)                                                     \
    F(wasmtime_config_wasm_memory64_set)                                                           \
    F(wasmtime_config_wasm_multi_memory_set)                                                       \
    F(wasmtime_config_wasm_relaxed_simd_set)                                                       \
    F(wasmtime_context_set_epoch_deadline)                                                         \
    F(wasmtime_engine_increment_epoch)                                                             \
    F(wasmtime_error_delete)                                                                       \
    F(wasmtime_error_message)                                                                      \
    F(wasmtime_frame_func_name)                                                                    \
    F(wasmtime_func_call)                                                                          \
    F(wasmtime_func_call_unchecked)                                                                \
    F(wasmtime_global_get)                                                                         \
    F(wasmtime_instance_export_get)                                                                \
    F(wasmtime_instance_new)                                                                       \
    F(wasmtime_memory_data)                                                                        \
    F(wasmtime_memory_data_size)                                                                   \
    F(wasmtime_module_delete)                                                                      \
    F(wasmtime_module_deserialize)                                                                 \
    F(wasmtime_module_new)                                                                         \
    F(wasmtime_module_serialize)                                                                   \
    F(wasmtime_store_context)                                                                      \
    F(wasmtime_store_delete)                                                                       \
    F(wasmtime_store_epoch_deadline_callback)                                                      \
    F(wasmtime_store_limiter)                                                                      \
    F(wasmtime_store_new)                                                                          \
    F(wasmtime_trap_code)                                                                          \
    F(wasmtime_wat2wasm)

typedef struct xf_wasm_api {
#define XF_WASM_API_FIELD(name) __typeof__(name) *(name);
    XF_WASM_API(XF_WASM_API_FIELD)
#undef XF_WASM_API_FIELD
} xf_wasm_api;

/* Loads the engine from `path`, or, where that is NULL, from where it was installed or built. Never
 * unloaded: code of it may be running in some thread. EXTFN_EUNAVAILABLE with the reason alone. */
EXTFN_MUST_CHECK extfn_status xf_wasm_api_load(const char *path, xf_wasm_api *ret_api,
                                               extfn_error *err);

/* The file that is loaded where no path is given, or NULL. */
const char *xf_wasm_api_place(void);

#endif
