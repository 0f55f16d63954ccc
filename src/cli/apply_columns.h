/* From the cells of a block of rows to the columns that a function takes.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_APPLY_COLUMNS_H
#define XF_CLI_APPLY_COLUMNS_H

#include "cli/csv_read.h"

#include <extfn/column.h>
#include <extfn/function.h>

/* Where each argument stands in the table. */
typedef struct cli_bindings {
    size_t count;
    size_t positions[EXTFN_ARGUMENT_LIMIT];
    const char *names[EXTFN_ARGUMENT_LIMIT]; /* as long as the function */
    extfn_type types[EXTFN_ARGUMENT_LIMIT];
    size_t errors[EXTFN_ARGUMENT_LIMIT]; /* one more than where the errors of an argument stand, of
                                            rows that have no value for that: the column
                                            `NAME_error`, as apply writes it; 0: nowhere */
} cli_bindings;

/* The one column of the header that has this name; EXTFN_ENOTFOUND shows the header. */
EXTFN_MUST_CHECK extfn_status cli_header_find(const cli_csv_reader *reader, const char *name,
                                              size_t *ret_position, extfn_error *err);

/* Binds one more argument, which has a name, to the column at `position`. */
EXTFN_MUST_CHECK extfn_status cli_bindings_add(cli_bindings *bindings,
                                               const extfn_function *function, size_t argument,
                                               const cli_csv_reader *reader, size_t position,
                                               extfn_error *err);

/* The name of an argument, without which it can have no column. */
EXTFN_MUST_CHECK extfn_status cli_argument_name(const extfn_function *function, size_t argument,
                                                const char **ret_name, extfn_error *err);

/* Binds every argument to the column of its name. */
EXTFN_MUST_CHECK extfn_status cli_bindings_make(const extfn_function *function,
                                                const cli_csv_reader *reader,
                                                cli_bindings *ret_bindings, extfn_error *err);

typedef struct cli_columns {
    extfn_column *columns[EXTFN_ARGUMENT_LIMIT];
    size_t count;
} cli_columns;

void cli_columns_clear(cli_columns *columns);

/* Reads the block's rows. A cell that is empty or does not fit its type becomes an Error of its
 * row, an empty one the error that stands beside it. */
EXTFN_MUST_CHECK extfn_status cli_columns_read(const cli_bindings *bindings,
                                               const cli_csv_reader *reader, cli_columns *columns,
                                               extfn_error *err);

#endif
