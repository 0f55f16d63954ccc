/* extfn_functions: a row for each function that can be called. SPDX-License-Identifier: MIT */
#include "state.h"

SQLITE_EXTENSION_INIT3

typedef struct table {
    sqlite3_vtab base;
    const sql_state *state;
} table;

/* Slots stay where they are, so that a library may be loaded while rows are read. */
typedef struct cursor {
    sqlite3_vtab_cursor base;
    const sql_slot *slot;
    sqlite3_int64 row;
} cursor;

static int connect(sqlite3 *db, void *state, int argc, const char *const *argv,
                   sqlite3_vtab **ret_table, char **ret_message)
{
    (void)argc, (void)argv, (void)ret_message;
    int code = sqlite3_declare_vtab(
        db, "CREATE TABLE x(name TEXT, language TEXT, signature TEXT, pure INTEGER, file TEXT)");
    if (code == SQLITE_OK)
        code = sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
    if (code != SQLITE_OK)
        return code;
    table *made = sqlite3_malloc64(sizeof(*made));
    if (!made)
        return SQLITE_NOMEM;
    *made = (table){.state = state};
    *ret_table = &made->base;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *base)
{
    sqlite3_free(base);
    return SQLITE_OK;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    (void)base;
    info->estimatedCost = 100;
    info->estimatedRows = 100;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **ret_cursor)
{
    (void)base;
    cursor *made = sqlite3_malloc64(sizeof(*made));
    if (!made)
        return SQLITE_NOMEM;
    *made = (cursor){0};
    *ret_cursor = &made->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    sqlite3_free(base);
    return SQLITE_OK;
}

static const sql_slot *next_filled(const sql_slot *slot)
{
    while (slot && !slot->function)
        slot = slot->next;
    return slot;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                  sqlite3_value **argv)
{
    (void)number, (void)text, (void)argc, (void)argv;
    cursor *self = (cursor *)base;
    self->slot = next_filled(((const table *)base->pVtab)->state->slots);
    self->row = 1;
    return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base)
{
    cursor *self = (cursor *)base;
    self->slot = next_filled(self->slot->next);
    self->row++;
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    return ((const cursor *)base)->slot == NULL;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *ret_row)
{
    *ret_row = ((const cursor *)base)->row;
    return SQLITE_OK;
}

static void result_text(sqlite3_context *context, const char *text)
{
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT); /* NULL of NULL */
}

static void result_signature(sqlite3_context *context, const extfn_function *function)
{
    char *text = NULL;
    extfn_error err = {0};
    if (extfn_function_signature(function, &text, &err) != EXTFN_OK)
        sql_result_failure(context, &err);
    else
        result_text(context, text);
    extfn_text_free(text);
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int position)
{
    const extfn_function *function = ((const cursor *)base)->slot->function;
    if (!function)
        return SQLITE_OK; /* it went while its row was read */
    switch (position) {
    case 0:
        result_text(context, extfn_function_name(function));
        break;
    case 1:
        result_text(context, extfn_language_text(extfn_function_language(function)));
        break;
    case 2:
        result_signature(context, function);
        break;
    case 3:
        sqlite3_result_int(context, extfn_function_is_pure(function));
        break;
    default:
        result_text(context, extfn_function_source_path(function));
        break;
    }
    return SQLITE_OK;
}

/* Without xCreate the table is simply there. */
static const sqlite3_module module = {
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next,
    .xEof = is_at_end,
    .xColumn = column,
    .xRowid = rowid,
};

int sql_functions_register(sql_state *state)
{
    return sqlite3_create_module_v2(state->db, "extfn_functions", &module, sql_state_ref(state),
                                    sql_state_unref);
}
