/* Filling templates. SPDX-License-Identifier: MIT */
#include "cli/html.h"

#include <assert.h>
#include <string.h>

#define PART_HEAD "<!-- part: "
#define PART_TAIL " -->\n"
#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* ---- Text of anybody ---- */

static const char *entity_of(char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '`': /* ends an attribute in browsers of old */
        return "&#96;";
    default:
        return NULL;
    }
}

/* Its picture, U+2400 and following. */
static extfn_status append_control(cli_buf *buf, unsigned char byte, extfn_error *err)
{
    const char picture[] = {'\xE2', '\x90', (char)(0x80 + (byte == 0x7F ? 0x21 : byte))};
    return cli_buf_append(buf, picture, sizeof(picture), err);
}

/* C1 controls; marks that turn the direction, so that a text reads as another than it is; what is
 * no character. */
static bool is_misleading(const char *at, size_t size)
{
    static const struct {
        const char *first;
        const char *last;
    } ranges[] = {
        {"\xC2\x80", "\xC2\x9F"},         /* U+0080 to U+009F */
        {"\xE2\x80\xAA", "\xE2\x80\xAE"}, /* U+202A to U+202E */
        {"\xE2\x81\xA6", "\xE2\x81\xA9"}, /* U+2066 to U+2069 */
        {"\xE2\x80\xA8", "\xE2\x80\xA9"}, /* separators of lines and paragraphs */
        {"\xEF\xB7\x90", "\xEF\xB7\xAF"}, /* U+FDD0 to U+FDEF */
        {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}, /* U+FFFE, U+FFFF */
        {"\xEF\xBB\xBF", "\xEF\xBB\xBF"}, /* byte order mark */
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if (strlen(ranges[i].first) == size && memcmp(at, ranges[i].first, size) >= 0 &&
            memcmp(at, ranges[i].last, size) <= 0)
            return true;
    }
    return false;
}

static extfn_status append_character(cli_buf *buf, const char *at, size_t size, extfn_error *err)
{
    unsigned char first = (unsigned char)*at;
    const char *entity = entity_of(*at);
    if (size == 0 || is_misleading(at, size))
        return cli_buf_append_text(buf, REPLACEMENT, err);
    if (entity)
        return cli_buf_append_text(buf, entity, err);
    if ((first < 0x20 && first != '\n' && first != '\t') || first == 0x7F)
        return append_control(buf, first, err);
    return cli_buf_append(buf, at, size, err);
}

extfn_status cli_html_append(cli_buf *buf, const char *data, size_t size, extfn_error *err)
{
    for (size_t at = 0; at < size;) {
        size_t character = cli_utf8_character_size(data + at, size - at);
        CLI_TRY(append_character(buf, data + at, character, err));
        at += character ? character : 1;
    }
    return EXTFN_OK;
}

/* ---- Templates ---- */

cli_html cli_html_parse(const char *text)
{
    cli_html html = {.count = 0};
    const char *head = strstr(text, PART_HEAD);
    while (head) {
        assert(html.count < CLI_HTML_PARTS_LIMIT);
        cli_html_part *part = &html.parts[html.count++];
        part->name = head + strlen(PART_HEAD);
        const char *tail = strstr(part->name, PART_TAIL);
        assert(tail);
        part->name_size = (size_t)(tail - part->name);
        part->text = tail + strlen(PART_TAIL);
        head = strstr(part->text, PART_HEAD);
        part->size = head ? (size_t)(head - part->text) : strlen(part->text);
    }
    return html;
}

static const cli_html_part *find_part(const cli_html *html, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < html->count; i++) {
        const cli_html_part *part = &html->parts[i];
        if (part->name_size == size && memcmp(part->name, name, size) == 0)
            return part;
    }
    return NULL;
}

static const cli_html_field *find_field(const cli_html_field *fields, size_t count,
                                        const char *name, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(fields[i].name) == size && memcmp(fields[i].name, name, size) == 0)
            return &fields[i];
    }
    return NULL;
}

/* Bytes of `{NAME}` at the place, or 0. Style sheets have braces as well, with space in them. */
static size_t field_size(const char *at, const char *end)
{
    const char *close = memchr(at, '}', (size_t)(end - at));
    size_t size = close ? (size_t)(close - at) + 1 : 0;
    for (size_t i = 1; i + 1 < size; i++) {
        if ((at[i] < 'a' || at[i] > 'z') && at[i] != '_')
            return 0;
    }
    return size > 2 ? size : 0;
}

extfn_status cli_html_append_part(cli_buf *buf, const cli_html *html, const char *name,
                                  const cli_html_field *fields, size_t count, extfn_error *err)
{
    const cli_html_part *part = find_part(html, name);
    assert(part);
    const char *at = part ? part->text : "";
    const char *end = at + (part ? part->size : 0);
    while (at < end) {
        const char *brace = memchr(at, '{', (size_t)(end - at));
        const char *stop = brace ? brace : end;
        CLI_TRY(cli_buf_append(buf, at, (size_t)(stop - at), err));
        size_t size = brace ? field_size(brace, end) : 0;
        const cli_html_field *field =
            size > 0 ? find_field(fields, count, brace + 1, size - 2) : NULL;
        assert(size == 0 || field);
        if (field)
            CLI_TRY(cli_html_append(buf, field->data, field->size, err));
        if (brace && size == 0)
            CLI_TRY(cli_buf_append_text(buf, "{", err));
        at = brace ? brace + (size > 0 ? size : 1) : end;
    }
    return EXTFN_OK;
}
