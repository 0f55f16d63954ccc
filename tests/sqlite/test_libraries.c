/* Loading, loading again, names that clash, memory that is short. SPDX-License-Identifier: MIT */
#include "library.h"

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
        cmocka_unit_test(each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
