/* Growable text; bytes as JSON and as one plain line. SPDX-License-Identifier: MIT */
#include "cli/buf.h"

#include "cli/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void cli_buf_clear(cli_buf *buf)
{
    cli_free(buf->data);
    *buf = (cli_buf){0};
}

extfn_status cli_buf_reserve(cli_buf *buf, size_t more, extfn_error *err)
{
    if (more >= SIZE_MAX / 4 - buf->size)
        return cli_fail_oom(err);
    size_t needed = buf->size + more + 1;
    if (needed <= buf->capacity)
        return EXTFN_OK;
    size_t capacity = needed > buf->capacity * 2 ? needed : buf->capacity * 2;
    char *data = cli_realloc_array(buf->data, capacity, 1);
    if (!data)
        return cli_fail_oom(err);
    buf->data = data;
    buf->capacity = capacity;
    return EXTFN_OK;
}

extfn_status cli_buf_append(cli_buf *buf, const void *data, size_t size, extfn_error *err)
{
    CLI_TRY(cli_buf_reserve(buf, size, err));
    if (size)
        memcpy(buf->data + buf->size, data, size);
    buf->size += size;
    buf->data[buf->size] = '\0';
    return EXTFN_OK;
}

extfn_status cli_buf_append_text(cli_buf *buf, const char *text, extfn_error *err)
{
    return cli_buf_append(buf, text, strlen(text), err);
}

/* How characters of more than a byte begin, and what may stand in the second byte: neither overlong
 * forms nor surrogates nor beyond U+10FFFF. */
typedef struct utf8_lead {
    unsigned char first;
    unsigned char last;
    unsigned char second_first;
    unsigned char second_last;
    unsigned char size;
} utf8_lead;

static const utf8_lead utf8_leads[] = {
    {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
    {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
    {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

static const utf8_lead *find_lead(unsigned char byte)
{
    for (size_t i = 0; i < sizeof(utf8_leads) / sizeof(utf8_leads[0]); i++) {
        if (byte >= utf8_leads[i].first && byte <= utf8_leads[i].last)
            return &utf8_leads[i];
    }
    return NULL;
}

/* Bytes of the UTF-8 character at the start of the data, 0 when there is none. */
static size_t character_size(const unsigned char *data, size_t size)
{
    if (data[0] < 0x80)
        return 1;
    const utf8_lead *lead = find_lead(data[0]);
    if (!lead || lead->size > size || data[1] < lead->second_first || data[1] > lead->second_last)
        return 0;
    for (size_t i = 2; i < lead->size; i++) {
        if ((data[i] & 0xC0) != 0x80)
            return 0;
    }
    return lead->size;
}

size_t cli_utf8_character_size(const char *data, size_t size)
{
    return character_size((const unsigned char *)data, size);
}

bool cli_utf8_is_valid(const char *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t character = character_size((const unsigned char *)data + at, size - at);
        if (character == 0)
            return false;
        at += character;
    }
    return true;
}

size_t cli_utf8_fit(const char *text, size_t size, size_t limit)
{
    if (size <= limit)
        return size;
    size_t kept = limit;
    while (kept > 0 && ((unsigned char)text[kept] & 0xC0U) == 0x80U)
        kept--;
    return kept;
}

typedef extfn_status append_byte_fn(cli_buf *buf, unsigned char byte, size_t character,
                                    extfn_error *err);

/* Copies whole characters; `append_byte` takes each control character, backslash and quote, and
 * each byte of no character (`character` is 0). */
static extfn_status append_escaped(cli_buf *buf, const char *data, size_t size,
                                   append_byte_fn *append_byte, extfn_error *err)
{
    for (size_t at = 0; at < size;) {
        const unsigned char *next = (const unsigned char *)data + at;
        size_t character = character_size(next, size - at);
        bool is_special = character == 0 || *next < 0x20 || *next == 0x7F || *next == '"' ||
                          *next == '\\' || (*next == 0xC2 && next[1] < 0xA0);
        if (!is_special && character > 0) {
            CLI_TRY(cli_buf_append(buf, next, character, err));
        } else {
            CLI_TRY(append_byte(buf, character == 2 ? next[1] : *next, character, err));
        }
        at += character ? character : 1;
    }
    return EXTFN_OK;
}

static extfn_status append_json_byte(cli_buf *buf, unsigned char byte, size_t character,
                                     extfn_error *err)
{
    static const char shorts[] = "\b\t\n\f\r\"\\";
    static const char letters[] = "btnfr\"\\";
    const char *known = byte && character == 1 ? strchr(shorts, byte) : NULL;
    char text[8];
    if (known) {
        (void)snprintf(text, sizeof(text), "\\%c", letters[known - shorts]);
    } else {
        (void)snprintf(text, sizeof(text), "\\u%04x", character ? (unsigned)byte : 0xFFFDU);
    }
    return cli_buf_append_text(buf, text, err);
}

static extfn_status append_plain_byte(cli_buf *buf, unsigned char byte, size_t character,
                                      extfn_error *err)
{
    if (character == 1 && (byte == '"' || byte == '\\'))
        return cli_buf_append(buf, &byte, 1, err);
    char text[8];
    if (byte == '\n')
        return cli_buf_append_text(buf, "\\n", err);
    (void)snprintf(text, sizeof(text), "\\x%02x", (unsigned)byte);
    return cli_buf_append_text(buf, text, err);
}

extfn_status cli_buf_append_json(cli_buf *buf, const char *data, size_t size, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, "\"", err));
    CLI_TRY(append_escaped(buf, data, size, append_json_byte, err));
    return cli_buf_append_text(buf, "\"", err);
}

extfn_status cli_buf_append_plain(cli_buf *buf, const char *data, size_t size, extfn_error *err)
{
    return append_escaped(buf, data, size, append_plain_byte, err);
}
