/* extfn call: one function of a library. SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/library.h"
#include "cli/result.h"

extfn_status cli_cmd_call(const cli_options *options, extfn_error *err)
{
    CLI_AUTO(cli_function_clear) extfn_function *function = NULL;
    extfn_error failure = {0};
    extfn_status status =
        cli_library_find(options->operands[0], options->operands[1], &function, &failure);
    if (status == EXTFN_ENOTFOUND)
        return cli_result_of_failure(options, &failure, err);
    if (status != EXTFN_OK) {
        *err = failure;
        return status;
    }
    return cli_result_of_call(options, function, options->operands + 2, options->operand_count - 2,
                              err);
}
