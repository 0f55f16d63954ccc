/* Several tables as measures over the columns that they share. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_SHEET_H
#define XF_CLI_SHEET_H

#include "cli/apply_columns.h"

#include <extfn/refresh.h>

#define CLI_AXES_LIMIT 32U /* dimensions of all tables together */

/* A dimension: the columns of that name. Its items are their different texts, in the order of their
 * numbers where all are numbers, else of their bytes; they borrow from the tables. */
typedef struct cli_axis {
    cli_buf name;
    const char **texts;
    size_t *sizes;
    size_t item_count;
} cli_axis;

/* One table, read as a whole. */
typedef struct cli_leaf {
    cli_csv_reader reader;
    size_t rows;
    bool *has_values;      /* of each column: it is no dimension but an argument's */
    cli_bindings bindings; /* of the arguments whose values stand here */
    cli_columns columns;
    size_t dimension_count;
    size_t axes[CLI_AXES_LIMIT]; /* of each dimension, where its axis, its column, its name is */
    size_t positions[CLI_AXES_LIMIT];
    const char *names[CLI_AXES_LIMIT];
    uint32_t *items[CLI_AXES_LIMIT];
} cli_leaf;

/* Starts as `= {0}`. */
typedef struct cli_sheet {
    cli_leaf *leaves;
    size_t leaf_count;
    cli_axis axes[CLI_AXES_LIMIT];
    size_t axis_count;
    extfn_measure measures[EXTFN_ARGUMENT_LIMIT]; /* one for each argument, into the leaves */
} cli_sheet;

void cli_sheet_clear(cli_sheet *sheet);

/* Reads the files, one of which may be `-`. An argument is the column of its name; all other
 * columns, and those that several tables have, are dimensions, but for NAME_error beside an
 * argument NAME: an error there is the argument's, as `apply` writes it. EXTFN_EINVAL,
 * EXTFN_ENOTFOUND say what does not fit. */
EXTFN_MUST_CHECK extfn_status cli_sheet_read(cli_sheet *sheet, const extfn_function *function,
                                             const char *const *paths, size_t count,
                                             extfn_error *err);

/* The axis of that name; it is there. */
const cli_axis *cli_sheet_axis(const cli_sheet *sheet, const char *name);

#endif
