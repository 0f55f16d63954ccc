#include "wasm/binary.h"

#include "base/auto.h"
#include "support/module.h"

#include <stdio.h>

static extfn_status read_hex(const char *text, xf_wasm_summary *ret_summary, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf module = module_from_hex(text);
    return xf_wasm_binary_read(module.data, module.size, ret_summary, err);
}

static size_t hex_size(const char *text)
{
    XF_AUTO(xf_buf_clear) xf_buf bytes = module_from_hex(text);
    return bytes.size;
}

static xf_wasm_summary summary_of(const char *text)
{
    xf_wasm_summary summary = {0};
    extfn_error err = {0};
    if (read_hex(text, &summary, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    return summary;
}

static void assert_type(const xf_wasm_export *export, const char *expected)
{
    char text[XF_WASM_TYPE_TEXT_SIZE];
    assert_int_equal(export->kind, XF_WASM_EXPORT_FUNCTION);
    assert_string_equal(xf_wasm_type_text(&export->type, text), expected);
}

/* Three types, functions, a table of at least 3, a memory of at least 2 pages, three globals,
 * exports, a start function, elements, bodies, data, names. */
#define FULL                                                                                       \
    MODULE_HEADER "01 10 03 60 00 00  60 01 7f 01 7f  60 03 7c 7f 7f 01 7c "                       \
                  "03 04 03 01 02 00  04 05 01 70 01 03 07  05 04 01 01 02 09 "                    \
                  "06 20 03 7f00 417b 0b  7c01 44 000000000000f83f 0b "                            \
                  "7e00 42 ffffffffffffffffff00 0b "                                               \
                  "07 27 03 066d656d6f7279 02 00  0c696d70726f765f616c6c6f63 00 00 "               \
                  "0b696d70726f765f63616c6c 00 01 "                                                \
                  "08 01 02  09 07 01 00 41 00 0b 01 00 "                                          \
                  "0a 12 03  08 02 02 7f 01 7c 20 00 0b  04 00 20 00 0b  02 00 0b "                \
                  "0b 0b 01 00 41 00 0b 05 68656c6c6f  00 0e 04 6e616d65 0107020001610201 73"

static void a_module_is_summed_up(void **state)
{
    (void)state;
    const xf_wasm_summary summary = summary_of(FULL);
    assert_int_equal(summary.import_count, 0);
    assert_int_equal(summary.function_count, 3);
    assert_int_equal(summary.largest_body, 8);
    assert_int_equal(summary.largest_locals, 3);
    assert_int_equal(summary.memory_count, 1);
    assert_int_equal(summary.memory_pages, 2);
    assert_int_equal(summary.table_count, 1);
    assert_int_equal(summary.table_elements, 3);
    assert_int_equal(summary.global_count, 3);
    assert_int_equal(summary.mutable_global_count, 1);
    assert_true(summary.has_start);
    assert_true(summary.is_memory_exported);
    assert_type(&summary.call, "(f64, i32, i32) -> f64");
    assert_type(&summary.alloc, "(i32) -> i32");
    assert_true(xf_wasm_summary_has_state(&summary));
}

static void an_empty_module_has_nothing(void **state)
{
    (void)state;
    const xf_wasm_summary summary = summary_of(MODULE_HEADER);
    assert_int_equal(summary.function_count, 0);
    assert_int_equal(summary.call.kind, XF_WASM_EXPORT_MISSING);
    assert_false(summary.has_start);
    assert_false(xf_wasm_summary_has_state(&summary));
}

static void the_first_import_is_named(void **state)
{
    (void)state;
    XF_AUTO(xf_buf_clear)
    xf_buf module =
        module_from_hex(MODULE_HEADER "01 04 01 60 00 00 "
                                      "02 14 02 03656e76 036e6f77 00 00  03656e76 0162 02 00 01");
    xf_wasm_summary summary = {0};
    assert_int_equal(xf_wasm_binary_read(module.data, module.size, &summary, NULL), EXTFN_OK);
    assert_int_equal(summary.import_count, 2);
    assert_int_equal(summary.import_module_size, 3);
    assert_memory_equal(summary.import_module, "env", 3);
    assert_int_equal(summary.import_field_size, 3);
    assert_memory_equal(summary.import_field, "now", 3);
}

static void an_export_of_another_kind_is_told_apart(void **state)
{
    (void)state;
    /* A function `memory`, a memory `improv_call`. */
    const xf_wasm_summary summary =
        summary_of(MODULE_HEADER "01 04 01 60 00 00  03 02 01 00  05 03 01 00 01 "
                                 "07 18 02 066d656d6f7279 00 00  0b696d70726f765f63616c6c 02 00 "
                                 "0a 04 01 02 00 0b");
    assert_false(summary.is_memory_exported);
    assert_int_equal(summary.call.kind, XF_WASM_EXPORT_OTHER);
    assert_int_equal(summary.alloc.kind, XF_WASM_EXPORT_MISSING);
}

static void constants_of_every_form_are_passed(void **state)
{
    (void)state;
    const xf_wasm_summary summary = summary_of(
        MODULE_HEADER "04 09 01 40 00 70 00 01 d0 70 0b " /* a table with its first element */
                      "06 41 07  7f 00 41 ffffffff07 0b  7e 00 42 00 0b  7d 01 43 00000000 0b "
                      "7b 00 fd 0c 00000000000000000000000000000000 0b  70 00 d2 00 0b "
                      "7f 00 23 00 41 01 6a 0b  7e 01 42 01 42 02 7e 0b");
    assert_int_equal(summary.table_count, 1);
    assert_int_equal(summary.table_elements, 1);
    assert_int_equal(summary.global_count, 7);
    assert_int_equal(summary.mutable_global_count, 2);
}

static void the_first_custom_section_extfn_is_the_declaration(void **state)
{
    (void)state;
    XF_AUTO(xf_buf_clear)
    xf_buf module = module_from_hex(
        MODULE_HEADER "00 04 036f6e65  00 08 05657874666e 6869  00 07 05657874666e 78");
    xf_wasm_summary summary = {0};
    assert_int_equal(xf_wasm_binary_read(module.data, module.size, &summary, NULL), EXTFN_OK);
    assert_int_equal(summary.declaration_size, 2);
    assert_memory_equal(summary.declaration, "hi", 2);
    summary = summary_of(MODULE_HEADER "00 06 05657874666e");
    assert_non_null(summary.declaration);
    assert_int_equal(summary.declaration_size, 0);
    assert_null(summary_of(MODULE_HEADER).declaration);
}

static void numeric_is_one_f64_of_any_number_of_f64(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        bool is_numeric;
    } rows[] = {{"60 00 01 7c", true}, {"60 01 7c 01 7c", true}, {"60 02 7c7f 01 7c", false},
                {"60 00 00", false},   {"60 00 02 7c7c", false}, {"60 00 01 7e", false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[160];
        (void)snprintf(text, sizeof(text),
                       MODULE_HEADER "01 %02x 01 %s 03 02 01 00 07 0f 01 "
                                     "0b696d70726f765f63616c6c 00 00",
                       (unsigned)hex_size(rows[i].type) + 1, rows[i].type);
        const xf_wasm_summary summary = summary_of(text);
        assert_int_equal(xf_wasm_summary_is_numeric(&summary), rows[i].is_numeric);
    }
    const xf_wasm_summary nothing = {0};
    assert_false(xf_wasm_summary_is_numeric(&nothing));
}

static void state_is_what_code_can_change(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        bool has_state;
    } rows[] = {
        /* A memory that is read, one that is written, a start function, no memory to write. */
        {MODULE_HEADER "01 05 01 60 00 01 7f  03 02 01 00  05 03 01 00 01 "
                       "0a 09 01 07 00 4100 280200 0b",
         false},
        {MODULE_HEADER "01 04 01 60 00 00  03 02 01 00  05 03 01 00 01 "
                       "0a 0b 01 09 00 4100 4101 360200 0b",
         true},
        {MODULE_HEADER "01 04 01 60 00 00  03 02 01 00  08 01 00  0a 04 01 02 00 0b", true},
        {MODULE_HEADER "01 04 01 60 00 00  03 02 01 00  0a 0b 01 09 00 4100 4101 360200 0b", false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const xf_wasm_summary summary = summary_of(rows[i].hex);
        assert_int_equal(xf_wasm_summary_has_state(&summary), rows[i].has_state);
    }
}

static void sums_of_sizes_stay_at_the_largest(void **state)
{
    (void)state;
    /* Two memories of 2^64 - 1 pages; two groups of 2^32 - 1 locals. */
    const xf_wasm_summary summary =
        summary_of(MODULE_HEADER "05 17 02 04 ffffffffffffffffff01 04 ffffffffffffffffff01 "
                                 "0a 10 01 0e 02 ffffffff0f 7f ffffffff0f 7f 0b");
    assert_true(summary.memory_pages == UINT64_MAX);
    assert_int_equal(summary.largest_locals, UINT32_MAX);
}

static void what_is_no_module_is_said(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "00", "0061736d", "0061736d 02000000", "7f454c46 01000000", "0061736d 0d000100"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        extfn_error err = {0};
        xf_wasm_summary summary = {0};
        assert_int_equal(read_hex(texts[i], &summary, &err), EXTFN_EINVAL);
        assert_string_equal(err.message, "this is no WebAssembly module (version 1)");
    }
}

static void what_is_broken_is_told_by_its_byte(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t at;
    } rows[] = {
        {MODULE_HEADER "01", 9},                             /* no size */
        {MODULE_HEADER "01 05 00", 10},                      /* longer than the module */
        {MODULE_HEADER "01 ffffffff0f", 14},                 /* 4 GiB */
        {MODULE_HEADER "01 ffffffff1f", 14},                 /* 33 bits */
        {MODULE_HEADER "01 8080808080", 14},                 /* without an end */
        {MODULE_HEADER "0e 01 00", 8},                       /* an unknown section */
        {MODULE_HEADER "05 01 00 05 01 00", 11},             /* the same twice */
        {MODULE_HEADER "05 01 01", 11},                      /* a memory that is not there */
        {MODULE_HEADER "05 03 01 10 00", 11},                /* unknown flags */
        {MODULE_HEADER "05 02 00 00", 11},                   /* more than was announced */
        {MODULE_HEADER "02 04 01 02 6162", 14},              /* a name that does not end */
        {MODULE_HEADER "02 04 01 01 ff 00", 12},             /* a name that is not UTF-8 */
        {MODULE_HEADER "06 04 01 7f 00 20", 14},             /* no constant */
        {MODULE_HEADER "06 08 01 7b 00 fd 0d 00 00 0b", 15}, /* no vector constant */
        {MODULE_HEADER "06 05 01 7f 00 41 80", 15},          /* a number that does not end */
        {MODULE_HEADER "07 0f 01 0b696d70726f765f63616c6c 00 00", 23}, /* no such function */
        {MODULE_HEADER "0a 04 01 05 00 0b", 12}, /* a body that is not there */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        extfn_error err = {0};
        xf_wasm_summary summary = {0};
        char expected[96];
        (void)snprintf(expected, sizeof(expected), "the WebAssembly module is broken at byte %zu",
                       rows[i].at);
        assert_int_equal(read_hex(rows[i].text, &summary, &err), EXTFN_EINVAL);
        if (strcmp(err.message, expected) != 0)
            fail_msg("row %zu: %s", i, err.message);
    }
}

/* In memory of its own, so that sanitizers see a byte too many. */
static void no_beginning_is_read_past_its_end(void **state)
{
    (void)state;
    XF_AUTO(xf_buf_clear) xf_buf module = module_from_hex(FULL);
    for (size_t size = 1; size < module.size; size++) {
        XF_AUTO_FREE char *beginning = xf_alloc(size);
        assert_non_null(beginning);
        memcpy(beginning, module.data, size);
        xf_wasm_summary summary = {0};
        (void)!xf_wasm_binary_read(beginning, size, &summary, NULL);
    }
}

static void typed_references_are_refused(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "01 06 01 60 01 63 00 00",                                    /* a parameter */
        "01 04 01 60 00 00  03 02 01 00  0a 07 01 05 01 01 64 00 0b", /* a local */
        "01 04 01 60 00 00  06 07 01 63 00 01 d0 00 0b",              /* a global */
        "01 04 01 60 00 00  04 05 01 63 00 00 01",                    /* a table */
        "01 04 01 60 00 00  04 0a 01 40 00 63 00 00 01 d0 00 0b",     /* one with a value */
    };
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        char hex[256];
        (void)snprintf(hex, sizeof(hex), "00 61 73 6d 01 00 00 00 %s%s", parts[i],
                       i == 0 ? " 03 02 01 00  07 0f 01 0b 696d70726f765f63616c6c 00 00" : "");
        XF_AUTO(xf_buf_clear) xf_buf module = module_from_hex(hex);
        xf_wasm_summary summary;
        extfn_error err = {0};
        assert_int_equal(xf_wasm_binary_read(module.data, module.size, &summary, &err),
                         EXTFN_EINVAL);
        if (!strstr(err.message, "has a typed reference at byte "))
            fail_msg("row %zu: %s", i, err.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_module_is_summed_up),
        cmocka_unit_test(an_empty_module_has_nothing),
        cmocka_unit_test(the_first_import_is_named),
        cmocka_unit_test(an_export_of_another_kind_is_told_apart),
        cmocka_unit_test(constants_of_every_form_are_passed),
        cmocka_unit_test(the_first_custom_section_extfn_is_the_declaration),
        cmocka_unit_test(numeric_is_one_f64_of_any_number_of_f64),
        cmocka_unit_test(state_is_what_code_can_change),
        cmocka_unit_test(sums_of_sizes_stay_at_the_largest),
        cmocka_unit_test(what_is_no_module_is_said),
        cmocka_unit_test(what_is_broken_is_told_by_its_byte),
        cmocka_unit_test(no_beginning_is_read_past_its_end),
        cmocka_unit_test(typed_references_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
