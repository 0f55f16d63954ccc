/* --help of the program and of each command. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_HELP_H
#define XF_CLI_HELP_H

#include "cli/commands.h"
#include "cli/io.h"

EXTFN_MUST_CHECK extfn_status cli_help_program(cli_output *output, extfn_error *err);
EXTFN_MUST_CHECK extfn_status cli_help_command(const cli_command *command, cli_output *output,
                                               extfn_error *err);

#endif
