#include "base/json.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes the escape of a character that cannot stand as it is; returns its size, 0 for others. */
static size_t escape(unsigned char c, char ret_text[8])
{
    static const char meanings[] = "\"\\\b\f\n\r\t";
    static const char names[] = "\"\\bfnrt";
    const char *meaning = c ? strchr(meanings, c) : NULL;
    if (meaning) {
        ret_text[0] = '\\';
        ret_text[1] = names[meaning - meanings];
        return 2;
    }
    return c < 0x20 ? (size_t)snprintf(ret_text, 8, "\\u%04x", c) : 0;
}

extfn_status xf_json_write_string(xf_buf *out, const char *data, size_t size, extfn_error *err)
{
    size_t valid = xf_utf8_valid_size(data, size);
    if (valid < size)
        return xf_fail(err, EXTFN_EINVAL, "text is not UTF-8 at byte %zu", valid);
    XF_TRY(xf_buf_append(out, "\"", 1, err));
    size_t plain = 0; /* where what is not written yet begins */
    for (size_t at = 0; at < size; at++) {
        char escaped[8];
        size_t escaped_size = escape((unsigned char)data[at], escaped);
        if (escaped_size == 0)
            continue;
        XF_TRY(xf_buf_append(out, data + plain, at - plain, err));
        XF_TRY(xf_buf_append(out, escaped, escaped_size, err));
        plain = at + 1;
    }
    if (plain < size)
        XF_TRY(xf_buf_append(out, data + plain, size - plain, err));
    return xf_buf_append(out, "\"", 1, err);
}

extfn_status xf_json_write_number(xf_buf *out, double number, extfn_error *err)
{
    if (!isfinite(number))
        return xf_fail(err, EXTFN_EINVAL, "a JSON number must be finite");
    char text[XF_NUMBER_SIZE];
    size_t size = xf_number_write(number, text);
    return xf_buf_append(out, text, size, err);
}

extfn_status xf_json_write_raw(xf_buf *out, const char *text, extfn_error *err)
{
    return xf_buf_append(out, text, strlen(text), err);
}
