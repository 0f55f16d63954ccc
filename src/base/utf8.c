#include "base/text.h"

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

bool xf_utf8_is_valid(const char *data, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)data;
    size_t at = 0;
    while (at < size) {
        size_t step = character_size(bytes + at, size - at);
        if (step == 0)
            return false;
        at += step;
    }
    return true;
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
