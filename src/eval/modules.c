#include "eval/modules.h"

#include "eval/host.h"
#include "lang/language.h"

#include <string.h>

void xf_modules_init(xf_modules *modules)
{
    modules->engine = NULL;
    modules->count = 0;
    modules->size = 0;
    (void)pthread_mutex_init(&modules->lock, NULL);
}

static void kept_clear(xf_kept_module *kept)
{
    extfn_function_unref(kept->function);
    xf_wasm_module_unref(kept->module);
}

void xf_modules_clear(xf_modules *modules)
{
    for (size_t i = 0; i < modules->count; i++)
        kept_clear(&modules->kept[i]);
    xf_wasm_engine_free(modules->engine);
    (void)pthread_mutex_destroy(&modules->lock);
}

/* ---- The engine ---- */

static extfn_status make_engine(const extfn_host *host, xf_wasm_engine **ret_engine,
                                extfn_error *err)
{
    const xf_wasm_engine_options options = {
        .path = host->options.interpreters[EXTFN_WASM],
        .memory_bytes = host->options.memory_bytes,
    };
    extfn_error failure = {0};
    extfn_status status = xf_wasm_engine_new(&options, ret_engine, &failure);
    if (status == EXTFN_EUNAVAILABLE) {
        const char *advice =
            options.path ? "name another engine" : "run ./dev setup wasm and build again";
        return xf_language_unavailable(xf_language_get(EXTFN_WASM), failure.message, advice, err);
    }
    return status == EXTFN_OK ? EXTFN_OK : xf_fail(err, status, "%s", failure.message);
}

extfn_status xf_modules_engine(extfn_host *host, xf_wasm_engine **ret_engine, extfn_error *err)
{
    xf_modules *modules = &host->modules;
    extfn_status status = EXTFN_OK;
    (void)pthread_mutex_lock(&modules->lock);
    if (!modules->engine)
        status = make_engine(host, &modules->engine, err);
    *ret_engine = modules->engine;
    (void)pthread_mutex_unlock(&modules->lock);
    return status;
}

/* ---- The list ---- */

static xf_wasm_module *find(xf_modules *modules, const extfn_function *function,
                            const xf_wasm_stamp *stamp)
{
    xf_wasm_module *found = NULL;
    (void)pthread_mutex_lock(&modules->lock);
    for (size_t i = modules->count; i > 0 && !found; i--) {
        const xf_kept_module *kept = &modules->kept[i - 1];
        if (xf_function_is_equal(kept->function, function) &&
            xf_wasm_stamp_is_equal(&kept->stamp, stamp))
            found = xf_wasm_module_ref(kept->module);
    }
    (void)pthread_mutex_unlock(&modules->lock);
    return found;
}

/* Puts it behind the others where there is room; else takes out the oldest. */
static bool put(xf_modules *modules, const xf_kept_module *kept, xf_kept_module *ret_oldest)
{
    bool has_room = modules->count < XF_MODULES_LIMIT &&
                    (modules->count == 0 || modules->size + kept->size <= XF_MODULES_BYTES);
    if (has_room) {
        modules->kept[modules->count++] = *kept;
        modules->size += kept->size;
        return true;
    }
    *ret_oldest = modules->kept[0];
    modules->size -= ret_oldest->size;
    modules->count--;
    memmove(modules->kept, modules->kept + 1, modules->count * sizeof(modules->kept[0]));
    return false;
}

/* Under the stamp of the file that was read, which may be another than the path leads to by now. */
static void keep(xf_modules *modules, extfn_function *function, xf_wasm_module *module)
{
    const xf_wasm_stamp stamp = xf_wasm_module_stamp(module);
    if (xf_wasm_stamp_is_equal(&stamp, &XF_WASM_NO_STAMP))
        return;
    const xf_kept_module kept = {
        .function = extfn_function_ref(function),
        .stamp = stamp,
        .module = xf_wasm_module_ref(module),
        .size = stamp.size > 0 ? (uint64_t)stamp.size : function->body_size,
    };
    for (bool is_kept = false; !is_kept;) {
        xf_kept_module oldest = {0};
        (void)pthread_mutex_lock(&modules->lock);
        is_kept = put(modules, &kept, &oldest);
        (void)pthread_mutex_unlock(&modules->lock);
        kept_clear(&oldest);
    }
}

/* ---- Compiling ---- */

xf_wasm_source xf_modules_source(const extfn_host *host, const extfn_function *function)
{
    return (xf_wasm_source){
        .body = function->body,
        .body_size = function->body_size,
        .library_path = function->source_path,
        .are_paths_forbidden = host->options.are_module_files_forbidden,
    };
}

static xf_wasm_signature signature_of(const extfn_function *function)
{
    xf_wasm_signature signature = {.arg_count = function->arity, .ret = function->return_type};
    memcpy(signature.args, function->arg_types, function->arity * sizeof(signature.args[0]));
    return signature;
}

/* Threads that want the same function at once may each compile it: one that waited for another
 * could not be canceled. */
static extfn_status compile(extfn_host *host, extfn_function *function,
                            const xf_wasm_source *source, const xf_wasm_limits *limits,
                            xf_wasm_module **ret_module, extfn_error *err)
{
    if (function->is_vectorized)
        return xf_fail(err, EXTFN_ERUNTIME,
                       "a Wasm function takes values, not columns: it cannot be vectorized");
    xf_wasm_engine *engine = NULL;
    XF_TRY(xf_modules_engine(host, &engine, err));
    const xf_wasm_signature signature = signature_of(function);
    return xf_wasm_module_load(engine, source, &signature, limits, ret_module, err);
}

extfn_status xf_modules_get(extfn_host *host, extfn_function *function,
                            const xf_wasm_limits *limits, xf_wasm_module **ret_module,
                            extfn_error *err)
{
    const xf_wasm_source source = xf_modules_source(host, function);
    const xf_wasm_stamp stamp = xf_wasm_source_stamp(&source);
    xf_wasm_module *module = find(&host->modules, function, &stamp);
    if (!module) {
        XF_TRY(compile(host, function, &source, limits, &module, err));
        keep(&host->modules, function, module);
    }
    *ret_module = module;
    return EXTFN_OK;
}
