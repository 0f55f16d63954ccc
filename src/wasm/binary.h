/* What stands in a WebAssembly module, read without the engine: nothing that the bytes say about
 * sizes and counts is believed before it is checked. Whether the code is valid is the engine's to
 * say. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_BINARY_H
#define XF_WASM_BINARY_H

#include "base/error.h"
#include "wasm/signature.h"

/* Bytes of a module. */
#define XF_WASM_MODULE_LIMIT ((size_t)4 << 20)

typedef enum xf_wasm_export_kind {
    XF_WASM_EXPORT_MISSING = 0,
    XF_WASM_EXPORT_FUNCTION,
    XF_WASM_EXPORT_OTHER, /* a global, a table, a memory, ... */
} xf_wasm_export_kind;

typedef struct xf_wasm_export {
    xf_wasm_export_kind kind;
    xf_wasm_type type; /* of a function */
} xf_wasm_export;

/* Names lie in the module's bytes and are valid UTF-8. Counts are without what is imported; of a
 * module that imports anything the exports are not looked at, for no such module is used. */
typedef struct xf_wasm_summary {
    uint32_t import_count;
    const char *import_module; /* of the first import */
    size_t import_module_size;
    const char *import_field;
    size_t import_field_size;
    uint32_t function_count;
    uint32_t largest_body;   /* bytes of the largest function */
    uint32_t largest_locals; /* locals that one function declares, at most UINT32_MAX */
    uint32_t memory_count;
    uint64_t memory_pages; /* least size of all memories, of 64 KiB, at most UINT64_MAX */
    uint32_t table_count;
    uint64_t table_elements; /* least size of all tables, at most UINT64_MAX */
    uint32_t global_count;
    uint32_t mutable_global_count;
    bool is_written; /* code may change what outlives a call, if there is any of it */
    bool has_start;
    bool is_memory_exported; /* as `memory` */
    const char
        *declaration; /* what stands in the first custom section `extfn`, any bytes, or NULL */
    size_t declaration_size;
    xf_wasm_export call;  /* improv_call */
    xf_wasm_export alloc; /* improv_alloc */
} xf_wasm_summary;

/* Whether one call can leave something behind for the next, or an instance is work of its own.
 * Compilers give each module a memory, a table and a stack pointer, of which simple functions use
 * none. */
bool xf_wasm_summary_has_state(const xf_wasm_summary *summary);

/* The type of `improv_call`, which takes Numbers only and gives one. */
bool xf_wasm_summary_is_numeric(const xf_wasm_summary *summary);

/* EXTFN_EINVAL says at which byte the module is broken, never what stands there. */
EXTFN_MUST_CHECK extfn_status xf_wasm_binary_read(const void *bytes, size_t size,
                                                  xf_wasm_summary *ret_summary, extfn_error *err);

#endif
