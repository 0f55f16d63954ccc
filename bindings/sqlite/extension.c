/* extfn_sqlite, an extension of SQLite: `.load ./extfn_sqlite`. docs/sqlite.md tells how it is
 * used. SPDX-License-Identifier: MIT */
#include "state.h"

SQLITE_EXTENSION_INIT1

/* What keeps a view or trigger of a foreign database from calling functions; before it SQLite takes
 * the word and does nothing about it. */
#define OLDEST_SQLITE 3031000

static extfn_status register_all(sql_state *state, extfn_error *err)
{
    int code = sql_load_register(state);
    if (code == SQLITE_OK)
        code = sql_try_register(state);
    if (code == SQLITE_OK)
        code = sql_functions_register(state);
    return code == SQLITE_OK ? EXTFN_OK : sql_fail_sqlite(err, code, "register functions");
}

static extfn_status start_state(sql_state *state, extfn_error *err)
{
    SQL_TRY(sql_state_reread_schemas(state, err)); /* if it cannot be done now, nothing is left */
    SQL_TRY(register_all(state, err));
    state->is_schema_old = true; /* as it stays if this fails: extfn_load tries it again */
    return sql_state_reread_schemas(state, err);
}

/* Once; what a connection has loaded stays. */
static extfn_status start(sqlite3 *db, extfn_error *err)
{
    bool is_loaded = false;
    int code = sql_find_function(db, "extfn_load", &is_loaded);
    if (code != SQLITE_OK)
        return sql_fail_sqlite(err, code, "look for functions");
    if (is_loaded)
        return EXTFN_OK;
    sql_state *state = sql_state_new(db);
    if (!state)
        return sql_fail(err, EXTFN_ENOMEM, "out of memory");
    extfn_status status = start_state(state, err);
    sql_state_unref(state);
    return status;
}

/* SQLite makes the name from the file's. Not prefixed, not in a header: nobody else calls it. */
EXTFN_API int sqlite3_extfnsqlite_init(sqlite3 *db, char **ret_message,
                                       const sqlite3_api_routines *api);

int sqlite3_extfnsqlite_init(sqlite3 *db, char **ret_message, const sqlite3_api_routines *api)
{
    SQLITE_EXTENSION_INIT2(api);
    (void)api; /* where the extension is part of a program */
    if (sqlite3_libversion_number() < OLDEST_SQLITE) {
        *ret_message =
            sqlite3_mprintf("extfn needs SQLite 3.31 or newer, this is %s", sqlite3_libversion());
        return SQLITE_ERROR;
    }
    extfn_error err = {0};
    if (start(db, &err) == EXTFN_OK)
        return SQLITE_OK;
    *ret_message = sqlite3_mprintf("%s", err.message);
    return err.status == EXTFN_ENOMEM ? SQLITE_NOMEM : SQLITE_ERROR;
}
