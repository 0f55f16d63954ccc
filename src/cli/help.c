/* What --help shows, from the tables of commands and options. SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include <stdio.h>

static extfn_status write_line(cli_output *output, const char *head, const char *tail,
                               extfn_error *err)
{
    char line[256];
    (void)snprintf(line, sizeof(line), "  %-24s  %s\n", head, tail);
    return cli_output_write_text(output, line, err);
}

extfn_status cli_help_program(cli_output *output, extfn_error *err)
{
    CLI_TRY(cli_output_write_text(output,
                                  "extfn runs functions that others wrote, each in a sandbox.\n\n"
                                  "usage: extfn COMMAND [OPTIONS] ...\n"
                                  "       extfn COMMAND --help\n"
                                  "       extfn --version\n\n",
                                  err));
    const cli_command *command = NULL;
    for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
        CLI_TRY(write_line(output, command->name, command->summary, err));
    return cli_output_write_text(
        output,
        "\nExit status: 0 done; 1 the function failed, or a file of a library is bad, or input or\n"
        "output failed, or a replayed call had another outcome; 2 usage, or arguments or data that do\n"
        "not fit, or a library without function files, or a file that is no record;\n"
        "3 language unavailable; 4 sandbox unavailable; 5 timeout;\n"
        "128 and more: ended by that signal.\n\n"
        "Environment: IMPROV_EXTFN_TRUSTED=1 runs without a sandbox;\n"
        "IMPROV_EXTFN_ALLOW_UNSANDBOXED=1 does so only where none can be had;\n"
        "EXTFN_INTERPRETER_PYTHON and so on name interpreters.\n"
        "On a terminal errors are coloured, unless NO_COLOR is set, and show the line that failed.\n",
        err);
}

static extfn_status write_option(const cli_option *option, cli_output *output, extfn_error *err)
{
    char letter[8] = "";
    if (option->letter)
        (void)snprintf(letter, sizeof(letter), "-%c, ", option->letter);
    char head[64];
    (void)snprintf(head, sizeof(head), "%s--%s%s%s", letter, option->name,
                   option->argument ? " " : "", option->argument ? option->argument : "");
    return write_line(output, head, option->help, err);
}

extfn_status cli_help_command(const cli_command *command, cli_output *output, extfn_error *err)
{
    char usage[160];
    (void)snprintf(usage, sizeof(usage), "usage: extfn %s [OPTIONS]%s%s\n\n", command->name,
                   command->operands[0] ? " " : "", command->operands);
    CLI_TRY(cli_output_write_text(output, usage, err));
    CLI_TRY(cli_output_write_text(output, command->details, err));
    CLI_TRY(cli_output_write_text(output, "\nOptions:\n", err));
    const cli_option *option = NULL;
    for (size_t i = 0; (option = cli_option_at(i)) != NULL; i++) {
        if (command->accepted & (UINT32_C(1) << i))
            CLI_TRY(write_option(option, output, err));
    }
    return EXTFN_OK;
}
