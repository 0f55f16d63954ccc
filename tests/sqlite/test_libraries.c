/* Loading, loading again, names that clash, memory that is short. SPDX-License-Identifier: MIT */
#include "database.h"

typedef struct fixture {
    char folder[FOLDER_SIZE];
    sqlite3 *db;
} fixture;

static fixture fixture_new(void)
{
    fixture fix = {0};
    folder_open(fix.folder);
    write_function(fix.folder, "f.py", "# extfn: f(x: number) -> number\nresult = x + 1\n");
    fix.db = database_open();
    return fix;
}

static void fixture_clear(fixture *fix)
{
    database_close(fix->db);
    folder_close(fix->folder);
}

static void loading_again_replaces(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new();
    write_function(fix.folder, "gone.py", "# extfn: gone(x: number) -> number\nresult = x\n");
    assert_loads(fix.db, fix.folder, "2");
    assert_row(fix.db, "SELECT f(1)", "2.0");
    write_function(fix.folder, "f.py", "# extfn: f(x: number) -> number\nresult = x + 2\n");
    assert_row(fix.db, "SELECT f(1)", "2.0");
    assert_int_equal(remove(folder_path(fix.folder, "gone.py")), 0);
    assert_loads(fix.db, fix.folder, "1");
    assert_row(fix.db, "SELECT f(1)", "3.0");
    assert_error(fix.db, "SELECT gone(1)", "external function not found: gone");
    write_function(fix.folder, "f.py", "# extfn: f(x: number, y: number) -> number\nresult = y\n");
    assert_loads(fix.db, fix.folder, "1");
    assert_row(fix.db, "SELECT f(1, 5)", "5.0");
    assert_error(fix.db, "SELECT f(1)", "function f: expected 2 argument(s), got 1");
    assert_row(fix.db, "SELECT group_concat(name || pure) FROM extfn_functions", "f1");
    fixture_clear(&fix);
}

static void the_path_in_other_words_is_the_same_library(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    assert_loads(fix.db, fix.folder, "1");
    write_function(fix.folder, "g.py", "# extfn: g() -> number\nresult = 1\n");
    assert_int_equal(remove(folder_path(fix.folder, "f.py")), 0);
    assert_loads(fix.db, folder_path(fix.folder, "."), "1");
    assert_row(fix.db, "SELECT group_concat(name) FROM extfn_functions", "g");
    fixture_clear(&fix);
}

static void a_bad_library_changes_nothing(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    assert_loads(fix.db, fix.folder, "1");
    write_function(fix.folder, "a.py", "# extfn: a() -> number\nresult = 1\n");
    write_function(fix.folder, "b.py", "# extfn: b( -> number\n");
    assert_int_equal(database_load(fix.db, fix.folder).code, SQLITE_ERROR);
    assert_row(fix.db, "SELECT group_concat(name) FROM extfn_functions", "f");
    assert_int_equal(database_load(fix.db, "/no/such/place").code, SQLITE_ERROR);
    fixture_clear(&fix);
}

static void names_of_others_are_refused(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    static const char *const names[] = {"abs", "MAX", "extfn_load", "like"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char text[100];
        (void)snprintf(text, sizeof(text), "# extfn: %s(x: number) -> number\nresult = x\n",
                       names[i]);
        write_function(fix.folder, "other.py", text);
        (void)snprintf(text, sizeof(text),
                       "'%s' is a function of this connection already: rename one of them",
                       names[i]);
        assert_refused(fix.db, fix.folder, text);
    }
    assert_row(fix.db, "SELECT count(*) FROM extfn_functions", "0");
    assert_row(fix.db, "SELECT abs(-1)", "1");
    write_function(fix.folder, "other.py", "# extfn: F() -> number\nresult = 1\n");
    assert_refused(fix.db, fix.folder, "'F' and 'f' are the same name in SQL");
    fixture_clear(&fix);
}

static void a_function_cannot_become_impure(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    assert_loads(fix.db, fix.folder, "1");
    write_function(fix.folder, "f.py", "# extfn: f(x: number) -> number impure\nresult = x\n");
    assert_refused(fix.db, fix.folder,
                   "'f' was pure and is impure now: close the connection and load it anew");
    fixture_clear(&fix);
}

static void loading_the_extension_again_keeps_what_there_is(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    assert_loads(fix.db, fix.folder, "1");
    assert_int_equal(database_extend(fix.db), SQLITE_OK);
    assert_row(fix.db, "SELECT name FROM extfn_functions", "f");
    assert_loads(fix.db, fix.folder, "1");
    fixture_clear(&fix);
}

/* ---- Schemas, which are data and may be anyone's ---- */

typedef struct foreign {
    const char *schema;
    const char *statement;
    const char *error;
} foreign;

/* SQLite refuses some as it reads the schema, others as it compiles the statement. */
static const foreign foreign_cases[] = {
    {"CREATE VIEW v AS SELECT f(1)", "SELECT * FROM v", "unsafe use of f()"},
    {"CREATE VIEW v AS SELECT extfn_try('f', 1)", "SELECT * FROM v", "unsafe use of extfn_try()"},
    {"CREATE VIEW v AS SELECT extfn_load('x')", "SELECT * FROM v", "unsafe use of extfn_load()"},
    {"CREATE TABLE t (x); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT f(1); END",
     "INSERT INTO t VALUES (1)", "unsafe use of f()"},
    {"CREATE TABLE t (x, y DEFAULT (f(1)))", "INSERT INTO t (x) VALUES (1)", "unsafe use of f()"},
    {"CREATE TABLE t (x CHECK (f(x) > 0))", "INSERT INTO t VALUES (1)",
     "malformed database schema (t) - unsafe use of f()"},
    {"CREATE TABLE t (x CHECK (extfn_load(x)))", "INSERT INTO t VALUES ('lib')",
     "malformed database schema (t) - unsafe use of extfn_load()"},
    {"CREATE TABLE t (x, y AS (f(x)))", "SELECT y FROM t",
     "malformed database schema (t) - unsafe use of f()"},
    {"CREATE TABLE t (x); CREATE INDEX i ON t (f(x))", "INSERT INTO t VALUES (1)",
     "malformed database schema (i) - unsafe use of f()"},
};

static void harmless(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc, (void)argv;
    sqlite3_result_int(context, 1);
}

/* A database of somebody to whom these names are something else. */
static void make_foreign(const char *path, const char *schema)
{
    static const char *const names[] = {"f", "extfn_try", "extfn_load"};
    sqlite3 *db = NULL;
    (void)remove(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        assert_int_equal(sqlite3_create_function(db, names[i], -1,
                                                 SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, harmless,
                                                 NULL, NULL),
                         SQLITE_OK);
    }
    assert_int_equal(sqlite3_exec(db, schema, NULL, NULL, NULL), SQLITE_OK);
    database_close(db);
}

/* SQLite has read the schema before it knows the functions. */
static void schemas_cannot_call(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    for (size_t i = 0; i < sizeof(foreign_cases) / sizeof(foreign_cases[0]); i++) {
        const foreign *given = &foreign_cases[i];
        const char *path = folder_path(fix.folder, "foreign.db");
        make_foreign(path, given->schema);
        sqlite3 *db = NULL;
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_row(db, "SELECT count(*) > 0 FROM sqlite_schema", "1");
        assert_int_equal(database_extend(db), SQLITE_OK);
        (void)database_load(db, fix.folder);
        assert_error(db, given->statement, given->error);
        database_close(db);
    }
    fixture_clear(&fix);
}

static void schemas_cannot_list_functions(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    assert_int_equal(database_ask(fix.db, "CREATE VIEW v AS SELECT * FROM extfn_functions").code,
                     SQLITE_DONE);
    assert_error(fix.db, "SELECT * FROM v", "unsafe use of virtual table \"extfn_functions\"");
    fixture_clear(&fix);
}

static void temporary_views_can(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    fixture fix = fixture_new();
    assert_loads(fix.db, fix.folder, "1");
    assert_int_equal(database_ask(fix.db, "CREATE TEMP VIEW v AS SELECT f(1)").code, SQLITE_DONE);
    assert_row(fix.db, "SELECT * FROM v", "2.0");
    fixture_clear(&fix);
}

static void loading_leaves_tables_and_statements_as_they_are(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    assert_int_equal(sqlite3_exec(fix.db,
                                  "CREATE TEMP TABLE a (x); INSERT INTO a VALUES (1), (2), (3);"
                                  "BEGIN; CREATE TABLE b (x)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_prepare_v2(fix.db, "SELECT x FROM a ORDER BY x", -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_loads(fix.db, fix.folder, "1");
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(statement, 0), 2);
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    assert_int_equal(sqlite3_exec(fix.db, "INSERT INTO b SELECT x FROM a; COMMIT", NULL, NULL,
                                  NULL),
                     SQLITE_OK);
    assert_row(fix.db, "SELECT sum(x) FROM b", "6");
    fixture_clear(&fix);
}

/* ---- Without memory ---- */

static sqlite3_mem_methods real;
static long calls_left = -1;

static bool is_refused(void)
{
    return calls_left >= 0 && calls_left-- == 0;
}

static void *refusing_malloc(int size)
{
    return is_refused() ? NULL : real.xMalloc(size);
}

static void *refusing_realloc(void *memory, int size)
{
    return is_refused() ? NULL : real.xRealloc(memory, size);
}

/* Whether all of it worked. */
static bool go_through_all(const char *folder)
{
    sqlite3 *db = NULL;
    bool is_done =
        sqlite3_open(":memory:", &db) == SQLITE_OK && database_extend(db) == SQLITE_OK &&
        database_load(db, folder).code == SQLITE_ROW &&
        database_ask(db, "SELECT signature FROM extfn_functions").code == SQLITE_ROW &&
        strncmp(database_ask(db, "SELECT extfn_try('f', 'x')").text, "{\"error\"", 8) == 0;
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return is_done;
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    char folder[FOLDER_SIZE];
    folder_open(folder);
    write_function(folder, "f.py", "# extfn: f(x: number) -> number\nresult = x + 1\n");
    assert_int_equal(sqlite3_shutdown(), SQLITE_OK);
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real), SQLITE_OK);
    sqlite3_mem_methods refusing = real;
    refusing.xMalloc = refusing_malloc;
    refusing.xRealloc = refusing_realloc;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &refusing), SQLITE_OK);
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0), SQLITE_OK);
    assert_int_equal(sqlite3_initialize(), SQLITE_OK);
    long nth = 0;
    bool is_done = false;
    for (; !is_done && nth < 5000; nth++) {
        calls_left = nth;
        bool worked = go_through_all(folder);
        is_done = worked && calls_left >= 0;
        calls_left = -1;
    }
    assert_true(is_done);
    assert_true(nth > 20);
    folder_close(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loading_again_replaces),
        cmocka_unit_test(the_path_in_other_words_is_the_same_library),
        cmocka_unit_test(a_bad_library_changes_nothing),
        cmocka_unit_test(names_of_others_are_refused),
        cmocka_unit_test(a_function_cannot_become_impure),
        cmocka_unit_test(loading_the_extension_again_keeps_what_there_is),
        cmocka_unit_test(schemas_cannot_call),
        cmocka_unit_test(schemas_cannot_list_functions),
        cmocka_unit_test(temporary_views_can),
        cmocka_unit_test(loading_leaves_tables_and_statements_as_they_are),
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
