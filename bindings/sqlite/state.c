/* The state of a connection. SPDX-License-Identifier: MIT */
#include "state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

SQLITE_EXTENSION_INIT3

/* SQL asks row by row, and columns repeat: values of pure functions are kept, up to that size. */
#define MEMO_BYTES (UINT64_C(16) << 20)

sql_state *sql_state_new(sqlite3 *db)
{
    sql_state *state = sqlite3_malloc64(sizeof(*state));
    if (!state)
        return NULL;
    *state = (sql_state){.references = 1, .db = db, .last_slot = &state->slots};
    return state;
}

sql_state *sql_state_ref(sql_state *state)
{
    state->references++;
    return state;
}

static void free_slots(sql_slot *slot)
{
    while (slot) {
        sql_slot *next = slot->next;
        extfn_function_unref(slot->function);
        sqlite3_free(slot->name);
        sqlite3_free(slot);
        slot = next;
    }
}

static void free_libraries(sql_library *library)
{
    while (library) {
        sql_library *next = library->next;
        sqlite3_free(library->path);
        sqlite3_free(library);
        library = next;
    }
}

void sql_state_unref(void *state)
{
    sql_state *self = state;
    if (--self->references > 0)
        return;
    extfn_queue_free(self->queue);
    extfn_host_free(self->host);
    free_slots(self->slots);
    free_libraries(self->libraries);
    sqlite3_free(self);
}

extfn_status sql_state_open(sql_state *state, extfn_error *err)
{
    if (!state->host) {
        extfn_host_options options = {.struct_size = sizeof(options)};
        extfn_host_options_from_environment(&options);
        options.memo_bytes = MEMO_BYTES;
        SQL_TRY(extfn_host_new(&options, &state->host, err));
        state->owner = getpid();
    }
    if (state->owner != getpid()) {
        return sql_fail(err, EXTFN_EINVAL,
                        "the connection is another process's; open one after the fork");
    }
    return state->queue ? EXTFN_OK : extfn_queue_new(state->host, &state->queue, err);
}

int sql_find_function(sqlite3 *db, const char *name, bool *ret_is_there)
{
    sqlite3_stmt *statement = NULL;
    int code =
        sqlite3_prepare_v2(db, "SELECT 1 FROM pragma_function_list WHERE name = ?1 COLLATE NOCASE",
                           -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    (void)sqlite3_finalize(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return code;
    *ret_is_there = code == SQLITE_ROW;
    return SQLITE_OK;
}

static int read_flag(sqlite3 *db, const char *query, bool *ret_is_set)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, query, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *ret_is_set = sqlite3_column_int(statement, 0) != 0;
    (void)sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

/* The only way to make SQLite forget a schema; it also forgets what these words are named for. */
static int reread_schemas(sqlite3 *db)
{
    bool is_writable = false;
    int code = read_flag(db, "PRAGMA writable_schema", &is_writable);
    if (code == SQLITE_OK)
        code = sqlite3_exec(db, "PRAGMA writable_schema = RESET", NULL, NULL, NULL);
    if (code == SQLITE_OK && is_writable)
        code = sqlite3_exec(db, "PRAGMA writable_schema = ON", NULL, NULL, NULL);
    return code;
}

static bool is_writing(sqlite3 *db)
{
    for (sqlite3_stmt *it = sqlite3_next_stmt(db, NULL); it; it = sqlite3_next_stmt(db, it)) {
        if (sqlite3_stmt_busy(it) && !sqlite3_stmt_readonly(it))
            return true;
    }
    return false;
}

extfn_status sql_state_reread_schemas(sql_state *state, extfn_error *err)
{
    if (!sqlite3_get_autocommit(state->db) || is_writing(state->db)) {
        return sql_fail(err, EXTFN_EINVAL,
                        "functions cannot be added within a transaction, or by a statement that "
                        "writes: commit, then load them");
    }
    int code = reread_schemas(state->db);
    if (code != SQLITE_OK)
        return sql_fail_sqlite(err, code, "read the schema again");
    state->is_schema_old = false;
    return EXTFN_OK;
}

extfn_status sql_text_read(sqlite3_value *value, const char *what, const char **ret_text,
                           extfn_error *err)
{
    if (sqlite3_value_type(value) != SQLITE_TEXT)
        return sql_fail(err, EXTFN_EINVAL, "%s is a text", what);
    const char *text = (const char *)sqlite3_value_text(value);
    if (!text)
        return sql_fail(err, EXTFN_ENOMEM, "out of memory");
    if (strlen(text) != (size_t)sqlite3_value_bytes(value))
        return sql_fail(err, EXTFN_EINVAL, "%s has a U+0000 in it", what);
    *ret_text = text;
    return EXTFN_OK;
}

sql_slot *sql_state_find(const sql_state *state, const char *name)
{
    for (sql_slot *slot = state->slots; slot; slot = slot->next) {
        if (slot->function && sqlite3_stricmp(slot->name, name) == 0)
            return slot;
    }
    return NULL;
}

extfn_status sql_fail(extfn_error *err, extfn_status status, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    *err = (extfn_error){.status = status};
    (void)vsnprintf(err->message, sizeof(err->message), fmt, args);
    va_end(args);
    return status;
}

extfn_status sql_fail_sqlite(extfn_error *err, int code, const char *action)
{
    return sql_fail(err, code == SQLITE_NOMEM ? EXTFN_ENOMEM : EXTFN_EINVAL, "%s: %s", action,
                    sqlite3_errstr(code));
}

void sql_result_failure(sqlite3_context *context, const extfn_error *failure)
{
    if (failure->status == EXTFN_ENOMEM) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (failure->status == EXTFN_ECANCELED)
        sqlite3_result_error_code(context, SQLITE_INTERRUPT); /* and SQLite's text of it */
    else
        sqlite3_result_error(context, failure->message, -1);
}
