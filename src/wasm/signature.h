/* What a function's types are to WebAssembly: the typed ABI. Number is f64, Boolean and Enum are
 * i32, DateTime is i64; a Text argument is two i32, pointer and byte size, a Text result one i64,
 * pointer in the high half. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_SIGNATURE_H
#define XF_WASM_SIGNATURE_H

#include <extfn/function.h>

#include <stddef.h>
#include <stdint.h>

typedef struct xf_wasm_signature {
    extfn_type args[EXTFN_ARGUMENT_LIMIT];
    size_t arg_count;
    extfn_type ret;
} xf_wasm_signature;

/* As the binary format writes them. */
typedef enum xf_wasm_valtype {
    XF_WASM_I32 = 0x7f,
    XF_WASM_I64 = 0x7e,
    XF_WASM_F32 = 0x7d,
    XF_WASM_F64 = 0x7c,
} xf_wasm_valtype;

/* Most parameters and results that an xf_wasm_type keeps. */
#define XF_WASM_PARAM_LIMIT ((size_t)2 * EXTFN_ARGUMENT_LIMIT)
#define XF_WASM_RESULT_LIMIT 4

/* The type of a WebAssembly function. The counts are the true ones; of more than the limits the
 * first are kept. */
typedef struct xf_wasm_type {
    uint8_t params[XF_WASM_PARAM_LIMIT]; /* xf_wasm_valtype, or another byte of the format */
    size_t param_count;
    uint8_t results[XF_WASM_RESULT_LIMIT];
    size_t result_count;
} xf_wasm_type;

bool xf_wasm_signature_has_text(const xf_wasm_signature *signature);

/* The type that `improv_call` must have. */
xf_wasm_type xf_wasm_signature_type(const xf_wasm_signature *signature);

bool xf_wasm_type_is_equal(const xf_wasm_type *a, const xf_wasm_type *b);

#define XF_WASM_TYPE_TEXT_SIZE 256

/* For messages: `(f64, i32) -> f64`, `() -> (f64, i32)`; a long one ends in `...`. Returns
 * ret_text. */
const char *xf_wasm_type_text(const xf_wasm_type *type, char ret_text[XF_WASM_TYPE_TEXT_SIZE]);

#endif
