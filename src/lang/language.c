#include "lang/language.h"

#include "lang/languages.h"

static const xf_language languages[EXTFN_LANGUAGE_COUNT] = {
    {
        .id = EXTFN_PYTHON,
        .program = "python3",
        .package = "python3",
        .locate = xf_python_locate,
    },
    {
        .id = EXTFN_R,
        .program = "R",
        .package = "r-base-core",
        .locate = xf_r_locate,
        .refusal = xf_r_refusal,
    },
    {
        .id = EXTFN_JULIA,
        .program = "julia",
        .package = "julia",
        .locate = xf_julia_locate,
        .refusal = xf_julia_refusal,
    },
    {.id = EXTFN_PURE, .program = "pure", .locate = xf_pure_locate, .refusal = xf_pure_refusal},
    {.id = EXTFN_WASM, .program = "wasmtime", .is_in_process = true},
};

const xf_language *xf_language_get(extfn_language id)
{
    return &languages[id];
}

extfn_status xf_language_unavailable(const xf_language *language, const char *reason,
                                     const char *advice, extfn_error *err)
{
    return xf_fail(err, EXTFN_EUNAVAILABLE, "language runtime unavailable: %s (%s): %s; %s",
                   extfn_language_text(language->id), language->program, reason, advice);
}
