#include "wasm/session.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/limits.h"
#include "wasm/compile.h"
#include "wasm/failure.h"

#include <poll.h>
#include <string.h>

/* Idle sessions of a module: as many as threads are likely to call at once. */
#define IDLE_LIMIT 16

#define TABLE_LIMIT 16
#define INSTANCE_LIMIT 2 /* the module and our loop */

/* ---- The clock ---- */

void xf_wasm_watch_begin_row(xf_wasm_watch *watch)
{
    watch->row_begun_us = 0;
    watch->row = -1;
    watch->stop = XF_WASM_STOP_NONE;
}

static bool is_canceled(const xf_wasm_watch *watch)
{
    struct pollfd cancel = {.fd = watch->limits.cancel_fd, .events = POLLIN};
    return cancel.fd >= 0 && poll(&cancel, 1, 0) > 0;
}

static xf_wasm_stop look_at_call(const xf_wasm_watch *watch, int64_t now_us)
{
    if (is_canceled(watch))
        return XF_WASM_STOP_CANCEL;
    bool is_late = watch->limits.until_us >= 0 && now_us >= watch->limits.until_us;
    return is_late ? XF_WASM_STOP_BATCH : XF_WASM_STOP_NONE;
}

static xf_wasm_stop look(xf_wasm_watch *watch, int32_t row)
{
    int64_t now_us = xf_clock_now();
    if (watch->row_begun_us == 0 || watch->row != row)
        watch->row_begun_us = now_us;
    watch->row = row;
    xf_wasm_stop stop = look_at_call(watch, now_us);
    if (stop == XF_WASM_STOP_NONE && now_us - watch->row_begun_us >= watch->limits.row_us)
        stop = XF_WASM_STOP_ROW;
    return stop;
}

static extfn_status fail_stopped(const xf_wasm_watch *watch, extfn_error *err)
{
    switch (watch->stop) {
    case XF_WASM_STOP_ROW:
        return xf_fail_timeout(err, watch->limits.row_us);
    case XF_WASM_STOP_BATCH:
        return xf_fail_timeout(err, watch->limits.batch_us);
    case XF_WASM_STOP_CANCEL:
        return xf_fail_canceled(err);
    case XF_WASM_STOP_NONE:
    default:
        return EXTFN_OK;
    }
}

extfn_status xf_wasm_watch_check(xf_wasm_watch *watch, extfn_error *err)
{
    watch->stop = look_at_call(watch, xf_clock_now());
    return fail_stopped(watch, err);
}

/* The engine calls it at each tick of the clock. */
static wasmtime_error_t *on_epoch(wasmtime_context_t *context, void *data, uint64_t *ret_ticks,
                                  wasmtime_update_deadline_kind_t *ret_kind)
{
    (void)context;
    xf_wasm_session *it = data;
    it->watch->stop = look(it->watch, it->is_in_loop ? xf_wasm_session_row(it) : 0);
    if (it->watch->stop != XF_WASM_STOP_NONE)
        return it->module->engine->api.wasmtime_error_new("stopped");
    *ret_ticks = 1;
    *ret_kind = WASMTIME_UPDATE_DEADLINE_CONTINUE;
    return NULL;
}

/* ---- Failures ---- */

/* Takes the error and the trap: what the clock and the memories know comes first. */
static extfn_status explain(const xf_wasm_session *it, const char *what, wasmtime_error_t *error,
                            wasm_trap_t *trap, extfn_error *err)
{
    const xf_wasm_engine *engine = it->module->engine;
    const xf_wasm_watch *watch = it->watch;
    bool is_quiet = it->module->is_quiet;
    extfn_status status = trap ? xf_wasm_fail_trap(&engine->api, is_quiet, trap, err)
                               : xf_wasm_fail_error(&engine->api, is_quiet, what, error, err);
    if (watch->stop != XF_WASM_STOP_NONE)
        return fail_stopped(watch, err);
    if (it->memory_note.is_limit_reached)
        return xf_fail_memory(err, engine->memory_rule.limit);
    if (it->memory_note.is_system_out)
        return xf_fail(err, EXTFN_ERUNTIME, "the system has no more memory for this process");
    return status;
}

extfn_status xf_wasm_session_call(xf_wasm_session *session, const wasmtime_func_t *function,
                                  wasmtime_val_raw_t *raws, size_t raw_count, extfn_error *err)
{
    const xf_wasm_api *wt = &session->module->engine->api;
    wasm_trap_t *trap = NULL;
    wt->wasmtime_context_set_epoch_deadline(session->context, 1);
    wasmtime_error_t *error =
        wt->wasmtime_func_call_unchecked(session->context, function, raws, raw_count, &trap);
    return error || trap ? explain(session, "the engine failed", error, trap, err) : EXTFN_OK;
}

/* ---- Instances ---- */

static extfn_status instantiate(const xf_wasm_session *it, const wasmtime_module_t *code,
                                const wasmtime_extern_t *imports, size_t import_count,
                                wasmtime_instance_t *ret_instance, extfn_error *err)
{
    const xf_wasm_api *wt = &it->module->engine->api;
    wasm_trap_t *trap = NULL;
    wt->wasmtime_context_set_epoch_deadline(it->context, 1);
    wasmtime_error_t *error =
        wt->wasmtime_instance_new(it->context, code, imports, import_count, ret_instance, &trap);
    return error || trap ? explain(it, "module cannot be instantiated", error, trap, err)
                         : EXTFN_OK;
}

static wasmtime_extern_union_t export_of(const xf_wasm_session *it,
                                         const wasmtime_instance_t *instance, const char *name)
{
    wasmtime_extern_t found = {0};
    /* What stands there was read from the module's bytes before it was compiled. */
    (void)it->module->engine->api.wasmtime_instance_export_get(it->context, instance, name,
                                                               strlen(name), &found);
    return found.of;
}

static extfn_status fill(xf_wasm_session *it, extfn_error *err)
{
    wasmtime_instance_t instance;
    xf_wasm_memory_tell(&it->memory_note);
    XF_TRY(instantiate(it, it->module->code, NULL, 0, &instance, err));
    it->call = export_of(it, &instance, XF_WASM_CALL).func;
    if (xf_wasm_signature_has_text(&it->module->signature))
        it->memory = export_of(it, &instance, XF_WASM_MEMORY).memory;
    if (it->module->has_text_arguments)
        it->alloc = export_of(it, &instance, XF_WASM_ALLOC).func;
    return EXTFN_OK;
}

static extfn_status make(xf_wasm_module *module, xf_wasm_watch *watch,
                         xf_wasm_session **ret_session, extfn_error *err)
{
    const xf_wasm_engine *engine = module->engine;
    xf_wasm_session *it = xf_alloc(sizeof(*it));
    if (!it)
        return xf_fail_oom(err);
    it->module = module;
    it->watch = watch;
    it->store = engine->api.wasmtime_store_new(engine->engine, NULL, NULL);
    it->context = engine->api.wasmtime_store_context(it->store);
    engine->api.wasmtime_store_limiter(it->store, -1, XF_WASM_TABLE_LIMIT, INSTANCE_LIMIT,
                                       TABLE_LIMIT, INSTANCE_LIMIT);
    engine->api.wasmtime_store_epoch_deadline_callback(it->store, on_epoch, it, NULL);
    extfn_status status = fill(it, err);
    if (status != EXTFN_OK) {
        xf_wasm_session_free(it);
        return status;
    }
    *ret_session = it;
    return EXTFN_OK;
}

static xf_wasm_session *take_idle(xf_wasm_module *module)
{
    (void)pthread_mutex_lock(&module->lock);
    xf_wasm_session *it = module->idle;
    if (it) {
        module->idle = it->next;
        module->idle_count--;
    }
    (void)pthread_mutex_unlock(&module->lock);
    return it;
}

extfn_status xf_wasm_session_take(xf_wasm_module *module, xf_wasm_watch *watch,
                                  xf_wasm_session **ret_session, extfn_error *err)
{
    xf_wasm_session *idle = module->has_state ? NULL : take_idle(module);
    if (!idle)
        return make(module, watch, ret_session, err);
    idle->watch = watch;
    *ret_session = idle;
    return EXTFN_OK;
}

void xf_wasm_session_give(xf_wasm_session *session)
{
    xf_wasm_module *module = session->module;
    bool is_kept = false;
    session->watch = NULL;
    (void)pthread_mutex_lock(&module->lock);
    if (!module->has_state && module->idle_count < IDLE_LIMIT) {
        session->next = module->idle;
        module->idle = session;
        module->idle_count++;
        is_kept = true;
    }
    (void)pthread_mutex_unlock(&module->lock);
    if (!is_kept)
        xf_wasm_session_free(session);
}

void xf_wasm_session_free(xf_wasm_session *session)
{
    if (!session)
        return;
    session->module->engine->api.wasmtime_store_delete(session->store);
    xf_free(session);
}

/* ---- The loop module ---- */

static extfn_status compile_loop(xf_wasm_module *module, extfn_error *err)
{
    if (module->loop)
        return EXTFN_OK;
    module->loop_plan = xf_wasm_loop_plan(&module->signature);
    XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
    XF_TRY(xf_wasm_loop_write(&module->signature, &module->loop_plan, &bytes, err));
    return xf_wasm_compile(module->engine, bytes.data, bytes.size, false, NULL, &module->loop, err);
}

extfn_status xf_wasm_session_add_loop(xf_wasm_session *session, extfn_error *err)
{
    if (session->has_loop)
        return EXTFN_OK;
    xf_wasm_module *module = session->module;
    (void)pthread_mutex_lock(&module->lock);
    extfn_status status = compile_loop(module, err);
    (void)pthread_mutex_unlock(&module->lock);
    if (status != EXTFN_OK)
        return status;
    const wasmtime_extern_t import = {.kind = WASMTIME_EXTERN_FUNC, .of.func = session->call};
    wasmtime_instance_t instance;
    session->loop_note.is_unlimited = true;
    xf_wasm_memory_tell(&session->loop_note);
    status = instantiate(session, module->loop, &import, 1, &instance, err);
    if (status != EXTFN_OK)
        return session->loop_note.is_system_out ? xf_fail_oom(err) : status;
    wasmtime_memory_t memory = export_of(session, &instance, XF_WASM_LOOP_MEMORY).memory;
    session->loop_data = module->engine->api.wasmtime_memory_data(session->context, &memory);
    session->loop_row = export_of(session, &instance, XF_WASM_LOOP_ROW).global;
    session->loop_run = export_of(session, &instance, XF_WASM_LOOP_RUN).func;
    session->has_loop = true;
    return EXTFN_OK;
}

int32_t xf_wasm_session_row(const xf_wasm_session *session)
{
    wasmtime_val_t row;
    session->module->engine->api.wasmtime_global_get(session->context, &session->loop_row, &row);
    return row.of.i32;
}
