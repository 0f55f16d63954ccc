/* Examples that stand in function files as comments: `# extfn-example: hypot(3, 4) = 5`.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_EXAMPLE_H
#define XF_CLI_EXAMPLE_H

#include "cli/buf.h"

#include <extfn/function.h>

/* Where the next example of a body is looked for. */
typedef struct cli_example_cursor {
    const char *at;
    const char *end;
    const char *leader; /* begins a comment */
    int64_t line;       /* of `at`, from 1 */
} cli_example_cursor;

/* A WebAssembly module that is no text has no comments, so no examples. */
cli_example_cursor cli_example_start(const extfn_function *function);

/* False: there is no more. The text behind the mark is borrowed from the function, without spaces
 * round it. */
bool cli_example_next(cli_example_cursor *cursor, const char **ret_text, size_t *ret_size,
                      int64_t *ret_line);

/* What an example says. Starts as `= {0}`. */
typedef struct cli_example {
    extfn_value arguments[EXTFN_ARGUMENT_LIMIT];
    size_t argument_count;
    extfn_value expected; /* empty where an error is */
    cli_buf message;      /* that the error has to contain */
} cli_example;

void cli_example_clear(cli_example *example);

/* Reads `NAME(ARGUMENT, ...) = RESULT` or `... = error: MESSAGE`, by the types that the function
 * declares: a text in quotes as JSON has it, all else as on the command line. EXTFN_EINVAL says
 * what is wrong with it. */
EXTFN_MUST_CHECK extfn_status cli_example_parse(const extfn_function *function, const char *text,
                                                size_t size, cli_example *example,
                                                extfn_error *err);

#endif
