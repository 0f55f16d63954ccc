/* What a stream takes: a terminal colours and more than one line. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_LOOK_H
#define XF_CLI_LOOK_H

#include <stdbool.h>

typedef struct cli_look {
    bool is_terminal;
    bool is_coloured; /* a terminal that knows colours, and NO_COLOR is not set */
} cli_look;

cli_look cli_look_of(int fd);

typedef enum cli_colour_id {
    CLI_COLOUR_NONE, /* back to the terminal's own */
    CLI_COLOUR_ERROR,
    CLI_COLOUR_WARNING,
    CLI_COLOUR_CARET,
} cli_colour_id;

/* What switches to it; nothing unless coloured. */
const char *cli_colour(bool is_coloured, cli_colour_id id);

#endif
