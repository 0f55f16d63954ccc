/* Text and numbers, independent of the host's locale. SPDX-License-Identifier: MIT */
#ifndef XF_BASE_TEXT_H
#define XF_BASE_TEXT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

bool xf_utf8_is_valid(const char *data, size_t size);

/* Bytes before the first that is not part of a valid character; size when all is valid. */
size_t xf_utf8_valid_size(const char *data, size_t size);

/* Puts `?` for each byte that is not part of a valid character. */
void xf_utf8_repair(char *data, size_t size);

/* The largest size <= limit that does not split a character of valid UTF-8. */
size_t xf_utf8_cut(const char *data, size_t size, size_t limit);

#define XF_QUOTE_SIZE 64

/* Input as messages show it: 'abc', its beginning only, `?` for what is not printable. Returns
 * ret_text. */
const char *xf_text_quote(const char *data, size_t size, char ret_text[XF_QUOTE_SIZE]);

/* Decimal text, all of it, to the nearest double: `1`, `-0`, `.5e-3`, any length; one too small is
 * zero. No spaces, hex, inf or nan. EXTFN_EINVAL, also beyond the range of a double. */
EXTFN_MUST_CHECK extfn_status xf_number_read(const char *text, size_t size, double *ret_number,
                                             extfn_error *err);

#define XF_NUMBER_SIZE 32

/* The shortest of %.15g to %.17g that reads back bit for bit, with `.0` where it would look like an
 * integer (`5.0`, `-0.0`, `1e+300`). Finite numbers only. Returns the size without the NUL. */
size_t xf_number_write(double number, char ret_text[XF_NUMBER_SIZE]);

/* `2s`, `2.5s`, `7ms`, `1.5ms`, `40us`. */
size_t xf_duration_write(int64_t microseconds, char ret_text[XF_NUMBER_SIZE]);

/* `1 GiB`, `64 MiB`, `1.5 MiB`, `12 bytes`; at most one decimal, the rest is cut. */
size_t xf_size_write(uint64_t bytes, char ret_text[XF_NUMBER_SIZE]);

#endif
