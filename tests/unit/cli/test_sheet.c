#include "cli/sheet.h"

#include "cli/library.h"
#include "support/files.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <string.h>

typedef struct fixture {
    char folder[FOLDER_SIZE];
    char paths[2][FOLDER_SIZE + 100];
    extfn_function *function;
} fixture;

static fixture fixture_new(const char *first, const char *second)
{
    static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_TEXT};
    static const char *const names[] = {"x", "y"};
    const extfn_function_options options = {.struct_size = sizeof(options),
                                            .name = "f",
                                            .body = "result = 1",
                                            .arg_types = types,
                                            .arg_names = names,
                                            .arg_count = 2,
                                            .return_type = EXTFN_NUMBER};
    fixture it;
    folder_open(it.folder);
    (void)snprintf(it.paths[0], sizeof(it.paths[0]), "%s",
                   folder_write(it.folder, "a.csv", first, strlen(first)));
    (void)snprintf(it.paths[1], sizeof(it.paths[1]), "%s",
                   folder_write(it.folder, "b.csv", second, strlen(second)));
    assert_int_equal(extfn_function_new(&options, &it.function, NULL), EXTFN_OK);
    return it;
}

static void fixture_clear(fixture *it)
{
    extfn_function_unref(it->function);
    folder_close(it->folder);
}

static extfn_status read_sheet(const fixture *it, cli_sheet *sheet, extfn_error *err)
{
    const char *const paths[] = {it->paths[0], it->paths[1]};
    return cli_sheet_read(sheet, it->function, paths, 2, err);
}

static void arguments_have_their_values_and_all_else_is_a_dimension(void **state)
{
    (void)state;
    fixture it = fixture_new("k,x\n10,1\n9,2\n", "m,y,k\nq,one,9\np,two,10\np,three,7\n");
    CLI_AUTO(cli_sheet_clear) cli_sheet sheet = {0};
    extfn_error ignored;
    assert_int_equal(read_sheet(&it, &sheet, &ignored), EXTFN_OK);
    static const uint32_t first[] = {2, 1};
    static const uint32_t second[][3] = {{1, 0, 0}, {1, 2, 0}};
    const extfn_measure *x = &sheet.measures[0];
    const extfn_measure *y = &sheet.measures[1];
    assert_int_equal(x->dimension_count, 1);
    assert_string_equal(x->dimensions[0], "k");
    assert_memory_equal(x->items[0], first, sizeof(first));
    assert_true(extfn_column_numbers(x->values)[1] == 2);
    assert_int_equal(y->dimension_count, 2);
    assert_string_equal(y->dimensions[0], "m");
    assert_memory_equal(y->items[0], second[0], sizeof(second[0]));
    assert_memory_equal(y->items[1], second[1], sizeof(second[1]));
    assert_int_equal(extfn_column_type(y->values), EXTFN_TEXT);
    const cli_axis *k = cli_sheet_axis(&sheet, "k");
    assert_int_equal(k->item_count, 3);
    assert_memory_equal(k->texts[0], "7", 1);
    assert_memory_equal(k->texts[2], "10", 2);
    fixture_clear(&it);
}

/* One that is no number makes all of them texts. */
static void items_are_sorted_as_texts_where_one_is_no_number(void **state)
{
    (void)state;
    fixture it = fixture_new("k,x\n10,1\n9,2\n", "y,k\nany,\n");
    CLI_AUTO(cli_sheet_clear) cli_sheet sheet = {0};
    extfn_error ignored;
    assert_int_equal(read_sheet(&it, &sheet, &ignored), EXTFN_OK);
    const cli_axis *k = cli_sheet_axis(&sheet, "k");
    assert_int_equal(k->item_count, 3);
    assert_int_equal(k->sizes[0], 0);
    assert_memory_equal(k->texts[1], "10", 2);
    assert_memory_equal(k->texts[2], "9", 1);
    fixture_clear(&it);
}

static void more_columns_than_dimensions_are_allowed_are_refused(void **state)
{
    (void)state;
    char header[200] = "x";
    for (int i = 0; i < 33; i++)
        (void)snprintf(header + strlen(header), sizeof(header) - strlen(header), ",c%d", i);
    fixture it = fixture_new(header, "y\n");
    CLI_AUTO(cli_sheet_clear) cli_sheet sheet = {0};
    extfn_error err = {0};
    assert_int_equal(read_sheet(&it, &sheet, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "the tables have more than 32 columns to join them by");
    fixture_clear(&it);
}

static void without_memory_nothing_is_left(void **state)
{
    (void)state;
    fixture it = fixture_new("k,x\n10,1\n9,2\n", "m,y,k\nq,one,9\n");
    extfn_status status = EXTFN_OK;
    cli_sheet sheet = {0};
    extfn_error ignored;
    CLI_OOM_SWEEP(status, cli_sheet_clear(&sheet); status = read_sheet(&it, &sheet, &ignored));
    assert_int_equal(sheet.leaf_count, 2);
    cli_sheet_clear(&sheet);
    fixture_clear(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_have_their_values_and_all_else_is_a_dimension),
        cmocka_unit_test(items_are_sorted_as_texts_where_one_is_no_number),
        cmocka_unit_test(more_columns_than_dimensions_are_allowed_are_refused),
        cmocka_unit_test(without_memory_nothing_is_left),
    };
    return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
