/* Options and operands, from the table of options. SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "cli/alloc.h"
#include "cli/commands.h"
#include "cli/nearest.h"

#include <extfn/value.h>

#include <string.h>

static const cli_option table[] = {
#define X(name_, text_, letter_, argument_, help_)                                                 \
    [CLI_OPTION_##                                                                                 \
        name_] = {.name = (text_), .letter = (letter_), .argument = (argument_), .help = (help_)},
    CLI_OPTION_MAP(X)
#undef X
};

#define OPTION_COUNT (sizeof(table) / sizeof(table[0]))

const cli_option *cli_option_at(size_t position)
{
    return position < OPTION_COUNT ? &table[position] : NULL;
}

void cli_options_clear(cli_options *options)
{
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        cli_buf_clear(&options->packages[i]);
        cli_buf_clear(&options->interpreters[i]);
    }
    cli_free(options->operands);
    *options = (cli_options){0};
}

static extfn_status add_package(cli_options *options, const char *text, extfn_error *err)
{
    extfn_language language = EXTFN_PYTHON;
    CLI_AUTO(cli_buf_clear) cli_buf path = {0};
    CLI_TRY(cli_language_path_parse(text, &language, &path, err));
    if (strchr(path.data, ':'))
        return cli_fail(err, EXTFN_EINVAL, "'%s' has a colon; link it under another name", text);
    cli_buf *packages = &options->packages[language];
    if (packages->size > 0)
        CLI_TRY(cli_buf_append_text(packages, ":", err));
    return cli_buf_append_text(packages, path.data, err);
}

static extfn_status set_interpreter(cli_options *options, const char *text, extfn_error *err)
{
    extfn_language language = EXTFN_PYTHON;
    CLI_AUTO(cli_buf_clear) cli_buf path = {0};
    CLI_TRY(cli_language_path_parse(text, &language, &path, err));
    cli_buf_clear(&options->interpreters[language]);
    return cli_buf_append_text(&options->interpreters[language], path.data, err);
}

static extfn_status apply(cli_options *options, cli_option_id id, const char *value,
                          extfn_error *err)
{
    switch (id) {
    case CLI_OPTION_LANGUAGE:
        options->language = value;
        return EXTFN_OK;
    case CLI_OPTION_TYPES:
        options->types = value;
        return EXTFN_OK;
    case CLI_OPTION_RETURN:
        options->return_type = value;
        return EXTFN_OK;
    case CLI_OPTION_OUTPUT:
        options->output = value;
        return EXTFN_OK;
    case CLI_OPTION_COLUMN:
        options->column = value;
        return EXTFN_OK;
    case CLI_OPTION_RECORD:
        options->record = value;
        return EXTFN_OK;
    case CLI_OPTION_KEEP_GOING:
        options->is_keeping_going = true;
        return EXTFN_OK;
    case CLI_OPTION_JSON:
        options->is_json = true;
        return EXTFN_OK;
    case CLI_OPTION_VERBOSE:
        options->is_verbose = true;
        return EXTFN_OK;
    case CLI_OPTION_COST:
        options->is_cost_told = true;
        return EXTFN_OK;
    case CLI_OPTION_HELP:
        options->is_help = true;
        return EXTFN_OK;
    case CLI_OPTION_TIMEOUT:
        return cli_duration_parse(value, &options->timeout_us, err);
    case CLI_OPTION_MEMORY:
        return cli_memory_parse(value, &options->memory_bytes, err);
    case CLI_OPTION_MEMO:
        return cli_memo_parse(value, &options->memo_bytes, err);
    case CLI_OPTION_WORKERS:
        return cli_workers_parse(value, &options->workers, err);
    case CLI_OPTION_WORKERS_MEMORY:
        return cli_memory_parse(value, &options->workers_memory_bytes, err);
    case CLI_OPTION_PACKAGES:
        return add_package(options, value, err);
    case CLI_OPTION_INTERPRETER:
        return set_interpreter(options, value, err);
    }
    return EXTFN_OK;
}

/* `-3`, `-.5`, `-inf` */
static bool is_negative_number(const char *word)
{
    extfn_value value = {0};
    return extfn_value_parse(word, strlen(word), EXTFN_NUMBER, &value, NULL) == EXTFN_OK;
}

static bool is_named(const cli_option *option, const char *word, size_t size)
{
    bool is_long = size > 2 && strncmp(word, "--", 2) == 0 && strlen(option->name) == size - 2 &&
                   strncmp(option->name, word + 2, size - 2) == 0;
    bool is_short = word[1] != '-' && word[1] == option->letter;
    return is_long || is_short;
}

static extfn_status find(const cli_command *command, const char *word, cli_option_id *ret_id,
                         extfn_error *err)
{
    size_t size = strcspn(word, "=");
    cli_nearest nearest = {0};
    char wanted[32] = {0};
    if (size > 2)
        memcpy(wanted, word + 2, size - 2 < sizeof(wanted) ? size - 2 : sizeof(wanted) - 1);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (!(command->accepted & (UINT32_C(1) << i)))
            continue;
        if (is_named(&table[i], word, size)) {
            *ret_id = (cli_option_id)i;
            return EXTFN_OK;
        }
        cli_nearest_offer(&nearest, wanted, table[i].name);
    }
    if (nearest.word) {
        return cli_fail(err, EXTFN_EINVAL, "unknown option '%.*s'; did you mean '--%s'?", (int)size,
                        word, nearest.word);
    }
    return cli_fail(err, EXTFN_EINVAL,
                    "unknown option '%.*s'; see 'extfn %s --help' (a value like this follows '--')",
                    (int)size, word, command->name);
}

/* The value within the word (`--timeout=2`, `-lpython`), else NULL. */
static const char *inline_value(const char *word)
{
    if (word[1] != '-')
        return word[2] ? word + 2 : NULL;
    const char *equals = strchr(word, '=');
    return equals ? equals + 1 : NULL;
}

/* Reads the option at argv[0]; *ret_used words of argv belong to it. */
static extfn_status read_option(cli_options *options, int argc, const char *const *argv,
                                int *ret_used, extfn_error *err)
{
    cli_option_id id = CLI_OPTION_HELP;
    CLI_TRY(find(options->command, argv[0], &id, err));
    const char *value = inline_value(argv[0]);
    const char *argument = table[id].argument;
    if (!argument && value)
        return cli_fail(err, EXTFN_EINVAL, "option '--%s' takes no value", table[id].name);
    int used = 1;
    if (argument && !value) {
        if (argc < 2) {
            return cli_fail(err, EXTFN_EINVAL, "option '--%s' has no value; write '--%s %s'",
                            table[id].name, table[id].name, argument);
        }
        value = argv[1];
        used = 2;
    }
    *ret_used = used;
    return apply(options, id, value, err);
}

static extfn_status check_operands(const cli_options *options, extfn_error *err)
{
    const cli_command *command = options->command;
    bool is_missing = options->operand_count < command->operands_min;
    if (options->is_help || (!is_missing && options->operand_count <= command->operands_max))
        return EXTFN_OK;
    return cli_fail(err, EXTFN_EINVAL, "%s arguments for '%s'; usage: extfn %s%s%s",
                    is_missing ? "not enough" : "too many", command->name, command->name,
                    command->operands[0] ? " " : "", command->operands);
}

extfn_status cli_options_parse(const cli_command *command, int argc, const char *const *argv,
                               cli_options *options, extfn_error *err)
{
    options->command = command;
    options->operands = cli_realloc_array(NULL, (size_t)argc + 1, sizeof(*options->operands));
    if (!options->operands)
        return cli_fail_oom(err);
    bool is_open = true;
    for (int at = 0; at < argc;) {
        const char *word = argv[at];
        int used = 1;
        if (is_open && strcmp(word, "--") == 0) {
            is_open = false;
        } else if (is_open && word[0] == '-' && word[1] && !is_negative_number(word)) {
            CLI_TRY(read_option(options, argc - at, argv + at, &used, err));
        } else {
            options->operands[options->operand_count++] = word;
        }
        at += used;
    }
    return check_operands(options, err);
}
