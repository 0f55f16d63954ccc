/* Text and numbers, independent of the host's locale. SPDX-License-Identifier: MIT */
#ifndef XF_BASE_TEXT_H
#define XF_BASE_TEXT_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

bool xf_utf8_is_valid(const char *data, size_t size);

/* The largest size <= limit that does not split a character of valid UTF-8. */
size_t xf_utf8_cut(const char *data, size_t size, size_t limit);

/* Decimal text, all of it, to the nearest double: `1`, `-0`, `.5e-3`, any length. No spaces, hex,
 * inf or nan. EXTFN_EINVAL, also beyond the range of a double. */
EXTFN_MUST_CHECK extfn_status xf_number_read(const char *text, size_t size, double *ret_number,
                                             extfn_error *err);

#define XF_NUMBER_SIZE 32

/* The shortest of %.15g to %.17g that reads back bit for bit, with `.0` where it would look like an
 * integer (`5.0`, `-0.0`, `1e+300`). Finite numbers only. Returns the size without the NUL. */
size_t xf_number_write(double number, char ret_text[XF_NUMBER_SIZE]);

/* `2s`, `2.5s`, `7ms`, `1.5ms`, `40us`. */
size_t xf_duration_write(int64_t microseconds, char ret_text[XF_NUMBER_SIZE]);

/* `1 GiB`, `64 MiB`, `1.5 MiB`, `12 bytes`. */
size_t xf_size_write(uint64_t bytes, char ret_text[XF_NUMBER_SIZE]);

#endif
