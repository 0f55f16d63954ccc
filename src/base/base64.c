/* SPDX-License-Identifier: MIT */
#include "base/base64.h"

#include "base/alloc.h"

#include <stdint.h>
#include <string.h>

/* Three bytes, as far as there are any, become four digits. */
static void write_group(const uint8_t *bytes, size_t count, char *ret_digits)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; i++)
        bits = bits << 8 | (i < count ? bytes[i] : 0U);
    memset(ret_digits, '=', 4);
    for (size_t i = 0; i <= count; i++)
        ret_digits[i] = digits[bits >> (18 - 6 * i) & 63];
}

extfn_status xf_base64_write(const void *bytes, size_t size, xf_buf *text, extfn_error *err)
{
    const uint8_t *at = bytes;
    size_t more = 0;
    size_t capacity = 0;
    if (!xf_size_mul(size / 3 + 1, 4, &more) || !xf_size_add(text->size, more, &capacity))
        return xf_fail_oom(err);
    XF_TRY(xf_buf_reserve(text, capacity, err));
    for (size_t left = size; left > 0;) {
        char group[4];
        size_t count = left < 3 ? left : 3;
        write_group(at, count, group);
        XF_TRY(xf_buf_append(text, group, sizeof(group), err));
        at += count;
        left -= count;
    }
    return EXTFN_OK;
}
