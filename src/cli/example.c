/* Finding and reading examples. SPDX-License-Identifier: MIT */
#include "cli/example.h"

#include "cli/form.h"

#include <string.h>

#define MARK "extfn-example:"
#define ERROR_MARK "error:"
#define WAT_PREFIX "wat:" /* of the body, not of the file */

static const char *const leaders[EXTFN_LANGUAGE_COUNT] = {
    [EXTFN_PYTHON] = "#", [EXTFN_R] = "#",     [EXTFN_JULIA] = "#",
    [EXTFN_PURE] = "//",  [EXTFN_WASM] = ";;",
};

/* ---- Text between two places ---- */

static bool has_prefix(const char *at, const char *end, const char *prefix)
{
    size_t size = strlen(prefix);
    return (size_t)(end - at) >= size && memcmp(at, prefix, size) == 0;
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && is_space(*at))
        at++;
    return at;
}

static const char *trim(const char *at, const char *end)
{
    while (end > at && is_space(end[-1]))
        end--;
    return end;
}

/* ---- Finding ---- */

cli_example_cursor cli_example_start(const extfn_function *function)
{
    extfn_language language = extfn_function_language(function);
    size_t size = 0;
    const char *body = extfn_function_body(function, &size);
    cli_example_cursor cursor = {.at = body, .end = body + size, .line = 1};
    cursor.leader = leaders[language];
    if (has_prefix(cursor.at, cursor.end, WAT_PREFIX) && language == EXTFN_WASM)
        cursor.at += strlen(WAT_PREFIX);
    else if (language == EXTFN_WASM)
        cursor.at = cursor.end;
    if (has_prefix(cursor.at, cursor.end, "\xef\xbb\xbf"))
        cursor.at += 3;
    return cursor;
}

/* Behind the mark, or NULL where the line is no example. */
static const char *find_mark(const char *at, const char *end, const char *leader)
{
    at = skip_space(at, end);
    if (!has_prefix(at, end, leader))
        return NULL;
    at = skip_space(at + strlen(leader), end);
    return has_prefix(at, end, MARK) ? at + strlen(MARK) : NULL;
}

bool cli_example_next(cli_example_cursor *cursor, const char **ret_text, size_t *ret_size,
                      int64_t *ret_line)
{
    while (cursor->at < cursor->end) {
        const char *newline = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));
        const char *end = newline ? newline : cursor->end;
        const char *text = find_mark(cursor->at, end, cursor->leader);
        cursor->at = newline ? newline + 1 : cursor->end;
        int64_t line = cursor->line++;
        if (!text)
            continue;
        *ret_text = skip_space(text, end);
        *ret_size = (size_t)(trim(*ret_text, end) - *ret_text);
        *ret_line = line;
        return true;
    }
    return false;
}

/* ---- Reading ---- */

typedef struct reader {
    const extfn_function *function;
    const char *at;
    const char *end;
} reader;

void cli_example_clear(cli_example *example)
{
    for (size_t i = 0; i < example->argument_count; i++)
        extfn_value_clear(&example->arguments[i]);
    extfn_value_clear(&example->expected);
    cli_buf_clear(&example->message);
    *example = (cli_example){0};
}

static extfn_status expect(reader *in, const char *sign, const char *wanted, extfn_error *err)
{
    in->at = skip_space(in->at, in->end);
    if (!has_prefix(in->at, in->end, sign)) {
        return cli_fail(err, EXTFN_EINVAL,
                        "%s is missing; an example is written NAME(ARGUMENT, ...) = RESULT",
                        wanted);
    }
    in->at = skip_space(in->at + strlen(sign), in->end);
    return EXTFN_OK;
}

/* Behind the closing quote, or NULL. */
static const char *end_of_quoted(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '"')
            return at + 1;
        if (*at == '\\')
            at++;
    }
    return NULL;
}

static extfn_status read_quoted(reader *in, extfn_type type, extfn_value *ret_value,
                                extfn_error *err)
{
    const char *end = end_of_quoted(in->at, in->end);
    if (!end)
        return cli_fail(err, EXTFN_EINVAL, "a quote is never closed");
    extfn_error inner = {0};
    extfn_status status =
        extfn_value_from_json(in->at, (size_t)(end - in->at), type, ret_value, &inner);
    if (status == EXTFN_ENOMEM)
        return cli_fail_oom(err);
    if (status != EXTFN_OK) {
        return cli_fail(err, EXTFN_EINVAL, "%.*s is no %s: %s", (int)(end - in->at), in->at,
                        extfn_type_text(type), inner.message);
    }
    in->at = end;
    return EXTFN_OK;
}

static extfn_status fail_plain(const char *word, size_t size, extfn_type type,
                               const extfn_error *failure, extfn_error *err)
{
    if (type == EXTFN_TEXT)
        return cli_fail(err, EXTFN_EINVAL, "%.*s is no Text; a text is written in quotes",
                        (int)size, word);
    CLI_AUTO(cli_buf_clear) cli_buf hint = {0};
    CLI_TRY(cli_form_append(&hint, "it", type, word, size, failure, err));
    return cli_fail(err, EXTFN_EINVAL, "'%.*s' is no %s%s", (int)size, word, extfn_type_text(type),
                    hint.data);
}

/* Up to one of the signs, or the end. */
static extfn_status read_plain(reader *in, extfn_type type, const char *signs,
                               extfn_value *ret_value, extfn_error *err)
{
    const char *stop = in->at;
    while (stop < in->end && !(*stop && strchr(signs, *stop)))
        stop++;
    size_t size = (size_t)(trim(in->at, stop) - in->at);
    extfn_error inner = {0};
    extfn_status status = type == EXTFN_TEXT
                              ? EXTFN_EINVAL
                              : extfn_value_parse(in->at, size, type, ret_value, &inner);
    if (status == EXTFN_ENOMEM)
        return cli_fail_oom(err);
    if (status != EXTFN_OK)
        return fail_plain(in->at, size, type, &inner, err);
    in->at = stop;
    return EXTFN_OK;
}

static extfn_status read_value(reader *in, extfn_type type, const char *signs,
                               extfn_value *ret_value, extfn_error *err)
{
    return has_prefix(in->at, in->end, "\"") ? read_quoted(in, type, ret_value, err)
                                             : read_plain(in, type, signs, ret_value, err);
}

static extfn_status read_name(reader *in, extfn_error *err)
{
    const char *name = extfn_function_name(in->function);
    const char *open = memchr(in->at, '(', (size_t)(in->end - in->at));
    const char *stop = trim(in->at, open ? open : in->end);
    size_t size = (size_t)(stop - in->at);
    if (open && (size != strlen(name) || memcmp(in->at, name, size) != 0)) {
        return cli_fail(err, EXTFN_EINVAL, "the function is named '%s', the example calls '%.*s'",
                        name, (int)size, in->at);
    }
    in->at = stop;
    return expect(in, "(", "'(' and the arguments", err);
}

static extfn_status read_arguments(reader *in, cli_example *example, extfn_error *err)
{
    size_t arity = extfn_function_arity(in->function);
    for (size_t i = 0; i < arity; i++) {
        if (in->at == in->end || *in->at == ')') {
            return cli_fail(err, EXTFN_EINVAL, "the function has %zu argument(s), the example %zu",
                            arity, i);
        }
        extfn_type type = extfn_function_arg_type(in->function, i);
        CLI_TRY(read_value(in, type, ",)", &example->arguments[i], err));
        example->argument_count++;
        in->at = skip_space(in->at, in->end);
        if (i + 1 < arity && has_prefix(in->at, in->end, ","))
            in->at = skip_space(in->at + 1, in->end);
    }
    if (has_prefix(in->at, in->end, ","))
        return cli_fail(err, EXTFN_EINVAL, "the function has %zu argument(s), the example more",
                        arity);
    return expect(in, ")", "')'", err);
}

static extfn_status read_message(reader *in, cli_example *example, extfn_error *err)
{
    in->at = skip_space(in->at + strlen(ERROR_MARK), in->end);
    if (in->at == in->end)
        return cli_fail(err, EXTFN_EINVAL, "no text follows 'error:'; write a part of the message");
    return cli_buf_append(&example->message, in->at, (size_t)(in->end - in->at), err);
}

extfn_status cli_example_parse(const extfn_function *function, const char *text, size_t size,
                               cli_example *example, extfn_error *err)
{
    reader in = {.function = function, .at = text, .end = text + size};
    CLI_TRY(read_name(&in, err));
    CLI_TRY(read_arguments(&in, example, err));
    CLI_TRY(expect(&in, "=", "'=' and the result", err));
    if (has_prefix(in.at, in.end, ERROR_MARK))
        return read_message(&in, example, err);
    CLI_TRY(read_value(&in, extfn_function_return_type(function), "", &example->expected, err));
    in.at = skip_space(in.at, in.end);
    if (in.at < in.end) {
        return cli_fail(err, EXTFN_EINVAL, "'%.*s' follows the result; remove it",
                        (int)(in.end - in.at), in.at);
    }
    return EXTFN_OK;
}
