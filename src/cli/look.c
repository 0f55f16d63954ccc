/* Terminals and their colours. SPDX-License-Identifier: MIT */
#include "cli/look.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program reads its environment before it has a second thread. */
static const char *variable(const char *name)
{
    const char *value = getenv(name); /* NOLINT(concurrency-mt-unsafe) */
    return value ? value : "";
}

cli_look cli_look_of(int fd)
{
    cli_look look = {.is_terminal = isatty(fd) == 1};
    look.is_coloured =
        look.is_terminal && !variable("NO_COLOR")[0] && strcmp(variable("TERM"), "dumb") != 0;
    return look;
}

const char *cli_colour(bool is_coloured, cli_colour_id id)
{
    static const char *const codes[] = {
        [CLI_COLOUR_NONE] = "\033[0m",
        [CLI_COLOUR_ERROR] = "\033[1;31m",
        [CLI_COLOUR_WARNING] = "\033[1;33m",
        [CLI_COLOUR_CARET] = "\033[1;32m",
    };
    return is_coloured ? codes[id] : "";
}
