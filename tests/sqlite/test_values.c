/* What crosses between SQL and functions, by a function of each type. SPDX-License-Identifier: MIT
 */
#include "database.h"

typedef struct fixture {
    char folder[FOLDER_SIZE];
    sqlite3 *db;
} fixture;

static fixture fixture_new(void)
{
    static const char *const types[] = {"number", "boolean", "text", "datetime", "enum"};
    fixture fix = {0};
    folder_open(fix.folder);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        char name[32];
        char text[100];
        (void)snprintf(name, sizeof(name), "same_%s.py", types[i]);
        (void)snprintf(text, sizeof(text), "# extfn: same_%s(x: %s) -> %s\nresult = x\n", types[i],
                       types[i], types[i]);
        write_function(fix.folder, name, text);
    }
    fix.db = database_open();
    assert_loads(fix.db, fix.folder, "5");
    return fix;
}

static void fixture_clear(fixture *fix)
{
    database_close(fix->db);
    folder_close(fix->folder);
}

/* The statement, and the text of its result. */
static void values_come_back_as_they_went(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char *const cases[][2] = {
        {"SELECT same_number(2.5)", "2.5"},
        {"SELECT same_number(3)", "3.0"},
        {"SELECT same_number(9007199254740992) = 9007199254740992", "1"},
        {"SELECT same_number(-9223372036854775808) = -9223372036854775808", "1"},
        {"SELECT same_number(9e999)", "Inf"},
        {"SELECT 1 / same_number(-1e-320) < 0", "1"},
        {"SELECT same_boolean(1)", "1"},
        {"SELECT typeof(same_boolean(0))", "integer"},
        {"SELECT same_text('\xc3\xa4 \xf0\x9f\x98\x80')", "\xc3\xa4 \xf0\x9f\x98\x80"},
        {"SELECT length(CAST(same_text('a' || char(0) || 'b') AS BLOB))", "3"},
        {"SELECT same_text('') = ''", "1"},
        {"SELECT same_datetime('2025-01-02T03:04:05Z')", "2025-01-02T03:04:05Z"},
        {"SELECT same_datetime('2025-01-02T03:04:05.25+01:00')", "2025-01-02T02:04:05.250Z"},
        {"SELECT same_datetime(strftime('%Y-%m-%dT%H:%M:%SZ', 0, 'unixepoch'))",
         "1970-01-01T00:00:00Z"},
        {"SELECT same_enum(4294967295)", "4294967295"},
        {"SELECT typeof(same_enum(0))", "integer"},
        {"SELECT same_number(NULL)", "NULL"},
        {"SELECT same_text(NULL)", "NULL"},
        {"SELECT extfn_try('same_text', NULL)", "NULL"},
        {"SELECT extfn_try(NULL, 'x')", "NULL"},
        {"SELECT extfn_try('same_number', 2)", "{\"ok\":2.0}"},
        {"SELECT extfn_try('SAME_TEXT', 'a\"b')", "{\"ok\":\"a\\\"b\"}"},
    };
    fixture fix = fixture_new();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_row(fix.db, cases[i][0], cases[i][1]);
    fixture_clear(&fix);
}

static void what_does_not_fit_is_told(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"SELECT same_number('3')",
         "function same_number: argument 0 type mismatch, expected Number, got TEXT"},
        {"SELECT same_number(x'00')",
         "function same_number: argument 0 type mismatch, expected Number, got BLOB"},
        {"SELECT same_number(9007199254740993)",
         "function same_number: argument 0: no Number is exactly 9007199254740993"},
        {"SELECT same_number(9223372036854775807)",
         "function same_number: argument 0: no Number is exactly 9223372036854775807"},
        {"SELECT same_boolean(2)", "function same_boolean: argument 0: a Boolean is 0 or 1, not 2"},
        {"SELECT same_boolean(1.0)",
         "function same_boolean: argument 0 type mismatch, expected Boolean, got REAL"},
        {"SELECT same_boolean('true')",
         "function same_boolean: argument 0 type mismatch, expected Boolean, got TEXT"},
        {"SELECT same_text(1)",
         "function same_text: argument 0 type mismatch, expected Text, got INTEGER"},
        {"SELECT same_text(CAST(x'ff' AS TEXT))",
         "function same_text: argument 0: text is not UTF-8 at byte 0"},
        {"SELECT same_datetime(0)",
         "function same_datetime: argument 0 type mismatch, expected DateTime, got INTEGER"},
        {"SELECT same_datetime('2025-01-02 03:04:05')",
         "function same_datetime: argument 0: datetime '2025-01-02 03:04:05': expected the form "
         "2025-01-02T03:04:05Z"},
        {"SELECT same_enum(-1)",
         "function same_enum: argument 0: an Enum is 0 to 4294967295, not -1"},
        {"SELECT same_enum(4294967296)",
         "function same_enum: argument 0: an Enum is 0 to 4294967295, not 4294967296"},
        {"SELECT extfn_try()", "extfn_try: the name of a function is missing"},
        {"SELECT extfn_load(7)", "extfn_load: the path of a library is a text"},
        {"SELECT extfn_load(NULL)", "extfn_load: the path of a library is a text"},
        {"SELECT extfn_load('a' || char(0) || 'b')",
         "extfn_load: the path of a library has a U+0000 in it"},
    };
    fixture fix = fixture_new();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_error(fix.db, cases[i][0], cases[i][1]);
    assert_row(fix.db, "SELECT extfn_try('same_number', 'x')",
               "{\"error\":{\"kind\":\"TypeMismatch\",\"message\":\"function same_number: argument "
               "0 type mismatch, expected Number, got TEXT\"}}");
    assert_row(fix.db, "SELECT extfn_try('same_number')",
               "{\"error\":{\"kind\":\"ArityMismatch\",\"message\":\"function same_number: "
               "expected 1 argument(s), got 0\"}}");
    assert_row(fix.db, "SELECT extfn_try('none', 1)",
               "{\"error\":{\"kind\":\"NotFound\",\"message\":\"external function not found: "
               "none\"}}");
    fixture_clear(&fix);
}

static void nan_is_null_as_elsewhere_in_sqlite(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new();
    write_function(fix.folder, "nan.py", "# extfn: nan() -> number\nresult = float('nan')\n");
    assert_loads(fix.db, fix.folder, "6");
    assert_row(fix.db, "SELECT nan()", "NULL");
    assert_row(fix.db, "SELECT extfn_try('nan')",
               "{\"ok\":{\"__improv__\":\"number\",\"value\":\"NaN\"}}");
    fixture_clear(&fix);
}

/* It is evaluated in the process, and by another way. */
static void webassembly_is_called_as_well(void **state)
{
    (void)state;
    REQUIRE_WASM();
    fixture fix = fixture_new();
    write_function(fix.folder, "twice.wat",
                   ";; extfn: twice(x: number) -> number\n"
                   "(module (func (export \"improv_call\") (param f64) (result f64)\n"
                   "  (if (f64.eq (local.get 0) (f64.const 0)) (then unreachable))\n"
                   "  (f64.add (local.get 0) (local.get 0))))\n");
    assert_loads(fix.db, fix.folder, "6");
    assert_row(fix.db, "SELECT twice(21)", "42.0");
    assert_row(fix.db, "SELECT twice(NULL)", "NULL");
    assert_row(fix.db, "SELECT extfn_try('twice', 0) ->> '$.error.kind'", "Runtime");
    fixture_clear(&fix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_back_as_they_went),
        cmocka_unit_test(what_does_not_fit_is_told),
        cmocka_unit_test(webassembly_is_called_as_well),
        cmocka_unit_test(nan_is_null_as_elsewhere_in_sqlite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
