/* SPDX-License-Identifier: MIT */
#include "wasm/cursor.h"

#include "base/text.h"

extfn_status xf_wasm_broken(const xf_wasm_cursor *in, extfn_error *err)
{
    return xf_fail(err, EXTFN_EINVAL, "the WebAssembly module is broken at byte %zu", in->at);
}

extfn_status xf_wasm_read_byte(xf_wasm_cursor *in, uint8_t *ret_byte, extfn_error *err)
{
    if (in->at == in->end)
        return xf_wasm_broken(in, err);
    *ret_byte = in->bytes[in->at++];
    return EXTFN_OK;
}

extfn_status xf_wasm_read_type(xf_wasm_cursor *in, uint8_t *ret_type, extfn_error *err)
{
    enum { NULLABLE = 0x63, NOT_NULL = 0x64 };
    const xf_wasm_cursor start = *in;
    XF_TRY(xf_wasm_read_byte(in, ret_type, err));
    if (*ret_type != NULLABLE && *ret_type != NOT_NULL)
        return EXTFN_OK;
    return xf_fail(err, EXTFN_EINVAL,
                   "the WebAssembly module has a typed reference at byte %zu; none are supported",
                   start.at);
}

extfn_status xf_wasm_skip(xf_wasm_cursor *in, size_t size, extfn_error *err)
{
    if (size > in->end - in->at)
        return xf_wasm_broken(in, err);
    in->at += size;
    return EXTFN_OK;
}

extfn_status xf_wasm_read_unsigned(xf_wasm_cursor *in, unsigned bits, uint64_t *ret_number,
                                   extfn_error *err)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < bits; shift += 7) {
        uint8_t byte = 0;
        XF_TRY(xf_wasm_read_byte(in, &byte, err));
        uint64_t part = byte & 0x7f;
        if (bits - shift < 7 && part >> (bits - shift))
            return xf_wasm_broken(in, err);
        number |= part << shift;
        if (!(byte & 0x80)) {
            *ret_number = number;
            return EXTFN_OK;
        }
    }
    return xf_wasm_broken(in, err);
}

extfn_status xf_wasm_read_u32(xf_wasm_cursor *in, uint32_t *ret_number, extfn_error *err)
{
    uint64_t number = 0;
    XF_TRY(xf_wasm_read_unsigned(in, 32, &number, err));
    *ret_number = (uint32_t)number;
    return EXTFN_OK;
}

extfn_status xf_wasm_skip_signed(xf_wasm_cursor *in, extfn_error *err)
{
    uint8_t byte = 0x80;
    for (int i = 0; i < 10 && byte & 0x80; i++)
        XF_TRY(xf_wasm_read_byte(in, &byte, err));
    return byte & 0x80 ? xf_wasm_broken(in, err) : EXTFN_OK;
}

/* The next `size` bytes as a xf_wasm_cursor of their own. */
extfn_status xf_wasm_read_part(xf_wasm_cursor *in, size_t size, xf_wasm_cursor *ret_part,
                               extfn_error *err)
{
    size_t start = in->at;
    XF_TRY(xf_wasm_skip(in, size, err));
    *ret_part = (xf_wasm_cursor){.bytes = in->bytes, .at = start, .end = in->at};
    return EXTFN_OK;
}

extfn_status xf_wasm_read_name(xf_wasm_cursor *in, const char **ret_name, size_t *ret_size,
                               extfn_error *err)
{
    uint32_t size = 0;
    xf_wasm_cursor name = {0};
    XF_TRY(xf_wasm_read_u32(in, &size, err));
    XF_TRY(xf_wasm_read_part(in, size, &name, err));
    const char *text = (const char *)(in->bytes + name.at);
    if (!xf_utf8_is_valid(text, size))
        return xf_wasm_broken(&name, err);
    *ret_name = text;
    *ret_size = size;
    return EXTFN_OK;
}

extfn_status xf_wasm_expect_end(const xf_wasm_cursor *in, extfn_error *err)
{
    return in->at == in->end ? EXTFN_OK : xf_wasm_broken(in, err);
}
