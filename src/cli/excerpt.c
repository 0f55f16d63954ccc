/* Lines of sources. SPDX-License-Identifier: MIT */
#include "cli/excerpt.h"

#include "cli/failure_line.h"
#include "cli/io.h"
#include "cli/look.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_LIMIT ((size_t)16 << 20)
#define SHOWN_LIMIT 100U /* bytes of a line */
#define BEFORE_LIMIT 60U /* of them before the caret, in a longer line */
#define WAT_PREFIX "wat:"
#define TAB "    "

/* ---- Places ---- */

void cli_place_clear(cli_place *place)
{
    cli_buf_clear(&place->file);
    *place = (cli_place){0};
}

cli_place cli_place_in_function(const extfn_function *function, const extfn_error *failure)
{
    cli_place place = {.line = cli_failure_line(failure->message)};
    place.text = extfn_function_body(function, &place.size);
    size_t prefix = strlen(WAT_PREFIX);
    if (place.size >= prefix && memcmp(place.text, WAT_PREFIX, prefix) == 0) {
        place.text += prefix;
        place.size -= prefix;
    }
    return place;
}

static extfn_status read_file(const char *path, cli_buf *ret_text, extfn_error *err)
{
    CLI_AUTO(cli_input_close) cli_input input = {0};
    CLI_TRY(cli_input_open(path, &input, err));
    return cli_input_read_all(&input, SOURCE_LIMIT, ret_text, err);
}

cli_place cli_place_in_file(const char *path, const extfn_error *problem)
{
    cli_place place = {0};
    size_t size = strlen(path);
    if (strncmp(problem->message, path, size) != 0 || problem->message[size] != ':')
        return place;
    char *end = NULL;
    long line = strtol(problem->message + size + 1, &end, 10);
    extfn_error ignored = {0};
    if (line <= 0 || *end != ':' || read_file(path, &place.file, &ignored) != EXTFN_OK)
        return place;
    place.text = place.file.data;
    place.size = place.file.size;
    place.line = line;
    return place;
}

/* ---- The line and the word in it ---- */

typedef struct span {
    const char *at;
    size_t size;
} span;

static bool find_line(const cli_place *place, span *ret_line)
{
    const char *at = place->text;
    const char *end = place->text + place->size;
    for (long line = 1; place->line > 0 && at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if (line == place->line) {
            size_t size = (size_t)(stop - at);
            *ret_line = (span){at, size > 0 && at[size - 1] == '\r' ? size - 1 : size};
            return true;
        }
        at = newline ? newline + 1 : end;
    }
    return false;
}

static bool is_of_word(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || (unsigned char)byte >= 0x80;
}

/* Not within a longer word. */
static bool stands_alone(span line, size_t at, size_t size)
{
    bool is_cut_before = at > 0 && is_of_word(line.at[at]) && is_of_word(line.at[at - 1]);
    bool is_cut_behind = at + size < line.size && is_of_word(line.at[at + size - 1]) &&
                         is_of_word(line.at[at + size]);
    return !is_cut_before && !is_cut_behind;
}

static bool find_word(span line, span word, span *ret_found)
{
    for (size_t at = 0; word.size > 0 && at + word.size <= line.size; at++) {
        if (memcmp(line.at + at, word.at, word.size) == 0 && stands_alone(line, at, word.size)) {
            *ret_found = (span){line.at + at, word.size};
            return true;
        }
    }
    return false;
}

static const struct quotes {
    const char *opening;
    const char *closing;
} quotes[] = {{"'", "'"}, {"`", "`"}, {"\"", "\""}, {"\xe2\x80\x98", "\xe2\x80\x99"}};

/* A word that stands in such quotes in the message and in the line. */
static bool find_quoted(span line, const char *message, const struct quotes *kind, span *ret_found)
{
    const char *at = strstr(message, kind->opening);
    while (at) {
        const char *word = at + strlen(kind->opening);
        const char *end = strstr(word, kind->closing);
        if (!end)
            return false;
        if (find_word(line, (span){word, (size_t)(end - word)}, ret_found))
            return true;
        at = strstr(end + strlen(kind->closing), kind->opening);
    }
    return false;
}

static span find_meant(span line, const char *message)
{
    span found = {0};
    for (size_t i = 0; i < sizeof(quotes) / sizeof(quotes[0]); i++) {
        if (find_quoted(line, message, &quotes[i], &found))
            return found;
    }
    size_t blank = 0;
    while (blank < line.size && (line.at[blank] == ' ' || line.at[blank] == '\t'))
        blank++;
    return (span){line.at + blank, 1};
}

/* ---- What is shown ---- */

/* A piece of a line, fit for a terminal. */
static extfn_status append_shown(cli_buf *buf, const char *at, const char *end, extfn_error *err)
{
    while (at < end) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        const char *stop = tab ? tab : end;
        CLI_TRY(cli_buf_append_plain(buf, at, (size_t)(stop - at), err));
        CLI_TRY(cli_buf_append_text(buf, tab ? TAB : "", err));
        at = tab ? tab + 1 : end;
    }
    return EXTFN_OK;
}

/* Columns of a terminal, where no character is wider than one. */
static size_t width(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += ((unsigned char)text[i] & 0xC0U) != 0x80U;
    return count;
}

static const char *next_character(const char *at, const char *end)
{
    while (at < end && ((unsigned char)*at & 0xC0U) == 0x80U)
        at++;
    return at;
}

static extfn_status append_repeated(cli_buf *buf, const char *sign, size_t count, extfn_error *err)
{
    for (size_t i = 0; i < count; i++)
        CLI_TRY(cli_buf_append_text(buf, sign, err));
    return EXTFN_OK;
}

/* What is shown of a line: not all where it is long. */
typedef struct cut {
    const char *start;
    const char *end;
    bool is_behind; /* the line's beginning is left out */
    bool is_before; /* its end */
} cut;

static cut cut_round(span line, span meant)
{
    const char *end = line.at + line.size;
    cut shown = {.start = line.at, .end = end};
    shown.is_behind = (size_t)(meant.at - line.at) > BEFORE_LIMIT && line.size > SHOWN_LIMIT;
    if (shown.is_behind)
        shown.start = next_character(meant.at - BEFORE_LIMIT, end);
    shown.is_before = (size_t)(end - shown.start) > SHOWN_LIMIT;
    if (shown.is_before)
        shown.end = next_character(shown.start + SHOWN_LIMIT, end);
    return shown;
}

/* How far the caret is from the line's beginning on the screen, and over how much it goes. */
typedef struct caret {
    size_t before;
    size_t marked;
} caret;

static extfn_status append_line(cli_buf *buf, span line, span meant, caret *ret_caret,
                                extfn_error *err)
{
    const cut shown = cut_round(line, meant);
    const char *stop = meant.at + meant.size < shown.end ? meant.at + meant.size : shown.end;
    size_t start = buf->size;
    CLI_TRY(cli_buf_append_text(buf, shown.is_behind ? "..." : "", err));
    CLI_TRY(append_shown(buf, shown.start, meant.at, err));
    size_t word = buf->size;
    CLI_TRY(append_shown(buf, meant.at, stop, err));
    *ret_caret = (caret){.before = width(buf->data + start, word - start),
                         .marked = width(buf->data + word, buf->size - word)};
    CLI_TRY(append_shown(buf, stop, shown.end, err));
    return cli_buf_append_text(buf, shown.is_before ? "...\n" : "\n", err);
}

static extfn_status append_caret(cli_buf *buf, size_t head_size, caret below, bool is_coloured,
                                 extfn_error *err)
{
    CLI_TRY(append_repeated(buf, " ", head_size - 2, err));
    CLI_TRY(cli_buf_append_text(buf, "| ", err));
    CLI_TRY(append_repeated(buf, " ", below.before, err));
    CLI_TRY(cli_buf_append_text(buf, cli_colour(is_coloured, CLI_COLOUR_CARET), err));
    CLI_TRY(cli_buf_append_text(buf, "^", err));
    CLI_TRY(append_repeated(buf, "~", below.marked > 1 ? below.marked - 1 : 0, err));
    CLI_TRY(cli_buf_append_text(buf, cli_colour(is_coloured, CLI_COLOUR_NONE), err));
    return cli_buf_append_text(buf, "\n", err);
}

extfn_status cli_excerpt_append(cli_buf *buf, const cli_place *place, const char *message,
                                bool is_coloured, extfn_error *err)
{
    span line = {0};
    if (!find_line(place, &line))
        return EXTFN_OK;
    char head[32];
    caret below = {0};
    int head_size = snprintf(head, sizeof(head), "  %5ld | ", place->line);
    CLI_TRY(cli_buf_append_text(buf, head, err));
    CLI_TRY(append_line(buf, line, find_meant(line, message), &below, err));
    return append_caret(buf, (size_t)head_size, below, is_coloured, err);
}
