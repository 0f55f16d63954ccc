/* What a report keeps of a function's results. SPDX-License-Identifier: MIT */
#include "cli/library.h"
#include "cli/survey.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <math.h>
#include <string.h>

static extfn_function *make_function(extfn_type type, const char *const *names)
{
    static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_TEXT};
    extfn_function_options options = {.struct_size = sizeof(options),
                                      .name = "f",
                                      .body = "result = 1\nresult = 2",
                                      .arg_types = types,
                                      .arg_names = names,
                                      .arg_count = 2,
                                      .return_type = type};
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    return function;
}

static const char *const names[] = {"x", "label"};

static void read_table(cli_csv_reader *reader, const char *text)
{
    cli_csv_reader_init(reader, "a.csv");
    extfn_error err = {0};
    assert_int_equal(cli_csv_reader_feed(reader, text, strlen(text), &err), EXTFN_OK);
}

static void column_clear(extfn_column **slot)
{
    extfn_column_free(*slot);
}

static void append(extfn_column *column, extfn_value value)
{
    assert_int_equal(extfn_column_append(column, &value, NULL), EXTFN_OK);
}

static extfn_column *make_column(extfn_type type)
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(type, &column, NULL), EXTFN_OK);
    return column;
}

static void append_failure(extfn_column *column, extfn_error_kind kind, const char *message)
{
    assert_int_equal(extfn_column_append_error(column, kind, message, NULL), EXTFN_OK);
}

static void assert_refusal(const char *const *arguments, const char *header, const char *wanted)
{
    CLI_AUTO(cli_survey_clear) cli_survey survey;
    cli_survey_init(&survey, make_function(EXTFN_NUMBER, arguments));
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    read_table(&reader, header);
    extfn_error err = {0};
    assert_int_equal(cli_survey_bind(&survey, &reader, &err), EXTFN_OK);
    assert_string_equal(survey.refusal.size > 0 ? survey.refusal.data : "", wanted);
}

static void a_table_that_does_not_fit_is_told_why(void **state)
{
    (void)state;
    assert_refusal(names, "label,more,x\n", "");
    assert_refusal(names, "x\n", "no column label");
    assert_refusal(names, "a,b\n", "no column x, label");
    assert_refusal(NULL, "x,label\n", "it has an argument without a name");
    assert_refusal(names, "a,x,x\n", "a.csv: 2 columns are named 'x'; rename all but one");
    assert_refusal(names, "x;label\n",
                   "a.csv: the fields are separated by ';', extfn reads ','; write the table with "
                   "commas");
}

/* Rows 0 to 299: every third fails, by turns in line 2, in line 5000, by its input. */
static void survey_numbers(cli_survey *survey)
{
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    read_table(&reader, "x,label\n");
    extfn_error err = {0};
    assert_int_equal(cli_survey_bind(survey, &reader, &err), EXTFN_OK);
    CLI_AUTO(column_clear) extfn_column *results = make_column(EXTFN_NUMBER);
    for (int i = 0; i < 300; i++) {
        char row[32];
        (void)snprintf(row, sizeof(row), "%d,r%d\n", i, i);
        assert_int_equal(cli_csv_reader_feed(&reader, row, strlen(row), &err), EXTFN_OK);
        if (i % 9 == 0) {
            append_failure(results, EXTFN_KIND_CUSTOM, "no (line 2)");
        } else if (i % 9 == 3) {
            append_failure(results, EXTFN_KIND_CUSTOM, "no (line 5000)");
        } else if (i % 9 == 6) {
            append_failure(results, EXTFN_KIND_TYPE_MISMATCH, "got '(line 2)'");
        } else {
            append(results, extfn_value_number(i == 1 ? (double)NAN : (double)i));
        }
    }
    assert_int_equal(cli_survey_add(survey, &reader, results, &err), EXTFN_OK);
}

static void assert_cell(const cli_survey_rows *rows, size_t at, const char *wanted)
{
    size_t size = 0;
    const char *cell = cli_table_cell(&rows->cells, at, &size);
    assert_int_equal(size, strlen(wanted));
    assert_memory_equal(cell, wanted, size);
}

static void first_rows_and_failed_ones_behind_them_are_kept(void **state)
{
    (void)state;
    CLI_AUTO(cli_survey_clear) cli_survey survey;
    cli_survey_init(&survey, make_function(EXTFN_NUMBER, names));
    survey_numbers(&survey);
    assert_int_equal(survey.rows, 300);
    assert_int_equal(survey.failed, 100);
    assert_int_equal(survey.spread.count, 199);
    assert_int_equal(survey.spread.nans, 1);
    assert_int_equal(survey.errors.used, 3);
    assert_int_equal(survey.first.count, CLI_SURVEY_FIRST_ROWS);
    assert_cell(&survey.first, 3 * 2, "2");
    assert_cell(&survey.first, 3 * 2 + 1, "r2");
    assert_cell(&survey.first, 3 * 2 + 2, "2.0");
    assert_cell(&survey.first, 3 * 3 + 2, "no (line 5000)");
    assert_int_equal(survey.failing.count, CLI_SURVEY_FAILED_ROWS);
    assert_int_equal(survey.failing.all[0].row, 102);
    assert_int_equal(survey.failing.all[49].row, 249);
    assert_cell(&survey.failing, 0, "102");
}

static void only_what_a_body_raised_counts_for_its_line(void **state)
{
    (void)state;
    CLI_AUTO(cli_survey_clear) cli_survey survey;
    cli_survey_init(&survey, make_function(EXTFN_NUMBER, names));
    survey_numbers(&survey);
    for (size_t i = 0; i < CLI_SURVEY_LINES; i++)
        assert_int_equal(survey.failed_lines[i], i == 1 ? 34 : 0);
}

static void long_values_are_cut(void **state)
{
    (void)state;
    CLI_AUTO(cli_survey_clear) cli_survey survey;
    cli_survey_init(&survey, make_function(EXTFN_TEXT, names));
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    char text[1000];
    memset(text, 'y', sizeof(text));
    memcpy(text, "x,label\n1,", 10);
    text[998] = '\n';
    text[999] = '\0';
    read_table(&reader, text);
    extfn_error err = {0};
    assert_int_equal(cli_survey_bind(&survey, &reader, &err), EXTFN_OK);
    CLI_AUTO(column_clear) extfn_column *results = make_column(EXTFN_TEXT);
    assert_int_equal(extfn_column_append_text(results, text + 10, 900, &err), EXTFN_OK);
    assert_int_equal(cli_survey_add(&survey, &reader, results, &err), EXTFN_OK);
    size_t size = 0;
    const char *cell = cli_table_cell(&survey.first.cells, 2, &size);
    assert_int_equal(size, CLI_SURVEY_CELL_SIZE + 3);
    assert_memory_equal(cell + CLI_SURVEY_CELL_SIZE - 1, "y\xE2\x80\xA6", 4);
    assert_int_equal(survey.values.all[0].size, 900);
}

static extfn_status survey_one(const cli_csv_reader *reader, const extfn_column *results,
                               extfn_function *function, extfn_error *err)
{
    CLI_AUTO(cli_survey_clear) cli_survey survey;
    cli_survey_init(&survey, extfn_function_ref(function));
    CLI_TRY(cli_survey_bind(&survey, reader, err));
    return cli_survey_add(&survey, reader, results, err);
}

static void surveys_survive_oom(void **state)
{
    (void)state;
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(EXTFN_BOOLEAN, names);
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    read_table(&reader, "x,label\n1,a\n2,b\n");
    CLI_AUTO(column_clear) extfn_column *results = make_column(EXTFN_BOOLEAN);
    append(results, extfn_value_boolean(true));
    append_failure(results, EXTFN_KIND_CUSTOM, "no (line 1)");
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        extfn_error err = {0};
        status = survey_one(&reader, results, function, &err);
    });
}

static void refusals_survive_oom(void **state)
{
    (void)state;
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(EXTFN_BOOLEAN, names);
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    read_table(&reader, "a\n");
    CLI_AUTO(column_clear) extfn_column *results = make_column(EXTFN_BOOLEAN);
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        extfn_error err = {0};
        status = survey_one(&reader, results, function, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_that_does_not_fit_is_told_why),
        cmocka_unit_test(first_rows_and_failed_ones_behind_them_are_kept),
        cmocka_unit_test(only_what_a_body_raised_counts_for_its_line),
        cmocka_unit_test(long_values_are_cut),
        cmocka_unit_test(surveys_survive_oom),
        cmocka_unit_test(refusals_survive_oom),
    };
    return cmocka_run_group_tests_name("cli/survey", tests, NULL, NULL);
}
