/* Types and arguments as a command line writes them. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_ARGUMENTS_H
#define XF_CLI_ARGUMENTS_H

#include "cli/fail.h"

#include <extfn/function.h>

/* `number`, `Number`, ...; no Error. */
EXTFN_MUST_CHECK extfn_status cli_type_parse(const char *text, size_t size, extfn_type *ret_type,
                                             extfn_error *err);

/* The types of a call without a function file. */
typedef struct cli_signature {
    extfn_type arg_types[EXTFN_ARGUMENT_LIMIT];
    size_t arg_count;
    extfn_type return_type; /* NONE: not said */
} cli_signature;

/* `number,text` or `number,text->text`. */
EXTFN_MUST_CHECK extfn_status cli_signature_parse(const char *text, cli_signature *ret_signature,
                                                  extfn_error *err);

/* Number when it reads as one, Boolean for true and false, else Text. */
EXTFN_MUST_CHECK extfn_status cli_signature_guess(const char *const *words, size_t count,
                                                  cli_signature *ret_signature, extfn_error *err);

/* Values of a call. Starts as `= {0}`. */
typedef struct cli_arguments {
    extfn_value *values;
    size_t count;
} cli_arguments;

void cli_arguments_clear(cli_arguments *arguments);

/* Reads each word by the type that the function declares: EXTFN_ETYPE otherwise. Where the
 * count is wrong, all are Text: the call says so. */
EXTFN_MUST_CHECK extfn_status cli_arguments_read(const extfn_function *function,
                                                 const char *const *words, size_t count,
                                                 cli_arguments *arguments, extfn_error *err);

#endif
