/* extfn, the program. SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/nearest.h"
#include "cli/tell.h"

#include <extfn/extfn.h>

#include <string.h>

static extfn_status unknown_command(const char *word, extfn_error *err)
{
    cli_nearest nearest = {0};
    const cli_command *command = NULL;
    for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
        cli_nearest_offer(&nearest, word, command->name);
    if (nearest.word) {
        return cli_fail(err, EXTFN_EINVAL, "unknown command '%s'; did you mean '%s'?", word,
                        nearest.word);
    }
    return cli_fail(err, EXTFN_EINVAL, "unknown command '%s'; see 'extfn --help'", word);
}

static extfn_status write_version(cli_output *output, extfn_error *err)
{
    CLI_TRY(cli_output_write_text(output, "extfn ", err));
    CLI_TRY(cli_output_write_text(output, extfn_version(), err));
    return cli_output_write_text(output, "\n", err);
}

static extfn_status run_command(const cli_command *command, int argc, const char *const *argv,
                                cli_output *output, extfn_error *err)
{
    CLI_AUTO(cli_options_clear) cli_options options = {0};
    CLI_TRY(cli_options_parse(command, argc, argv, &options, err));
    if (options.is_help)
        return cli_help_command(command, output, err);
    return command->run(&options, err);
}

static extfn_status run(int argc, const char *const *argv, extfn_error *err)
{
    CLI_TRY(cli_interrupt_start(err));
    CLI_AUTO(cli_output_close) cli_output output = CLI_STDOUT;
    const char *word = argc > 1 ? argv[1] : "";
    if (argc < 2)
        return cli_fail(err, EXTFN_EINVAL, "no command given; see 'extfn --help'");
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        CLI_TRY(cli_help_program(&output, err));
    } else if (strcmp(word, "--version") == 0) {
        CLI_TRY(write_version(&output, err));
    } else {
        const cli_command *command = cli_command_find(word);
        if (!command)
            return unknown_command(word, err);
        CLI_TRY(run_command(command, argc - 2, argv + 2, &output, err));
    }
    return cli_output_flush(&output, err);
}

int main(int argc, char **argv)
{
    cli_io_hold_standard_descriptors();
    extfn_error err = {0};
    extfn_status status = run(argc, (const char *const *)argv, &err);
    int caught = cli_interrupt_signal();
    if (status != EXTFN_OK && caught)
        return 128 + caught;
    if (status != EXTFN_OK)
        cli_tell(&err);
    return cli_exit_status(status);
}
