/* The table of commands, one file each. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_COMMANDS_H
#define XF_CLI_COMMANDS_H

#include "cli/options.h"

/* A command that fails records why; main tells it and picks the exit status. One that has told it
 * already leaves the message empty. */
typedef extfn_status cli_command_fn(const cli_options *options, extfn_error *err);

struct cli_command {
    const char *name;
    const char *operands; /* as the usage line shows them */
    size_t operands_min;
    size_t operands_max;
    uint32_t accepted; /* CLI_OPTION_BIT of each option */
    const char *summary;
    const char *details;
    cli_command_fn *run;
};

/* NULL past the end, or when there is none of the name. */
const cli_command *cli_command_at(size_t position);
const cli_command *cli_command_find(const char *name);

cli_command_fn cli_cmd_apply, cli_cmd_bench, cli_cmd_call, cli_cmd_check, cli_cmd_doctor,
    cli_cmd_eval, cli_cmd_list, cli_cmd_new, cli_cmd_replay, cli_cmd_report, cli_cmd_rpc,
    cli_cmd_test;

#endif
