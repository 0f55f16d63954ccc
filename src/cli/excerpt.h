/* The line of a function's source that a failure is about, with a caret below what is meant.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_EXCERPT_H
#define XF_CLI_EXCERPT_H

#include "cli/buf.h"

#include <extfn/function.h>

/* Where a failure is. Starts as `= {0}`: nowhere. */
typedef struct cli_place {
    cli_buf file;     /* read for this; or empty, and the text is the function's */
    const char *text; /* the source */
    size_t size;
    long line; /* from 1; 0: not known */
} cli_place;

void cli_place_clear(cli_place *place);

/* From a failure of the function that ends in its line: `ValueError: nope (line 3)`. The function
 * must outlive the place. */
cli_place cli_place_in_function(const extfn_function *function, const extfn_error *failure);

/* From a problem of a file that begins with its place: `PATH:3: ...`. Nowhere, if the file cannot
 * be read. */
cli_place cli_place_in_file(const char *path, const extfn_error *problem);

/* Appends two lines, or nothing when the place is not known:
 *       3 | result = foo(x)
 *         |          ^~~
 * The caret stands below a word of the line that the message quotes, else where the line begins. */
EXTFN_MUST_CHECK extfn_status cli_excerpt_append(cli_buf *buf, const cli_place *place,
                                                 const char *message, bool is_coloured,
                                                 extfn_error *err);

#endif
