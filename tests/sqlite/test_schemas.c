/* What the schemas of a connection, which are data and may be anyone's, have to do with functions.
 * SPDX-License-Identifier: MIT */
#include "library.h"

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
                                  "CREATE TABLE b (x)",
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
    assert_int_equal(sqlite3_exec(fix.db, "INSERT INTO b SELECT x FROM a", NULL, NULL, NULL),
                     SQLITE_OK);
    assert_row(fix.db, "SELECT sum(x) FROM b", "6");
    fixture_clear(&fix);
}

/* ---- When SQLite cannot read them again ---- */

#define TOO_EARLY                                                                                  \
    "functions cannot be added within a transaction, or by a statement that writes: commit, then " \
    "load them"

static void run(sqlite3 *db, const char *sql)
{
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

/* ROLLBACK has to know that the schema changed: another connection's table may lie there next. */
static void nothing_is_added_in_a_transaction(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    run(fix.db, "BEGIN; CREATE TABLE t (a, b)");
    assert_refused(fix.db, fix.folder, TOO_EARLY);
    run(fix.db, "ROLLBACK");
    assert_error(fix.db, "SELECT * FROM t", "no such table: t");
    assert_row(fix.db, "SELECT count(*) FROM extfn_functions", "0");
    assert_loads(fix.db, fix.folder, "1");
    run(fix.db, "BEGIN");
    assert_loads(fix.db, fix.folder, "1"); /* it adds none: it reads them again */
    run(fix.db, "COMMIT");
    fixture_clear(&fix);
}

static void nothing_is_added_by_a_statement_that_writes(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    run(fix.db, "CREATE TABLE log (n)");
    char *sql = sqlite3_mprintf("INSERT INTO log SELECT extfn_load(%Q)", fix.folder);
    assert_error(fix.db, sql, TOO_EARLY);
    sqlite3_free(sql);
    sql = sqlite3_mprintf("CREATE TABLE x AS SELECT extfn_load(%Q)", fix.folder);
    assert_error(fix.db, sql, TOO_EARLY);
    sqlite3_free(sql);
    assert_row(fix.db, "SELECT count(*) FROM log", "0");
    assert_loads(fix.db, fix.folder, "1");
    fixture_clear(&fix);
}

static void the_extension_is_not_loaded_in_a_transaction(void **state)
{
    (void)state;
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    run(db, "BEGIN; CREATE TABLE t (a)");
    assert_int_equal(database_extend(db), SQLITE_ERROR);
    assert_error(db, "SELECT extfn_load('x')", "no such function: extfn_load");
    run(db, "COMMIT");
    assert_int_equal(database_extend(db), SQLITE_OK);
    database_close(db);
}

static void a_writable_schema_stays_writable(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    run(fix.db, "PRAGMA writable_schema = ON");
    assert_loads(fix.db, fix.folder, "1");
    assert_row(fix.db, "PRAGMA writable_schema", "1");
    fixture_clear(&fix);
}

static int deny_writable_schema(void *context, int action, const char *first, const char *second,
                                const char *database, const char *trigger)
{
    (void)context, (void)second, (void)database, (void)trigger;
    bool is_it = action == SQLITE_PRAGMA && first && strcmp(first, "writable_schema") == 0;
    return is_it ? SQLITE_DENY : SQLITE_OK;
}

/* However often it is asked: no function before that. */
static void functions_wait_until_it_is_read(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    const char *path = folder_path(fix.folder, "foreign.db");
    make_foreign(path, "CREATE TABLE t (x, y AS (f(x)))");
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(database_extend(db), SQLITE_OK);
    assert_row(db, "SELECT count(*) FROM sqlite_schema", "1");
    assert_int_equal(sqlite3_set_authorizer(db, deny_writable_schema, NULL), SQLITE_OK);
    for (int i = 0; i < 2; i++)
        assert_refused(db, fix.folder, "read the schema again: authorization denied");
    assert_int_equal(sqlite3_set_authorizer(db, NULL, NULL), SQLITE_OK);
    assert_row(db, "SELECT count(*) FROM extfn_functions", "0");
    assert_loads(db, fix.folder, "1");
    assert_error(db, "SELECT y FROM t", "malformed database schema (t) - unsafe use of f()");
    database_close(db);
    fixture_clear(&fix);
}

/* By `.load`, which then leaves nothing. */
static void an_extension_that_is_denied_it_leaves_nothing(void **state)
{
    (void)state;
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_set_authorizer(db, deny_writable_schema, NULL), SQLITE_OK);
    assert_int_equal(database_extend(db), SQLITE_ERROR);
    assert_error(db, "SELECT extfn_try('f')", "no such function: extfn_try");
    database_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_cannot_call),
        cmocka_unit_test(schemas_cannot_list_functions),
        cmocka_unit_test(temporary_views_can),
        cmocka_unit_test(loading_leaves_tables_and_statements_as_they_are),
        cmocka_unit_test(nothing_is_added_in_a_transaction),
        cmocka_unit_test(nothing_is_added_by_a_statement_that_writes),
        cmocka_unit_test(the_extension_is_not_loaded_in_a_transaction),
        cmocka_unit_test(a_writable_schema_stays_writable),
        cmocka_unit_test(functions_wait_until_it_is_read),
        cmocka_unit_test(an_extension_that_is_denied_it_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
