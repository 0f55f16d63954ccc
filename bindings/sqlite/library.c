/* extfn_load: all functions of a path, or none. SPDX-License-Identifier: MIT */
#include "state.h"

#include <stdlib.h>
#include <string.h>

SQLITE_EXTENSION_INIT3

/* The functions of a path, whose references are held. */
typedef struct batch {
    extfn_registry *registry;
    extfn_function **functions;
    sql_slot **slots; /* of each function */
    size_t count;
} batch;

static void batch_clear(batch *b)
{
    for (size_t i = 0; b->functions && i < b->count; i++)
        extfn_function_unref(b->functions[i]);
    sqlite3_free(b->functions);
    sqlite3_free(b->slots);
    extfn_registry_free(b->registry);
}

static extfn_status fail_oom(extfn_error *err)
{
    return sql_fail(err, EXTFN_ENOMEM, "out of memory");
}

static extfn_status read_path(batch *b, const char *path, extfn_error *err)
{
    SQL_TRY(extfn_registry_new(&b->registry, err));
    SQL_TRY(extfn_registry_load(b->registry, path, NULL, NULL, err));
    size_t count = extfn_registry_count(b->registry);
    b->functions = sqlite3_malloc64((count + 1) * sizeof(extfn_function *));
    b->slots = sqlite3_malloc64((count + 1) * sizeof(sql_slot *));
    if (!b->functions || !b->slots)
        return fail_oom(err);
    memset(b->slots, 0, (count + 1) * sizeof(sql_slot *));
    for (; b->count < count; b->count++)
        b->functions[b->count] = extfn_registry_at(b->registry, b->count);
    return EXTFN_OK;
}

/* ---- Names ---- */

static sql_slot *find_slot(const sql_state *state, const char *name, size_t arity)
{
    for (sql_slot *slot = state->slots; slot; slot = slot->next) {
        if (slot->arity == arity && sqlite3_stricmp(slot->name, name) == 0)
            return slot;
    }
    return NULL;
}

static bool has_slot(const sql_state *state, const char *name)
{
    for (const sql_slot *slot = state->slots; slot; slot = slot->next) {
        if (sqlite3_stricmp(slot->name, name) == 0)
            return true;
    }
    return false;
}

static extfn_status check_is_free(sqlite3 *db, const char *name, extfn_error *err)
{
    bool is_there = false;
    int code = sql_find_function(db, name, &is_there);
    if (code != SQLITE_OK)
        return sql_fail_sqlite(err, code, "look for functions of that name");
    if (is_there) {
        return sql_fail(err, EXTFN_EINVAL,
                        "'%s' is a function of this connection already: rename one of them", name);
    }
    return EXTFN_OK;
}

static extfn_status check_name(const sql_state *state, const batch *b, size_t position,
                               extfn_error *err)
{
    const extfn_function *function = b->functions[position];
    const char *name = extfn_function_name(function);
    for (size_t i = 0; i < position; i++) {
        const char *other = extfn_function_name(b->functions[i]);
        if (sqlite3_stricmp(name, other) == 0)
            return sql_fail(err, EXTFN_EINVAL, "'%s' and '%s' are the same name in SQL", other,
                            name);
    }
    const sql_slot *slot = find_slot(state, name, extfn_function_arity(function));
    if (slot && slot->is_deterministic && !extfn_function_is_pure(function)) {
        return sql_fail(err, EXTFN_EINVAL,
                        "'%s' was pure and is impure now: close the connection and load it anew",
                        name);
    }
    return has_slot(state, name) ? EXTFN_OK : check_is_free(state->db, name, err);
}

/* ---- Slots ---- */

/* An empty one. The list has it before SQLite, which lets go of it on failure. */
static extfn_status add_slot(sql_state *state, const extfn_function *function, sql_slot **ret_slot,
                             extfn_error *err)
{
    sql_slot *slot = sqlite3_malloc64(sizeof(*slot));
    char *name = sqlite3_mprintf("%s", extfn_function_name(function));
    if (!slot || !name) {
        sqlite3_free(slot);
        sqlite3_free(name);
        return fail_oom(err);
    }
    *slot = (sql_slot){.state = state,
                       .name = name,
                       .arity = extfn_function_arity(function),
                       .is_deterministic = extfn_function_is_pure(function)};
    int code = sql_slot_register(slot);
    if (code != SQLITE_OK) {
        sqlite3_free(name);
        sqlite3_free(slot);
        return sql_fail_sqlite(err, code, "register a function");
    }
    *state->last_slot = slot;
    state->last_slot = &slot->next;
    state->is_schema_old = true;
    *ret_slot = slot;
    return EXTFN_OK;
}

static extfn_status make_slots(sql_state *state, batch *b, extfn_error *err)
{
    for (size_t i = 0; i < b->count; i++) {
        const extfn_function *function = b->functions[i];
        b->slots[i] =
            find_slot(state, extfn_function_name(function), extfn_function_arity(function));
        if (!b->slots[i])
            SQL_TRY(add_slot(state, function, &b->slots[i], err));
    }
    return state->is_schema_old ? sql_state_reread_schemas(state, err) : EXTFN_OK;
}

static void empty(sql_slot *slot)
{
    extfn_function_unref(slot->function);
    slot->function = NULL;
}

/* What the library had goes, and so does what its new functions replace. */
static void fill_slots(sql_state *state, const batch *b, const sql_library *library)
{
    for (sql_slot *slot = state->slots; slot; slot = slot->next) {
        if (slot->library == library)
            empty(slot);
    }
    for (size_t i = 0; i < b->count; i++) {
        sql_slot *former = sql_state_find(state, b->slots[i]->name);
        if (former)
            empty(former);
        b->slots[i]->function = extfn_function_ref(b->functions[i]);
        b->slots[i]->library = library;
    }
}

/* ---- The SQL function ---- */

/* The same path in other words is the same library. */
static extfn_status get_library(sql_state *state, const char *path, const sql_library **ret_library,
                                extfn_error *err)
{
    char *real = realpath(path, NULL);
    char *name = sqlite3_mprintf("%s", real ? real : path);
    free(real);
    if (!name)
        return fail_oom(err);
    sql_library *library = state->libraries;
    while (library && strcmp(library->path, name) != 0)
        library = library->next;
    if (library) {
        sqlite3_free(name);
        *ret_library = library;
        return EXTFN_OK;
    }
    library = sqlite3_malloc64(sizeof(*library));
    if (!library) {
        sqlite3_free(name);
        return fail_oom(err);
    }
    *library = (sql_library){.next = state->libraries, .path = name};
    state->libraries = library;
    *ret_library = library;
    return EXTFN_OK;
}

static extfn_status load(sql_state *state, const char *path, size_t *ret_count, extfn_error *err)
{
    SQL_AUTO(batch_clear) batch b = {0};
    const sql_library *library = NULL;
    SQL_TRY(read_path(&b, path, err));
    for (size_t i = 0; i < b.count; i++)
        SQL_TRY(check_name(state, &b, i, err));
    SQL_TRY(get_library(state, path, &library, err));
    SQL_TRY(make_slots(state, &b, err));
    fill_slots(state, &b, library);
    *ret_count = b.count;
    return EXTFN_OK;
}

static void run_load(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    const char *path = NULL;
    size_t count = 0;
    extfn_error err = {0};
    extfn_status status = sql_text_read(argv[0], "extfn_load: the path of a library", &path, &err);
    if (status == EXTFN_OK)
        status = load(sqlite3_user_data(context), path, &count, &err);
    if (status != EXTFN_OK)
        sql_result_failure(context, &err);
    else
        sqlite3_result_int64(context, (sqlite3_int64)count);
}

/* Called deterministic since SQLite 3.40 lets checks call, in spite of SQLITE_DIRECTONLY, what is
 * not. */
int sql_load_register(sql_state *state)
{
    const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC;
    return sqlite3_create_function_v2(state->db, "extfn_load", 1, flags, sql_state_ref(state),
                                      run_load, NULL, NULL, sql_state_unref);
}
