#include "wasm/module.h"

#include "base/auto.h"
#include "wasm/binary.h"
#include "wasm/compile.h"
#include "wasm/session.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of text that are translated in this process: two seconds and 600 MiB. */
#define TEXT_LIMIT ((size_t)8 << 20)

/* What a module may have, so that ordinary code compiles within the limits, and instances are
 * small.
 */
#define FUNCTION_SIZE_LIMIT (512U << 10)
#define FUNCTION_LIMIT 65536U
#define GLOBAL_LIMIT 8192U

typedef struct loading {
    xf_wasm_engine *engine;
    const xf_wasm_signature *signature;
    const xf_wasm_limits *limits;
    bool is_quiet;
    xf_wasm_stamp stamp;
} loading;

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
    const struct {
        uint64_t count;
        uint64_t limit;
        const char *what;
    } sizes[] = {
        {found->largest_body, FUNCTION_SIZE_LIMIT, "bytes in one function"},
        {found->function_count, FUNCTION_LIMIT, "functions"},
        {found->global_count, GLOBAL_LIMIT, "globals"},
        {found->table_elements, XF_WASM_TABLE_LIMIT, "elements in its tables"},
    };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (sizes[i].count > sizes[i].limit) {
            return xf_fail(err, EXTFN_ERUNTIME, "module has %" PRIu64 " %s, the limit is %" PRIu64,
                           sizes[i].count, sizes[i].what, sizes[i].limit);
        }
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

static extfn_status make(const loading *load, const void *bytes, size_t size,
                         xf_wasm_module **ret_module, extfn_error *err)
{
    xf_wasm_summary found = {.import_count = 0};
    XF_TRY(check(bytes, size, load->signature, &found, err));
    xf_wasm_engine *engine = load->engine;
    wasmtime_module_t *code = NULL;
    XF_TRY(xf_wasm_compile(engine, bytes, size, load->is_quiet, load->limits, &code, err));
    xf_wasm_module *module = xf_alloc(sizeof(*module));
    if (!module) {
        engine->api.wasmtime_module_delete(code);
        return xf_fail_oom(err);
    }
    atomic_init(&module->refs, 1);
    module->engine = engine;
    module->signature = *load->signature;
    module->code = code;
    module->raw_count = found.call.type.param_count > 1 ? found.call.type.param_count : 1;
    module->has_text_arguments = has_text_arguments(load->signature);
    /* Texts are written into the memory. */
    module->has_state = xf_wasm_summary_has_state(&found) || module->has_text_arguments;
    module->is_quiet = load->is_quiet;
    module->stamp = load->stamp;
    (void)pthread_mutex_init(&module->lock, NULL);
    *ret_module = module;
    return EXTFN_OK;
}

static extfn_status make_from_text(const loading *load, const xf_buf *text,
                                   xf_wasm_module **ret_module, extfn_error *err)
{
    if (text->size > TEXT_LIMIT) {
        return xf_fail(err, EXTFN_ERUNTIME,
                       "module text has %zu bytes, the limit is %zu MiB; give it as base64:",
                       text->size, TEXT_LIMIT >> 20);
    }
    wasm_byte_vec_t binary = {0};
    XF_TRY(xf_wasm_translate(load->engine, text->data, text->size, &binary, err));
    extfn_status status = make(load, binary.data, binary.size, ret_module, err);
    load->engine->api.wasm_byte_vec_delete(&binary);
    return status;
}

extfn_status xf_wasm_module_load(xf_wasm_engine *engine, const xf_wasm_source *source,
                                 const xf_wasm_signature *signature, const xf_wasm_limits *limits,
                                 xf_wasm_module **ret_module, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
    xf_wasm_stamp stamp = {0};
    XF_TRY(xf_wasm_source_read(source, &bytes, &stamp, err));
    xf_wasm_form form = xf_wasm_source_form(source);
    const loading load = {.engine = engine,
                          .signature = signature,
                          .limits = limits,
                          .is_quiet = form == XF_WASM_FILE,
                          .stamp = stamp};
    return form == XF_WASM_TEXT ? make_from_text(&load, &bytes, ret_module, err)
                                : make(&load, bytes.data, bytes.size, ret_module, err);
}

xf_wasm_stamp xf_wasm_module_stamp(const xf_wasm_module *module)
{
    return module->stamp;
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
