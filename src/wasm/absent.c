/* In a build without the engine: what says so. SPDX-License-Identifier: MIT */
#include "wasm/rows.h"

static extfn_status fail(extfn_error *err)
{
    return xf_fail(err, EXTFN_EUNAVAILABLE, "this build has no engine");
}

extfn_status xf_wasm_engine_new(const xf_wasm_engine_options *options, xf_wasm_engine **ret_engine,
                                extfn_error *err)
{
    (void)options;
    (void)ret_engine;
    return fail(err);
}

void xf_wasm_engine_free(xf_wasm_engine *engine)
{
    (void)engine;
}

const char *xf_wasm_engine_path(const xf_wasm_engine *engine)
{
    (void)engine;
    return "";
}

const char *xf_wasm_engine_version(void)
{
    return "";
}

extfn_status xf_wasm_module_load(xf_wasm_engine *engine, const xf_wasm_source *source,
                                 const xf_wasm_signature *signature, const xf_wasm_limits *limits,
                                 xf_wasm_module **ret_module, extfn_error *err)
{
    (void)engine;
    (void)source;
    (void)signature;
    (void)limits;
    (void)ret_module;
    return fail(err);
}

xf_wasm_stamp xf_wasm_module_stamp(const xf_wasm_module *module)
{
    (void)module;
    return XF_WASM_NO_STAMP;
}

xf_wasm_module *xf_wasm_module_ref(xf_wasm_module *module)
{
    return module;
}

void xf_wasm_module_unref(xf_wasm_module *module)
{
    (void)module;
}

extfn_status xf_wasm_rows_run(const xf_wasm_rows *rows, extfn_column *result, extfn_error *err)
{
    (void)rows;
    (void)result;
    return fail(err);
}
