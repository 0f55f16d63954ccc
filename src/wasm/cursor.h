/* Reading the parts that the WebAssembly binary format is made of. A cursor never passes its end;
 * EXTFN_EINVAL names the byte where reading broke off.
 * SPDX-License-Identifier: MIT */
#ifndef XF_WASM_CURSOR_H
#define XF_WASM_CURSOR_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct xf_wasm_cursor {
    const uint8_t *bytes; /* of the whole module */
    size_t at;
    size_t end;
} xf_wasm_cursor;

/* The failure of what stands at the cursor. */
extfn_status xf_wasm_broken(const xf_wasm_cursor *in, extfn_error *err);

EXTFN_MUST_CHECK extfn_status xf_wasm_read_byte(xf_wasm_cursor *in, uint8_t *ret_byte,
                                                extfn_error *err);

/* The type of a value. References to the module's own types have more than one byte; they are
 * refused, so that no reader of ours takes the second for something else. */
EXTFN_MUST_CHECK extfn_status xf_wasm_read_type(xf_wasm_cursor *in, uint8_t *ret_type,
                                                extfn_error *err);

EXTFN_MUST_CHECK extfn_status xf_wasm_skip(xf_wasm_cursor *in, size_t size, extfn_error *err);

/* A LEB128 number of at most `bits` bits. */
EXTFN_MUST_CHECK extfn_status xf_wasm_read_unsigned(xf_wasm_cursor *in, unsigned bits,
                                                    uint64_t *ret_number, extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_wasm_read_u32(xf_wasm_cursor *in, uint32_t *ret_number,
                                               extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_wasm_skip_signed(xf_wasm_cursor *in, extfn_error *err);

/* The next `size` bytes as a cursor of their own. */
EXTFN_MUST_CHECK extfn_status xf_wasm_read_part(xf_wasm_cursor *in, size_t size,
                                                xf_wasm_cursor *ret_part, extfn_error *err);

/* UTF-8 that lies in the module. */
EXTFN_MUST_CHECK extfn_status xf_wasm_read_name(xf_wasm_cursor *in, const char **ret_name,
                                                size_t *ret_size, extfn_error *err);

EXTFN_MUST_CHECK extfn_status xf_wasm_expect_end(const xf_wasm_cursor *in, extfn_error *err);

#endif
