/* Connections with the extension in them, which is part of the program here, so that sanitizers see
 * it. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_DATABASE_H
#define XF_TESTS_DATABASE_H

#include "support/files.h"
#include "support/host.h"

#include <sqlite3.h>

int sqlite3_extfnsqlite_init(sqlite3 *db, char **ret_message, const void *api);

static inline int database_extend(sqlite3 *db)
{
    char *message = NULL;
    int code = sqlite3_extfnsqlite_init(db, &message, NULL);
    sqlite3_free(message);
    return code;
}

static inline sqlite3 *database_open(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(database_extend(db), SQLITE_OK);
    return db;
}

static inline void database_close(sqlite3 *db)
{
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

typedef struct answer {
    int code;
    char text[300]; /* of the first row's first column, or of the error; "NULL" */
} answer;

/* The outcome of a statement up to its first row. */
static inline answer database_ask(sqlite3 *db, const char *sql)
{
    answer got = {0};
    sqlite3_stmt *statement = NULL;
    got.code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (got.code == SQLITE_OK)
        got.code = sqlite3_step(statement);
    const char *text = sqlite3_errmsg(db);
    if (got.code == SQLITE_ROW)
        text = (const char *)sqlite3_column_text(statement, 0);
    (void)snprintf(got.text, sizeof(got.text), "%s", text ? text : "NULL");
    (void)sqlite3_finalize(statement);
    return got;
}

static inline void assert_row(sqlite3 *db, const char *sql, const char *expected)
{
    answer got = database_ask(db, sql);
    if (got.code != SQLITE_ROW || strcmp(got.text, expected) != 0)
        fail_msg("%s: %s, not %s", sql, got.text, expected);
}

static inline void assert_error(sqlite3 *db, const char *sql, const char *expected)
{
    answer got = database_ask(db, sql);
    if (got.code == SQLITE_ROW || got.code == SQLITE_DONE || strcmp(got.text, expected) != 0)
        fail_msg("%s: %s, not %s", sql, got.text, expected);
}

/* `SELECT extfn_load(PATH)`. */
static inline answer database_load(sqlite3 *db, const char *path)
{
    char *sql = sqlite3_mprintf("SELECT extfn_load(%Q)", path);
    answer got = database_ask(db, sql);
    sqlite3_free(sql);
    return got;
}

static inline void assert_loads(sqlite3 *db, const char *path, const char *count)
{
    answer got = database_load(db, path);
    if (got.code != SQLITE_ROW || strcmp(got.text, count) != 0)
        fail_msg("%s: %s", path, got.text);
}

static inline void assert_refused(sqlite3 *db, const char *path, const char *text)
{
    answer got = database_load(db, path);
    if (got.code != SQLITE_ERROR || strcmp(got.text, text) != 0)
        fail_msg("%s: %s", path, got.text);
}

static inline void write_function(const char *folder, const char *name, const char *text)
{
    (void)folder_write(folder, name, text, strlen(text));
}

#endif
