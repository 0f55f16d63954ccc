/* From cells to typed columns. SPDX-License-Identifier: MIT */
#include "cli/apply_columns.h"
#include "cli/library.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <string.h>

static extfn_function *make_function(const char *const *names)
{
    static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_TEXT, EXTFN_DATETIME};
    extfn_function_options options = {.struct_size = sizeof(options),
                                      .name = "f",
                                      .body = "result = 1",
                                      .arg_types = types,
                                      .arg_names = names,
                                      .arg_count = 3,
                                      .return_type = EXTFN_NUMBER};
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    return function;
}

static const char *const names[] = {"x", "label", "at"};

static void open_table(cli_csv_reader *reader, const char *text)
{
    cli_csv_reader_init(reader, "a.csv");
    extfn_error err = {0};
    assert_int_equal(cli_csv_reader_feed(reader, text, strlen(text), &err), EXTFN_OK);
}

static void arguments_are_bound_to_columns_of_their_names(void **state)
{
    (void)state;
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(names);
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    open_table(&reader, "at,more,x,label\n");
    cli_bindings bindings = {0};
    extfn_error err = {0};
    assert_int_equal(cli_bindings_make(function, &reader, &bindings, &err), EXTFN_OK);
    assert_int_equal(bindings.positions[0], 2);
    assert_int_equal(bindings.positions[1], 3);
    assert_int_equal(bindings.positions[2], 0);
}

static void a_missing_column_is_named_with_the_header(void **state)
{
    (void)state;
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(names);
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    open_table(&reader, "x,Label,at\n");
    cli_bindings bindings = {0};
    extfn_error err = {0};
    assert_int_equal(cli_bindings_make(function, &reader, &bindings, &err), EXTFN_ENOTFOUND);
    assert_string_equal(err.message, "a.csv: no column 'label'; the header has x, Label, at");
}

static void a_column_that_stands_twice_is_refused(void **state)
{
    (void)state;
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(names);
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    open_table(&reader, "x,label,at,x\n");
    cli_bindings bindings = {0};
    extfn_error err = {0};
    assert_int_equal(cli_bindings_make(function, &reader, &bindings, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "a.csv: 2 columns are named 'x'; rename all but one");
}

static void a_function_without_names_is_refused(void **state)
{
    (void)state;
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(NULL);
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    open_table(&reader, "x,label,at\n");
    cli_bindings bindings = {0};
    extfn_error err = {0};
    assert_int_equal(cli_bindings_make(function, &reader, &bindings, &err), EXTFN_EINVAL);
    assert_string_equal(err.message,
                        "function f: argument 0 has no name; give it that of its column");
}

static extfn_status read_table(const char *text, cli_columns *columns, extfn_error *err)
{
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(names);
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    cli_csv_reader_init(&reader, "a.csv");
    CLI_TRY(cli_csv_reader_feed(&reader, text, strlen(text), err));
    cli_bindings bindings = {0};
    CLI_TRY(cli_bindings_make(function, &reader, &bindings, err));
    return cli_columns_read(&bindings, &reader, columns, err);
}

static void assert_error(const extfn_column *column, int64_t row, extfn_error_kind kind,
                         const char *message)
{
    CLI_AUTO(extfn_value_clear) extfn_value value = {0};
    assert_int_equal(extfn_column_get(column, row, &value, NULL), EXTFN_OK);
    assert_int_equal(value.type, EXTFN_ERROR);
    assert_int_equal(value.as.error.kind, kind);
    assert_string_equal(value.as.error.message, message);
}

static void cells_that_do_not_fit_are_errors_of_their_rows(void **state)
{
    (void)state;
    static const char text[] = "x,label,at\n"
                               "1.5,a,2025-01-02T03:04:05Z\n"
                               ",,\n"
                               "abc,b,soon\n"
                               "0123456789012345678901234567890123456789012345678901234567890_,,\n";
    CLI_AUTO(cli_columns_clear) cli_columns columns = {0};
    extfn_error err = {0};
    assert_int_equal(read_table(text, &columns, &err), EXTFN_OK);
    assert_int_equal(extfn_column_rows(columns.columns[0]), 4);
    assert_int_equal(extfn_column_error_count(columns.columns[0]), 3);
    assert_true(extfn_column_numbers(columns.columns[0])[0] == 1.5);
    assert_error(columns.columns[0], 1, EXTFN_KIND_MISSING_INPUT, "missing input: x");
    assert_error(columns.columns[0], 2, EXTFN_KIND_TYPE_MISMATCH,
                 "x: expected Number, got 'abc'; it is written like 2.5");
    assert_error(
        columns.columns[0], 3, EXTFN_KIND_TYPE_MISMATCH,
        "x: expected Number, got "
        "'012345678901234567890123456789012345678901234567890123456789...'; it is written like 2.5");
    assert_int_equal(extfn_column_error_count(columns.columns[1]), 0);
    assert_error(columns.columns[2], 1, EXTFN_KIND_MISSING_INPUT, "missing input: at");
    assert_error(columns.columns[2], 2, EXTFN_KIND_TYPE_MISMATCH,
                 "at: expected DateTime, got 'soon'; it is written like 2025-01-02T03:04:05Z");
}

static void reading_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_columns_clear) cli_columns columns = {0};
        extfn_error err = {0};
        status = read_table("x,label,at\n1,a,soon\n,,\n", &columns, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_bound_to_columns_of_their_names),
        cmocka_unit_test(a_missing_column_is_named_with_the_header),
        cmocka_unit_test(a_column_that_stands_twice_is_refused),
        cmocka_unit_test(a_function_without_names_is_refused),
        cmocka_unit_test(cells_that_do_not_fit_are_errors_of_their_rows),
        cmocka_unit_test(reading_survives_oom),
    };
    return cmocka_run_group_tests_name("cli/apply_columns", tests, NULL, NULL);
}
