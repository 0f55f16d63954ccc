/* Any command line: words are parted by NUL. SPDX-License-Identifier: MIT */
#include "cli/arguments.h"
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_LIMIT 100

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(const cli_command *command, int count, const char *const *words)
{
    CLI_AUTO(cli_options_clear) cli_options options = {0};
    extfn_error err = {0};
    extfn_status status = cli_options_parse(command, count, words, &options, &err);
    if ((status == EXTFN_OK) != (err.message[0] == '\0'))
        abort();
    cli_signature signature = {0};
    (void)!cli_signature_guess(options.operands, options.operand_count, &signature, &err);
    if (options.types)
        (void)!cli_signature_parse(options.types, &signature, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    extfn_error err = {0};
    if (cli_buf_append(&text, data, size, &err) != EXTFN_OK)
        return 0;
    const char *words[WORDS_LIMIT];
    int count = 0;
    for (size_t at = 0; at < size && count < WORDS_LIMIT; at += strlen(text.data + at) + 1)
        words[count++] = text.data + at;
    const cli_command *command = NULL;
    for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
        parse(command, count, words);
    return 0;
}
