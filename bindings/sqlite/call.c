/* A call: arguments in, wait, result out. SPDX-License-Identifier: MIT */
#include "values.h"

#include <poll.h>
#include <time.h>

SQLITE_EXTENSION_INIT3

/* How often a call looks whether its statement was interrupted. */
#define INTERRUPT_POLL_MS 50

typedef struct arguments {
    extfn_value items[EXTFN_ARGUMENT_LIMIT];
    size_t count;
} arguments;

static void arguments_clear(arguments *args)
{
    for (size_t i = 0; i < args->count; i++)
        extfn_value_clear(&args->items[i]);
}

static bool has_null(int argc, sqlite3_value **argv)
{
    for (int i = 0; i < argc; i++) {
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL)
            return true;
    }
    return false;
}

/* ---- Waiting ---- */

/* SQLite tells an extension since 3.41 only, but of old a statement that starts while another one
 * is being interrupted is interrupted as well. */
static bool is_interrupted(sqlite3 *db)
{
    return sqlite3_exec(db, "SELECT 1", NULL, NULL, NULL) == SQLITE_INTERRUPT;
}

static int64_t now_ms(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The queue has this job alone. By the clock, since a body that prints wakes it all the time. */
static extfn_job *wait_for(const sql_state *state, extfn_job *job)
{
    int64_t look_ms = now_ms() + INTERRUPT_POLL_MS;
    for (;;) {
        extfn_job *done = extfn_queue_step(state->queue);
        if (done)
            return done;
        int64_t now = now_ms();
        if (now >= look_ms) {
            look_ms = now + INTERRUPT_POLL_MS;
            if (is_interrupted(state->db))
                extfn_job_cancel(job);
        }
        struct pollfd ready = {.fd = extfn_queue_descriptor(state->queue), .events = POLLIN};
        (void)poll(&ready, 1, (int)(look_ms - now));
    }
}

static extfn_status wait_in_queue(sql_state *state, extfn_function *function, const arguments *args,
                                  const extfn_call_options *options, extfn_value *ret_value,
                                  extfn_error *err)
{
    extfn_job *job = NULL;
    SQL_TRY(extfn_queue_submit(state->queue, function, args->items, args->count, options, NULL,
                               &job, err));
    job = wait_for(state, job);
    extfn_status status = extfn_job_take_value(job, ret_value, err);
    extfn_job_free(job);
    return status;
}

/* SQL has no other place to say it in a result that is a value. */
static void tell_unsandboxed(sql_state *state)
{
    if (!state->is_unsandboxed) {
        sqlite3_log(SQLITE_WARNING, "extfn: no sandbox can be had here: functions run with limits "
                                    "alone, as IMPROV_EXTFN_ALLOW_UNSANDBOXED allows");
    }
    state->is_unsandboxed = true;
}

static extfn_status evaluate(sql_state *state, extfn_function *function, const arguments *args,
                             extfn_value *ret_value, extfn_error *err)
{
    SQL_TRY(sql_state_open(state, err));
    extfn_output output = {0};
    extfn_call_options options = {.struct_size = sizeof(options), .output = &output};
    /* WebAssembly runs in this thread: a queue could not look for interrupts meanwhile either. */
    extfn_status status = extfn_function_language(function) == EXTFN_WASM
                              ? extfn_host_eval(state->host, function, args->items, args->count,
                                                &options, ret_value, err)
                              : wait_in_queue(state, function, args, &options, ret_value, err);
    if (output.is_unsandboxed)
        tell_unsandboxed(state);
    extfn_output_clear(&output);
    return status;
}

/* The number of arguments is right, and none is NULL. */
static extfn_status call(sql_state *state, extfn_function *function, sqlite3_value **argv,
                         extfn_value *ret_value, extfn_error *err)
{
    SQL_AUTO(arguments_clear) arguments args = {0};
    for (size_t i = 0; i < extfn_function_arity(function); i++) {
        SQL_TRY(sql_value_read(function, i, argv[i], &args.items[i], err));
        args.count++;
    }
    return evaluate(state, function, &args, ret_value, err);
}

/* ---- By name ---- */

/* The function of that name, if it takes so many arguments. */
static extfn_status find(const sql_state *state, const char *name, size_t count,
                         extfn_function **ret_function, extfn_error *err)
{
    const sql_slot *slot = sql_state_find(state, name);
    if (!slot)
        return sql_fail(err, EXTFN_ENOTFOUND, "external function not found: %s", name);
    if (slot->arity != count) {
        return sql_fail(err, EXTFN_EARITY, "function %s: expected %zu argument(s), got %zu",
                        slot->name, slot->arity, count);
    }
    *ret_function = slot->function;
    return EXTFN_OK;
}

static void run_slot(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const sql_slot *slot = sqlite3_user_data(context);
    extfn_function *function = slot->function;
    SQL_AUTO(extfn_value_clear) extfn_value result = {0};
    extfn_error err = {0};
    extfn_status status = EXTFN_OK;
    if (!function)
        status = find(slot->state, slot->name, slot->arity, &function, &err);
    if (status == EXTFN_OK && has_null(argc, argv))
        return; /* its result is NULL */
    if (status == EXTFN_OK)
        status = call(slot->state, function, argv, &result, &err);
    if (status == EXTFN_OK)
        status = sql_value_write(context, &result, &err);
    if (status != EXTFN_OK)
        sql_result_failure(context, &err);
}

static void release_slot(void *slot)
{
    sql_state_unref(((sql_slot *)slot)->state);
}

int sql_slot_register(sql_slot *slot)
{
    int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
    if (slot->is_deterministic)
        flags |= SQLITE_DETERMINISTIC;
    (void)sql_state_ref(slot->state);
    return sqlite3_create_function_v2(slot->state->db, slot->name, (int)slot->arity, flags, slot,
                                      run_slot, NULL, NULL, release_slot);
}

/* ---- extfn_try ---- */

static extfn_status try_call(sql_state *state, int argc, sqlite3_value **argv,
                             extfn_value *ret_value, bool *ret_is_null, extfn_error *err)
{
    extfn_function *function = NULL;
    const char *name = NULL;
    SQL_TRY(sql_text_read(argv[0], "extfn_try: the name of a function", &name, err));
    SQL_TRY(find(state, name, (size_t)argc - 1, &function, err));
    *ret_is_null = has_null(argc - 1, argv + 1);
    return *ret_is_null ? EXTFN_OK : call(state, function, argv + 1, ret_value, err);
}

/* What the statement has to fail of, whoever asks. */
static bool is_fatal(extfn_status status)
{
    return status == EXTFN_ECANCELED || status == EXTFN_ENOMEM;
}

static void run_try(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    SQL_AUTO(extfn_value_clear) extfn_value result = {0};
    bool is_null = false;
    extfn_error err = {0};
    if (argc == 0) {
        sqlite3_result_error(context, "extfn_try: the name of a function is missing", -1);
        return;
    }
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
        return;
    extfn_status status = try_call(sqlite3_user_data(context), argc, argv, &result, &is_null, &err);
    if (is_null)
        return;
    if (!is_fatal(status)) {
        extfn_error failure = err;
        const sql_state *state = sqlite3_user_data(context);
        const sql_outcome outcome = {&result, status == EXTFN_OK ? NULL : &failure,
                                     state->is_unsandboxed};
        status = sql_outcome_write(context, &outcome, &err);
    }
    if (status != EXTFN_OK)
        sql_result_failure(context, &err);
}

int sql_try_register(sql_state *state)
{
    return sqlite3_create_function_v2(state->db, "extfn_try", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                      sql_state_ref(state), run_try, NULL, NULL, sql_state_unref);
}
