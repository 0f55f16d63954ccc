#include "base/auto.h"
#include "support/unit.h"
#include "worker/encode.h"

#include <string.h>
#include <sys/mman.h>

static int open_map(void **state)
{
    void *map = mmap(NULL, XF_MAP_SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(map != MAP_FAILED);
    *state = map;
    return 0;
}

static int close_map(void **state)
{
    return munmap(*state, XF_MAP_SIZE);
}

static extfn_column *texts(void)
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(EXTFN_TEXT, &column, NULL), EXTFN_OK);
    static const char *const items[] = {"", "one", "zwei \xc3\xa4", "drei"};
    for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++)
        assert_int_equal(extfn_column_append_text(column, items[i], strlen(items[i]), NULL),
                         EXTFN_OK);
    return column;
}

static const char *text_at(const char *map, const xf_wire_column *place, uint32_t i,
                           size_t *ret_size)
{
    uint32_t ends[2];
    memcpy(ends, map + place->values_offset + i * sizeof(uint32_t), sizeof(ends));
    *ret_size = ends[1] - ends[0];
    return map + place->bytes_offset + ends[0];
}

static void selected_rows_of_every_width_are_copied(void **state)
{
    char *map = *state;
    static const double numbers[] = {0.5, -0.0, 3.25, 7};
    extfn_column *number = NULL;
    assert_int_equal(extfn_column_new_numbers(numbers, 4, &number, NULL), EXTFN_OK);
    extfn_column *text = texts();
    const extfn_column *columns[] = {number, text};
    static const int64_t picked[] = {1, 3};
    xf_rows rows = {.columns = columns, .column_count = 2, .rows = picked, .count = 2};
    xf_rows_encode(&rows, map);

    xf_wire_column places[2];
    memcpy(places, map + XF_MAP_START, sizeof(places));
    double got[2];
    memcpy(got, map + places[0].values_offset, sizeof(got));
    assert_memory_equal(&got[0], &numbers[1], sizeof(double));
    assert_memory_equal(&got[1], &numbers[3], sizeof(double));
    size_t size = 0;
    const char *first = text_at(map, &places[1], 0, &size);
    assert_int_equal(size, 3);
    assert_memory_equal(first, "one", 3);
    const char *second = text_at(map, &places[1], 1, &size);
    assert_int_equal(size, 4);
    assert_memory_equal(second, "drei", 4);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(places[i].values_offset % XF_ALIGN, 0);
    assert_int_equal(places[1].bytes_offset % XF_ALIGN, 0);
    extfn_column_free(number);
    extfn_column_free(text);
}

static void a_row_takes_its_widths_and_texts(void **state)
{
    (void)state;
    extfn_column *text = texts();
    extfn_column *flag = NULL;
    assert_int_equal(extfn_column_new(EXTFN_BOOLEAN, &flag, NULL), EXTFN_OK);
    const extfn_column *columns[] = {text, flag};
    assert_int_equal(xf_row_size(columns, 2, 0), 4 + 1);
    assert_int_equal(xf_row_size(columns, 2, 2), 4 + 7 + 1);
    assert_true(xf_rows_size_limit(64) > 60U << 20);
    extfn_column_free(text);
    extfn_column_free(flag);
}

static void a_setup_carries_the_body_byte_for_byte(void **state)
{
    char *map = *state;
    static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_TEXT};
    static const char *const names[] = {"x", "label"};
    static const char body[] = "result = 'a\\b'\r\n\0\"\"\"";
    const extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = "f",
        .language = EXTFN_PYTHON,
        .body = body,
        .body_size = sizeof(body) - 1,
        .arg_types = types,
        .arg_names = names,
        .arg_count = 2,
        .return_type = EXTFN_TEXT,
        .is_pure = true,
    };
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    assert_int_equal(xf_setup_encode(function, XF_SETUP_SEAL, map, NULL), EXTFN_OK);
    xf_setup setup;
    memcpy(&setup, map + XF_MAP_START, sizeof(setup));
    assert_int_equal(setup.flags, XF_SETUP_SEAL);
    assert_int_equal(setup.return_type, EXTFN_TEXT);
    assert_int_equal(setup.arg_count, 2);
    assert_int_equal(setup.names_size, 8);
    assert_int_equal(setup.body_size, sizeof(body) - 1);
    const char *at = map + XF_MAP_START + sizeof(setup);
    uint32_t got[2];
    memcpy(got, at, sizeof(got));
    assert_int_equal(got[0], EXTFN_NUMBER);
    assert_int_equal(got[1], EXTFN_TEXT);
    assert_memory_equal(at + sizeof(got), "x\0label", 8);
    assert_memory_equal(at + sizeof(got) + 8, body, sizeof(body) - 1);
    extfn_function_unref(function);
}

int main(void)
{
#define WITH_MAP(test) cmocka_unit_test_setup_teardown(test, open_map, close_map)
    const struct CMUnitTest tests[] = {
        WITH_MAP(selected_rows_of_every_width_are_copied),
        cmocka_unit_test(a_row_takes_its_widths_and_texts),
        WITH_MAP(a_setup_carries_the_body_byte_for_byte),
    };
    return cmocka_run_group_tests_name("encode", tests, NULL, NULL);
}
