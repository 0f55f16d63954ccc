#include "wasm/module.h"

#include "base/auto.h"
#include "os/stack.h"
#include "wasm/binary.h"
#include "wasm/failure.h"
#include "wasm/session.h"

#include <inttypes.h>
#include <malloc.h>
#include <string.h>

/* The compiler's own stack: it recurses over some of what it reads. */
#define COMPILER_STACK_SIZE ((size_t)16 << 20)

/* From this size on what the compiler used is given back to the system; malloc keeps it else. */
#define LARGE_MODULE ((size_t)64 << 10)

/* Compiling cannot be interrupted: these bounds hold it within the limit of a start, and in memory
 * (ARCHITECTURE.md has the measurements). */
#define TEXT_LIMIT ((size_t)16 << 20)
#define FUNCTION_SIZE_LIMIT (256U << 10)
#define LOCAL_LIMIT 4096U

/* ---- Compiling ---- */

typedef struct compilation {
    xf_wasm_engine *engine;
    const void *bytes;
    size_t size;
    wasm_byte_vec_t *ret_binary; /* of text: what it says in bytes; or NULL: compile */
    wasmtime_module_t *code;
    wasmtime_error_t *error;
} compilation;

static void compile(void *context)
{
    compilation *it = context;
    const xf_wasm_api *wt = &it->engine->api;
    if (it->ret_binary)
        it->error = wt->wasmtime_wat2wasm(it->bytes, it->size, it->ret_binary);
    else
        it->error = wt->wasmtime_module_new(it->engine->engine, it->bytes, it->size, &it->code);
}

extfn_status xf_wasm_compile(xf_wasm_engine *engine, const void *bytes, size_t size, bool is_quiet,
                             wasmtime_module_t **ret_code, extfn_error *err)
{
    compilation it = {.engine = engine, .bytes = bytes, .size = size};
    XF_TRY(xf_stack_call(COMPILER_STACK_SIZE, compile, &it, err));
    if (size > LARGE_MODULE)
        (void)malloc_trim(0);
    if (it.error)
        return xf_wasm_fail_error(&engine->api, is_quiet, "module does not compile", it.error, err);
    *ret_code = it.code;
    return EXTFN_OK;
}

/* ---- What a module must be ---- */

static extfn_status check_imports(const xf_wasm_summary *found, extfn_error *err)
{
    if (found->import_count == 0)
        return EXTFN_OK;
    return xf_fail(err, EXTFN_ERUNTIME, "module imports %.*s.%.*s; no imports are given",
                   (int)found->import_module_size, found->import_module,
                   (int)found->import_field_size, found->import_field);
}

static extfn_status check_sizes(const xf_wasm_summary *found, extfn_error *err)
{
    if (found->largest_body > FUNCTION_SIZE_LIMIT) {
        return xf_fail(err, EXTFN_ERUNTIME,
                       "module has a function of %u bytes, the limit is %u; split it",
                       found->largest_body, FUNCTION_SIZE_LIMIT);
    }
    if (found->table_elements > XF_WASM_TABLE_LIMIT) {
        return xf_fail(err, EXTFN_ERUNTIME,
                       "module has tables of %" PRIu64 " elements, the limit is %d",
                       found->table_elements, XF_WASM_TABLE_LIMIT);
    }
    if (found->largest_locals > LOCAL_LIMIT) {
        return xf_fail(err, EXTFN_ERUNTIME, "module has a function of %u locals, the limit is %u",
                       found->largest_locals, LOCAL_LIMIT);
    }
    return EXTFN_OK;
}

static extfn_status check_export(const xf_wasm_export *found, const char *name,
                                 const xf_wasm_type *expected, extfn_error *err)
{
    char wanted[XF_WASM_TYPE_TEXT_SIZE];
    char got[XF_WASM_TYPE_TEXT_SIZE];
    if (found->kind == XF_WASM_EXPORT_MISSING) {
        return xf_fail(err, EXTFN_ERUNTIME, "module does not export %s; expected %s", name,
                       xf_wasm_type_text(expected, wanted));
    }
    if (found->kind != XF_WASM_EXPORT_FUNCTION) {
        return xf_fail(err, EXTFN_ERUNTIME, "module exports %s, but not as a function; expected %s",
                       name, xf_wasm_type_text(expected, wanted));
    }
    if (!xf_wasm_type_is_equal(&found->type, expected)) {
        return xf_fail(err, EXTFN_ERUNTIME,
                       "module exports %s of the wrong type: expected %s, got %s", name,
                       xf_wasm_type_text(expected, wanted), xf_wasm_type_text(&found->type, got));
    }
    return EXTFN_OK;
}

static bool has_text_arguments(const xf_wasm_signature *signature)
{
    size_t at = 0;
    while (at < signature->arg_count && signature->args[at] != EXTFN_TEXT)
        at++;
    return at < signature->arg_count;
}

static extfn_status check_text(const xf_wasm_summary *found, const xf_wasm_signature *signature,
                               extfn_error *err)
{
    static const xf_wasm_type alloc = {.params = {XF_WASM_I32},
                                       .param_count = 1,
                                       .results = {XF_WASM_I32},
                                       .result_count = 1};
    if (!xf_wasm_signature_has_text(signature))
        return EXTFN_OK;
    if (!found->is_memory_exported)
        return xf_fail(err, EXTFN_ERUNTIME,
                       "module does not export its memory as %s, which Text needs", XF_WASM_MEMORY);
    return has_text_arguments(signature) ? check_export(&found->alloc, XF_WASM_ALLOC, &alloc, err)
                                         : EXTFN_OK;
}

static extfn_status check(const void *bytes, size_t size, const xf_wasm_signature *signature,
                          xf_wasm_summary *ret_summary, extfn_error *err)
{
    if (size > XF_WASM_MODULE_LIMIT) {
        return xf_fail(err, EXTFN_ERUNTIME, "module has %zu bytes, the limit is %zu MiB", size,
                       XF_WASM_MODULE_LIMIT >> 20);
    }
    extfn_error broken = {0};
    if (xf_wasm_binary_read(bytes, size, ret_summary, &broken) != EXTFN_OK)
        return xf_fail(err, EXTFN_ERUNTIME, "%s", broken.message);
    const xf_wasm_type expected = xf_wasm_signature_type(signature);
    XF_TRY(check_imports(ret_summary, err));
    XF_TRY(check_export(&ret_summary->call, XF_WASM_CALL, &expected, err));
    XF_TRY(check_text(ret_summary, signature, err));
    return check_sizes(ret_summary, err);
}

/* ---- Loading ---- */

static extfn_status make(xf_wasm_engine *engine, const void *bytes, size_t size,
                         const xf_wasm_signature *signature, bool is_quiet,
                         xf_wasm_module **ret_module, extfn_error *err)
{
    xf_wasm_summary found;
    XF_TRY(check(bytes, size, signature, &found, err));
    wasmtime_module_t *code = NULL;
    XF_TRY(xf_wasm_compile(engine, bytes, size, is_quiet, &code, err));
    xf_wasm_module *module = xf_alloc(sizeof(*module));
    if (!module) {
        engine->api.wasmtime_module_delete(code);
        return xf_fail_oom(err);
    }
    atomic_init(&module->refs, 1);
    module->engine = engine;
    module->signature = *signature;
    module->code = code;
    module->raw_count = found.call.type.param_count > 1 ? found.call.type.param_count : 1;
    module->has_text_arguments = has_text_arguments(signature);
    /* A start function is part of each row: it may trap or take its time. */
    module->has_state = xf_wasm_summary_has_state(&found) || found.has_start;
    module->is_quiet = is_quiet;
    (void)pthread_mutex_init(&module->lock, NULL);
    *ret_module = module;
    return EXTFN_OK;
}

static extfn_status make_from_text(xf_wasm_engine *engine, const xf_buf *text,
                                   const xf_wasm_signature *signature, xf_wasm_module **ret_module,
                                   extfn_error *err)
{
    if (text->size > TEXT_LIMIT) {
        return xf_fail(err, EXTFN_ERUNTIME, "module text has %zu bytes, the limit is %zu",
                       text->size, TEXT_LIMIT);
    }
    wasm_byte_vec_t binary = {0};
    compilation it = {.engine = engine,
                      .bytes = text->data,
                      .size = text->size,
                      .ret_binary = &binary};
    XF_TRY(xf_stack_call(COMPILER_STACK_SIZE, compile, &it, err));
    if (it.error)
        return xf_wasm_fail_text(&engine->api, it.error, err);
    extfn_status status = make(engine, binary.data, binary.size, signature, false, ret_module, err);
    engine->api.wasm_byte_vec_delete(&binary);
    if (text->size > LARGE_MODULE)
        (void)malloc_trim(0);
    return status;
}

extfn_status xf_wasm_module_load(xf_wasm_engine *engine, const xf_wasm_source *source,
                                 const xf_wasm_signature *signature, xf_wasm_module **ret_module,
                                 extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
    XF_TRY(xf_wasm_source_read(source, &bytes, err));
    xf_wasm_form form = xf_wasm_source_form(source);
    if (form == XF_WASM_TEXT)
        return make_from_text(engine, &bytes, signature, ret_module, err);
    return make(engine, bytes.data, bytes.size, signature, form == XF_WASM_FILE, ret_module, err);
}

xf_wasm_module *xf_wasm_module_ref(xf_wasm_module *module)
{
    (void)atomic_fetch_add_explicit(&module->refs, 1, memory_order_relaxed);
    return module;
}

void xf_wasm_module_unref(xf_wasm_module *module)
{
    if (!module || atomic_fetch_sub_explicit(&module->refs, 1, memory_order_acq_rel) != 1)
        return;
    while (module->idle) {
        xf_wasm_session *next = module->idle->next;
        xf_wasm_session_free(module->idle);
        module->idle = next;
    }
    const xf_wasm_api *wt = &module->engine->api;
    if (module->loop)
        wt->wasmtime_module_delete(module->loop);
    wt->wasmtime_module_delete(module->code);
    (void)pthread_mutex_destroy(&module->lock);
    xf_free(module);
}
