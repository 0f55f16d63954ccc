/* Looking through the instructions of a function. SPDX-License-Identifier: MIT */
#ifndef XF_WASM_CODE_H
#define XF_WASM_CODE_H

#include "wasm/cursor.h"

/* Whether the instructions, which begin after the locals, may change what outlives a call: a
 * memory, a table, a global, a segment. What cannot be read, or is not known here, may. */
bool xf_wasm_code_may_write(xf_wasm_cursor body);

#endif
