/* Any body: its examples are found and read. SPDX-License-Identifier: MIT */
#include "cli/example.h"
#include "cli/library.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const extfn_function *function)
{
    const char *text = NULL;
    size_t size = 0;
    int64_t line = 0;
    cli_example_cursor cursor = cli_example_start(function);
    while (cli_example_next(&cursor, &text, &size, &line)) {
        CLI_AUTO(cli_example_clear) cli_example example = {0};
        extfn_error err = {0};
        extfn_status status = cli_example_parse(function, text, size, &example, &err);
        if ((status == EXTFN_OK) != (err.message[0] == '\0') || line < 1)
            abort();
    }
}

/* The first byte picks the language. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_TEXT, EXTFN_BOOLEAN, EXTFN_DATETIME,
                                       EXTFN_ENUM};
    if (size < 2)
        return 0;
    extfn_function_options options = {.struct_size = sizeof(options),
                                      .name = "f",
                                      .language = (extfn_language)(data[0] % EXTFN_LANGUAGE_COUNT),
                                      .body = (const char *)data + 1,
                                      .body_size = size - 1,
                                      .arg_types = types,
                                      .arg_count = data[0] % 6,
                                      .return_type = EXTFN_TEXT};
    CLI_AUTO(cli_function_clear) extfn_function *function = NULL;
    if (extfn_function_new(&options, &function, NULL) == EXTFN_OK)
        read_all(function);
    return 0;
}
