/* What a report keeps of one function's results, however many rows there are: counts, how they are
 * distributed, errors by message, the first rows. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_SURVEY_H
#define XF_CLI_SURVEY_H

#include "cli/apply_columns.h"
#include "cli/counts.h"
#include "cli/spread.h"

#include <extfn/receipt.h>

#define CLI_SURVEY_FIRST_ROWS 100U
#define CLI_SURVEY_FAILED_ROWS 50U   /* of those behind the first */
#define CLI_SURVEY_CELL_SIZE 300U    /* bytes that are kept of a value */
#define CLI_SURVEY_MESSAGE_SIZE 500U /* the same of a message */
#define CLI_SURVEY_LINES 2000U       /* of a source, of which is known how many rows failed there */

typedef struct cli_survey_row {
    int64_t row; /* from 0 */
    bool is_failed;
} cli_survey_row;

/* Rows with the function's arguments as they stand in the table, then result or message. */
typedef struct cli_survey_rows {
    cli_survey_row all[CLI_SURVEY_FIRST_ROWS];
    size_t count;
    cli_table cells; /* arity + 1 of each row */
} cli_survey_rows;

/* Starts by cli_survey_init. */
typedef struct cli_survey {
    extfn_function *function; /* owned reference */
    cli_bindings bindings;
    cli_buf refusal;     /* why it is not applied to this table; empty: it is */
    extfn_error failure; /* that ended it as a whole; EXTFN_OK: none did */
    int64_t rows;        /* that have their result or error */
    int64_t failed;
    extfn_receipt cost;
    cli_spread spread;     /* of numbers and datetimes */
    cli_counts values;     /* of all other types */
    cli_counts errors;     /* their kinds are those of the errors */
    int64_t *failed_lines; /* rows whose message names line 1, 2 ...; NULL: none does */
    cli_survey_rows first;
    cli_survey_rows failing;
} cli_survey;

/* Takes the reference. */
void cli_survey_init(cli_survey *survey, EXTFN_OWN extfn_function *function);
void cli_survey_clear(cli_survey *survey);

/* Binds the arguments to the table's columns, or tells in `refusal` why that cannot be. */
EXTFN_MUST_CHECK extfn_status cli_survey_bind(cli_survey *survey, const cli_csv_reader *reader,
                                              extfn_error *err);

/* Adds the results of the block's rows. */
EXTFN_MUST_CHECK extfn_status cli_survey_add(cli_survey *survey, const cli_csv_reader *reader,
                                             const extfn_column *results, extfn_error *err);

#endif
