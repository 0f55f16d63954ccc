/* A module of ours that walks columns: it imports the user's function and calls it for each row of
 * its own memory, so that the border between host and engine is crossed once a chunk and not once a
 * row. Its bytes depend on the signature alone, which has no Text.
 *
 *     (import "f" "call" (func (param ...) (result ...)))     the user's improv_call
 *     (export "memory")  of a fixed size: the arguments' columns, then the results
 *     (export "row")     mutable i32 global: the row under way, stored before its call
 *     (export "run")     (func (param $first i32) (param $end i32)): rows first to end - 1
 *
 * SPDX-License-Identifier: MIT */
#ifndef XF_WASM_LOOP_H
#define XF_WASM_LOOP_H

#include "base/buf.h"
#include "wasm/signature.h"

#define XF_WASM_LOOP_IMPORT_MODULE "f"
#define XF_WASM_LOOP_IMPORT_FIELD "call"
#define XF_WASM_LOOP_MEMORY "memory"
#define XF_WASM_LOOP_ROW "row"
#define XF_WASM_LOOP_RUN "run"

/* Where things lie in the loop's memory. */
typedef struct xf_wasm_loop {
    uint32_t rows;                             /* most rows of a run */
    uint32_t arg_starts[EXTFN_ARGUMENT_LIMIT]; /* of `rows` elements, as in a column */
    uint32_t ret_start;                        /* of `rows` results: f64, i64 or i32 */
    uint32_t pages;                            /* of 64 KiB: the size of the memory */
} xf_wasm_loop;

/* Bytes of a result in the loop's memory: 8, of Boolean and Enum 4. */
size_t xf_wasm_loop_ret_width(extfn_type ret);

xf_wasm_loop xf_wasm_loop_plan(const xf_wasm_signature *signature);

/* Appends the module's bytes. The signature must have no Text. */
EXTFN_MUST_CHECK extfn_status xf_wasm_loop_write(const xf_wasm_signature *signature,
                                                 const xf_wasm_loop *loop, xf_buf *module,
                                                 extfn_error *err);

#endif
