/* extfn list: the functions of a library. SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/tell.h"

#include <stdio.h>

/* Tells each bad file and remembers the first. */
static void warn_of(const char *path, const extfn_error *problem, void *context)
{
    extfn_error *first = context;
    cli_warn_of_file(path, problem);
    if (first->status == EXTFN_OK)
        *first = *problem;
}

static extfn_status write_line(cli_output *output, const extfn_function *function, extfn_error *err)
{
    CLI_AUTO(cli_text_clear) char *signature = NULL;
    CLI_TRY(extfn_function_signature(function, &signature, err));
    char language[16];
    (void)snprintf(language, sizeof(language), "%-6s  ",
                   extfn_language_text(extfn_function_language(function)));
    CLI_TRY(cli_output_write_text(output, language, err));
    CLI_TRY(cli_output_write_text(output, signature, err));
    return cli_output_write_text(output, "\n", err);
}

static extfn_status write_json(cli_output *output, const extfn_function *function, bool is_first,
                               extfn_error *err)
{
    CLI_AUTO(cli_text_clear) char *json = NULL;
    CLI_TRY(extfn_function_to_json(function, &json, err));
    CLI_TRY(cli_output_write_text(output, is_first ? "" : ",\n", err));
    return cli_output_write_text(output, json, err);
}

static extfn_status write_all(const cli_options *options, const extfn_registry *registry,
                              cli_output *output, extfn_error *err)
{
    if (options->is_json)
        CLI_TRY(cli_output_write_text(output, "[", err));
    for (size_t i = 0; i < extfn_registry_count(registry); i++) {
        CLI_AUTO(cli_function_clear) extfn_function *function = extfn_registry_at(registry, i);
        if (options->is_json) {
            CLI_TRY(write_json(output, function, i == 0, err));
        } else {
            CLI_TRY(write_line(output, function, err));
        }
    }
    if (options->is_json)
        CLI_TRY(cli_output_write_text(output, "]\n", err));
    return cli_output_flush(output, err);
}

extfn_status cli_cmd_list(const cli_options *options, extfn_error *err)
{
    CLI_AUTO(cli_registry_clear) extfn_registry *registry = NULL;
    extfn_error problem = {0};
    CLI_TRY(cli_library_open(options->operands[0], warn_of, &problem, &registry, err));
    CLI_AUTO(cli_output_close) cli_output output = CLI_STDOUT;
    CLI_TRY(write_all(options, registry, &output, err));
    if (problem.status != EXTFN_OK) {
        err->message[0] = '\0'; /* the warnings told it */
        return EXTFN_ERUNTIME;
    }
    return extfn_registry_is_empty(registry) ? cli_library_fail_empty(options->operands[0], err)
                                             : EXTFN_OK;
}
