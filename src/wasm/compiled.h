/* What extfn-compile and the host say to each other. It is started with the file of the engine, the
 * bytes of memory and the seconds of processor that it may use; its descriptors are the module and
 * an empty file for the answer. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_COMPILED_H
#define XF_WASM_COMPILED_H

#include <stdint.h>

enum {
    XF_WASM_FD_MODULE = 0,
    XF_WASM_FD_ANSWER = 1,
    XF_WASM_FD_COUNT = 4, /* 2: nothing; 3: the program itself */
};

/* Bytes of an answer: code is up to 60 times as large as its module. */
#define XF_WASM_ANSWER_LIMIT ((size_t)256 << 20)

enum xf_wasm_answer_kind {
    XF_WASM_ANSWER_NONE = 0, /* it did not come to an end */
    XF_WASM_ANSWER_CODE = 1,
    XF_WASM_ANSWER_REFUSED = 2, /* the engine's text says why */
    XF_WASM_ANSWER_FAILED = 3,  /* our own text: no engine, no memory */
};

/* At the answer's start, written last; then `size` bytes. */
typedef struct xf_wasm_answer {
    uint32_t kind;
    uint32_t reserved;
    uint64_t size;
} xf_wasm_answer;

#endif
