#include "base/text.h"

#include <string.h>

/* Bytes of the character that starts at data, or 0 when it is not valid UTF-8 (RFC 3629: no
 * overlong forms, no surrogates, at most U+10FFFF). */
static size_t character_size(const unsigned char *data, size_t size)
{
    if (data[0] < 0x80)
        return 1;
    static const struct {
        unsigned char first, last, low, high, size; /* of the first byte; of the second; in all */
    } forms[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (data[0] < forms[i].first || data[0] > forms[i].last)
            continue;
        if (size < forms[i].size || data[1] < forms[i].low || data[1] > forms[i].high)
            return 0;
        for (size_t k = 2; k < forms[i].size; k++) {
            if ((data[k] & 0xc0) != 0x80)
                return 0;
        }
        return forms[i].size;
    }
    return 0;
}

size_t xf_utf8_valid_size(const char *data, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)data;
    size_t at = 0;
    while (at < size) {
        size_t step = character_size(bytes + at, size - at);
        if (step == 0)
            break;
        at += step;
    }
    return at;
}

bool xf_utf8_is_valid(const char *data, size_t size)
{
    return xf_utf8_valid_size(data, size) == size;
}

void xf_utf8_repair(char *data, size_t size)
{
    size_t at = xf_utf8_valid_size(data, size);
    while (at < size) {
        data[at++] = '?';
        at += xf_utf8_valid_size(data + at, size - at);
    }
}

size_t xf_utf8_cut(const char *data, size_t size, size_t limit)
{
    if (size <= limit)
        return size;
    size_t end = limit;
    while (end > 0 && ((unsigned char)data[end] & 0xc0) == 0x80)
        end--;
    return end;
}

const char *xf_text_quote(const char *data, size_t size, char ret_text[XF_QUOTE_SIZE])
{
    static const char more[] = "'...";
    size_t shown = xf_utf8_cut(data, size, XF_QUOTE_SIZE - 1 - sizeof(more));
    ret_text[0] = '\'';
    if (shown)
        memcpy(ret_text + 1, data, shown);
    xf_utf8_repair(ret_text + 1, shown);
    for (size_t i = 1; i <= shown; i++) {
        if ((unsigned char)ret_text[i] < 0x20 || ret_text[i] == 0x7f)
            ret_text[i] = '?';
    }
    if (shown < size) {
        memcpy(ret_text + 1 + shown, more, sizeof(more));
    } else {
        memcpy(ret_text + 1 + shown, "'", 2);
    }
    return ret_text;
}
