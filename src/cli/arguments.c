/* Words of the command line as types and values. SPDX-License-Identifier: MIT */
#include "cli/arguments.h"

#include "cli/alloc.h"
#include "cli/form.h"

#include <string.h>
#include <strings.h>

extfn_status cli_type_parse(const char *text, size_t size, extfn_type *ret_type, extfn_error *err)
{
    for (extfn_type type = EXTFN_NUMBER; type < EXTFN_ERROR; type++) {
        const char *name = extfn_type_text(type);
        if (strlen(name) == size && strncasecmp(name, text, size) == 0) {
            *ret_type = type;
            return EXTFN_OK;
        }
    }
    return cli_fail(err, EXTFN_EINVAL,
                    "type '%.*s' is unknown; there are number, boolean, text, datetime and enum",
                    (int)(size < 100 ? size : 100), text);
}

extfn_status cli_signature_parse(const char *text, cli_signature *ret_signature, extfn_error *err)
{
    cli_signature signature = {0};
    const char *arrow = strstr(text, "->");
    const char *end = arrow ? arrow : text + strlen(text);
    while (text < end) {
        if (signature.arg_count == EXTFN_ARGUMENT_LIMIT) {
            return cli_fail(err, EXTFN_EINVAL, "more than %d arguments; pass fewer",
                            EXTFN_ARGUMENT_LIMIT);
        }
        const char *comma = memchr(text, ',', (size_t)(end - text));
        const char *stop = comma ? comma : end;
        CLI_TRY(cli_type_parse(text, (size_t)(stop - text),
                               &signature.arg_types[signature.arg_count++], err));
        text = comma ? comma + 1 : end;
        if (comma && text == end)
            return cli_fail(err, EXTFN_EINVAL, "no type follows the last comma; remove it");
    }
    if (arrow)
        CLI_TRY(cli_type_parse(arrow + 2, strlen(arrow + 2), &signature.return_type, err));
    *ret_signature = signature;
    return EXTFN_OK;
}

static bool reads_as(const char *word, extfn_type type)
{
    extfn_value value = {0};
    return extfn_value_parse(word, strlen(word), type, &value, NULL) == EXTFN_OK;
}

static extfn_type guess(const char *word)
{
    if (reads_as(word, EXTFN_NUMBER))
        return EXTFN_NUMBER;
    return reads_as(word, EXTFN_BOOLEAN) ? EXTFN_BOOLEAN : EXTFN_TEXT;
}

extfn_status cli_signature_guess(const char *const *words, size_t count,
                                 cli_signature *ret_signature, extfn_error *err)
{
    if (count > EXTFN_ARGUMENT_LIMIT) {
        return cli_fail(err, EXTFN_EINVAL, "more than %d arguments; pass fewer",
                        EXTFN_ARGUMENT_LIMIT);
    }
    cli_signature signature = {.arg_count = count};
    for (size_t i = 0; i < count; i++)
        signature.arg_types[i] = guess(words[i]);
    *ret_signature = signature;
    return EXTFN_OK;
}

void cli_arguments_clear(cli_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        extfn_value_clear(&arguments->values[i]);
    cli_free(arguments->values);
    *arguments = (cli_arguments){0};
}

/* The contract's text, then what to write instead. */
static extfn_status fail_type(const extfn_function *function, size_t position, const char *word,
                              const extfn_error *failure, extfn_error *err)
{
    extfn_type type = extfn_function_arg_type(function, position);
    const char *name = extfn_function_arg_name(function, position);
    CLI_AUTO(cli_buf_clear) cli_buf subject = {0};
    CLI_TRY(cli_buf_append_text(&subject, name ? "'" : "it", err));
    CLI_TRY(cli_buf_append_text(&subject, name ? name : "", err));
    CLI_TRY(cli_buf_append_text(&subject, name ? "'" : "", err));
    CLI_AUTO(cli_buf_clear) cli_buf hint = {0};
    CLI_TRY(cli_form_append(&hint, subject.data, type, word, strlen(word), failure, err));
    return cli_fail(err, EXTFN_ETYPE,
                    "function %s: argument %zu type mismatch, expected %s, got Text%s",
                    extfn_function_name(function), position, extfn_type_text(type), hint.data);
}

static extfn_status read_one(const extfn_function *function, size_t position, const char *word,
                             extfn_value *ret_value, extfn_error *err)
{
    extfn_type type = extfn_function_arg_type(function, position);
    extfn_error inner = {0};
    extfn_status status = extfn_value_parse(word, strlen(word), type, ret_value, &inner);
    if (status == EXTFN_OK || status == EXTFN_ENOMEM)
        return status == EXTFN_OK ? EXTFN_OK : cli_fail_oom(err);
    return fail_type(function, position, word, &inner, err);
}

extfn_status cli_arguments_read(const extfn_function *function, const char *const *words,
                                size_t count, cli_arguments *arguments, extfn_error *err)
{
    bool is_complete = count == extfn_function_arity(function);
    arguments->values = cli_realloc_array(NULL, count, sizeof(*arguments->values));
    if (!arguments->values)
        return cli_fail_oom(err);
    for (size_t i = 0; i < count; i++) {
        extfn_value *value = &arguments->values[i];
        *value = (extfn_value){0};
        if (is_complete) {
            CLI_TRY(read_one(function, i, words[i], value, err));
        } else {
            CLI_TRY(extfn_value_text(words[i], strlen(words[i]), value, err));
        }
        arguments->count++;
    }
    return EXTFN_OK;
}
