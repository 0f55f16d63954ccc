/* What the extension knows of one connection. SPDX-License-Identifier: MIT */
#ifndef XF_SQLITE_STATE_H
#define XF_SQLITE_STATE_H

#include <extfn/extfn.h>

#include <sqlite3ext.h>
#include <sys/types.h>

typedef struct sql_state sql_state;

/* A path that was loaded. */
typedef struct sql_library {
    struct sql_library *next;
    char *path;
} sql_library;

/* A name with a number of arguments, as SQLite has it. SQLite refuses to replace or delete a
 * function while a statement runs, and `SELECT extfn_load(...)` is one: so a slot stays for as long
 * as the connection, and what it calls changes. */
typedef struct sql_slot {
    struct sql_slot *next;
    sql_state *state;
    char *name;
    size_t arity;
    bool is_deterministic;    /* as SQLite was told */
    extfn_function *function; /* owned; NULL: there is none of that name any more, or it takes
                                 another number of arguments */
    const sql_library *library;
} sql_slot;

/* One for each connection, as used by one thread at a time as that. Each function and module that
 * SQLite was given holds a reference. */
struct sql_state {
    size_t references;
    sqlite3 *db;
    extfn_host *host;   /* NULL until the first call, */
    extfn_queue *queue; /* as is this */
    pid_t owner;        /* of the host object */
    sql_library *libraries;
    sql_slot *slots;      /* in the order of their making */
    sql_slot **last_slot; /* where the next one goes */
    bool is_unsandboxed;  /* a call had no sandbox, as the operator allowed */
    bool is_schema_old;   /* functions were added since SQLite read the schemas */
};

/* NULL without memory. */
sql_state *sql_state_new(sqlite3 *db);
sql_state *sql_state_ref(sql_state *state);

/* Fits as SQLite's destructor. The last reference ends all workers. */
void sql_state_unref(void *state);

/* Host object and queue, made by the first call. */
EXTFN_MUST_CHECK extfn_status sql_state_open(sql_state *state, extfn_error *err);

/* Whether SQLite has a function of that name: its own, another extension's, the application's,
 * ours; a status of SQLite. */
int sql_find_function(sqlite3 *db, const char *name, bool *ret_is_there);

/* Whether a schema may call a function is decided when SQLite reads the schema, and for checks,
 * generated columns and indexes of one that it read before the function was there, not at all. So
 * it has to read them again once functions were added, and before one can be called. EXTFN_EINVAL
 * within a transaction, whose ROLLBACK would no longer know that the schema has changed, and in a
 * statement that writes, which points into the schema. */
EXTFN_MUST_CHECK extfn_status sql_state_reread_schemas(sql_state *state, extfn_error *err);

/* Reads a name or a path, which `what` says in an error. */
EXTFN_MUST_CHECK extfn_status sql_text_read(sqlite3_value *value, const char *what,
                                            const char **ret_text, extfn_error *err);

/* The slot that has a function of that name, in any case of its letters, or NULL. */
sql_slot *sql_state_find(const sql_state *state, const char *name);

/* Returns `status`, which it records with the text; `err` is not NULL. */
extfn_status sql_fail(extfn_error *err, extfn_status status, const char *fmt, ...)
    EXTFN_PRINTF(3, 4);

/* The same with SQLite's text of its status. */
extfn_status sql_fail_sqlite(extfn_error *err, int code, const char *action);

/* Fails the statement with an error's text; what was canceled was interrupted. */
void sql_result_failure(sqlite3_context *context, const extfn_error *failure);

/* What the parts register with SQLite; each a status of SQLite. */
EXTFN_MUST_CHECK int sql_load_register(sql_state *state);      /* extfn_load(PATH) */
EXTFN_MUST_CHECK int sql_try_register(sql_state *state);       /* extfn_try(NAME, ...) */
EXTFN_MUST_CHECK int sql_functions_register(sql_state *state); /* the table extfn_functions */
EXTFN_MUST_CHECK int sql_slot_register(sql_slot *slot);

#define SQL_AUTO(cleanup_fn) __attribute__((cleanup(cleanup_fn)))

#define SQL_TRY(expr)                                                                              \
    do {                                                                                           \
        extfn_status status_ = (expr);                                                             \
        if (status_ != EXTFN_OK)                                                                   \
            return status_;                                                                        \
    } while (0)

#endif
