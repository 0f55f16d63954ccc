/* extfn_sqlite, an extension of SQLite: `.load ./extfn_sqlite`. docs/sqlite.md tells how it is
 * used. SPDX-License-Identifier: MIT */
#include "state.h"

SQLITE_EXTENSION_INIT1

/* What keeps a view or trigger of a foreign database from calling functions; before it SQLite takes
 * the word and does nothing about it. */
#define OLDEST_SQLITE 3031000

static int register_all(sql_state *state)
{
    int code = sql_load_register(state);
    if (code == SQLITE_OK)
        code = sql_try_register(state);
    if (code == SQLITE_OK)
        code = sql_functions_register(state);
    return code == SQLITE_OK ? sql_reread_schemas(state->db) : code;
}

/* Once; what a connection has loaded stays. */
static int start(sqlite3 *db)
{
    bool is_loaded = false;
    int code = sql_find_function(db, "extfn_load", &is_loaded);
    if (code != SQLITE_OK || is_loaded)
        return code;
    sql_state *state = sql_state_new(db);
    if (!state)
        return SQLITE_NOMEM;
    code = register_all(state);
    sql_state_unref(state);
    return code;
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
    int code = start(db);
    if (code != SQLITE_OK)
        *ret_message = sqlite3_mprintf("%s", sqlite3_errstr(code));
    return code;
}
