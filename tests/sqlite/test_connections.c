/* Connections in threads and processes, and statements that are interrupted.
 * SPDX-License-Identifier: MIT */
#include "database.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>

static char library[FOLDER_SIZE];

static int library_open(void **state)
{
    (void)state;
    folder_open(library);
    write_function(library, "f.py", "# extfn: f(x: number) -> number\nresult = x + 1\n");
    write_function(library, "forever.py",
                   "# extfn: forever(x: number) -> number\nwhile True: pass\n");
    write_function(library, "chatter.py",
                   "# extfn: chatter(x: number) -> number\nwhile True: print(x)\n");
    write_function(library, "entropy.py",
                   "# extfn: entropy() -> text impure\nimport os\n"
                   "result = os.urandom(8).hex()\n");
    return 0;
}

static int library_close(void **state)
{
    (void)state;
    folder_close(library);
    return 0;
}

static sqlite3 *open_loaded(void)
{
    sqlite3 *db = database_open();
    assert_loads(db, library, "4");
    return db;
}

static void *use_one_of_its_own(void *context)
{
    sqlite3 *db = NULL;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK || database_extend(db) != SQLITE_OK ||
        database_load(db, library).code != SQLITE_ROW)
        return context;
    for (int i = 0; i < 20; i++) {
        char sql[50];
        (void)snprintf(sql, sizeof(sql), "SELECT f(%d) = %d", i, i + 1);
        if (strcmp(database_ask(db, sql).text, "1") != 0)
            return context;
    }
    return sqlite3_close(db) == SQLITE_OK ? NULL : context;
}

static void *use_a_shared_one(void *db)
{
    for (int i = 0; i < 50; i++) {
        if (strcmp(database_ask(db, "SELECT f(abs(random() % 1000)) > 0").text, "1") != 0)
            return db;
    }
    return NULL;
}

static void run_in_threads(void *(*run)(void *), void *context)
{
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run, context), 0);
    for (size_t i = 0; i < 4; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
}

static void threads_have_connections_of_their_own(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    run_in_threads(use_one_of_its_own, library);
}

static void threads_share_a_connection(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    sqlite3 *db = open_loaded();
    run_in_threads(use_a_shared_one, db);
    database_close(db);
}

/* ---- Interrupts ---- */

typedef struct interrupter {
    sqlite3 *db;
    sem_t is_under_way;
} interrupter;

static void tell(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc, (void)argv;
    interrupter *self = sqlite3_user_data(context);
    sqlite3_result_int(context, sem_post(&self->is_under_way));
}

static void *interrupt(void *context)
{
    interrupter *self = context;
    while (sem_wait(&self->is_under_way) != 0) {
    }
    sqlite3_interrupt(self->db);
    return NULL;
}

/* A call that is not ended so would fail of its time limit. */
static void an_interrupt_ends_the_call(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char *const statements[] = {"SELECT forever(tell() + 1)",
                                             "SELECT chatter(tell() + 1)",
                                             "SELECT extfn_try('forever', tell() + 1)"};
    interrupter self = {.db = open_loaded()};
    assert_int_equal(sem_init(&self.is_under_way, 0, 0), 0);
    assert_int_equal(sqlite3_create_function(self.db, "tell", 0, SQLITE_UTF8, &self, tell, NULL,
                                             NULL),
                     SQLITE_OK);
    for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, interrupt, &self), 0);
        answer got = database_ask(self.db, statements[i]);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(got.code, SQLITE_INTERRUPT);
        assert_string_equal(got.text, "interrupted");
        assert_row(self.db, "SELECT f(1)", "2.0");
    }
    database_close(self.db);
    assert_int_equal(sem_destroy(&self.is_under_way), 0);
}

static void an_impure_function_is_asked_for_every_row(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    sqlite3 *db = open_loaded();
    assert_row(db, "SELECT count(DISTINCT entropy()) FROM (VALUES (1), (2), (3))", "3");
    database_close(db);
}

/* The child may close what it inherited and open its own. */
static int child_uses(sqlite3 *inherited)
{
    answer got = database_ask(inherited, "SELECT f(7)");
    if (strcmp(got.text, "the connection is another process's; open one after the fork") != 0)
        return 1;
    if (sqlite3_close(inherited) != SQLITE_OK)
        return 2;
    return use_one_of_its_own(library) ? 3 : 0;
}

static void a_forked_child_opens_its_own(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    sqlite3 *db = open_loaded();
    assert_row(db, "SELECT f(1)", "2.0");
    pid_t child = fork();
    if (child == 0)
        _exit(child_uses(db));
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_row(db, "SELECT f(7)", "8.0");
    database_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_have_connections_of_their_own),
        cmocka_unit_test(threads_share_a_connection),
        cmocka_unit_test(an_interrupt_ends_the_call),
        cmocka_unit_test(an_impure_function_is_asked_for_every_row),
        cmocka_unit_test(a_forked_child_opens_its_own),
    };
    return cmocka_run_group_tests(tests, library_open, library_close);
}
