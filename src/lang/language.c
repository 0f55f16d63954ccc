#include "lang/language.h"

#include "lang/languages.h"

static extfn_status locate_nothing(const xf_language *language, const xf_language_options *options,
                                   xf_runtime *ret_runtime, extfn_error *err)
{
    (void)options;
    (void)ret_runtime;
    return xf_language_unavailable(language, "this version has no driver for it", "use Python or R",
                                   err);
}

static const xf_language languages[EXTFN_LANGUAGE_COUNT] = {
    {
        .id = EXTFN_PYTHON,
        .program = "python3",
        .package = "python3",
        .locate = xf_python_locate,
        .driver_place = "/b/driver.py",
        .driver_data = xf_driver_python,
        .driver_size = &xf_driver_python_size,
    },
    {
        .id = EXTFN_R,
        .program = "R",
        .package = "r-base-core",
        .locate = xf_r_locate,
        .refusal = xf_r_refusal,
        .driver_place = "/b/driver.R",
        .driver_data = xf_driver_r,
        .driver_size = &xf_driver_r_size,
    },
    {.id = EXTFN_JULIA, .program = "julia", .package = "julia", .locate = locate_nothing},
    {.id = EXTFN_PURE, .program = "pure", .package = "pure", .locate = locate_nothing},
    {.id = EXTFN_WASM, .program = "wasmtime", .package = "wasmtime", .locate = locate_nothing},
};

const xf_language *xf_language_get(extfn_language id)
{
    return &languages[id];
}

xf_plan_file xf_language_driver(const xf_language *language)
{
    return (xf_plan_file){.place = language->driver_place,
                          .data = language->driver_data,
                          .size = *language->driver_size};
}

extfn_status xf_language_unavailable(const xf_language *language, const char *reason,
                                     const char *advice, extfn_error *err)
{
    return xf_fail(err, EXTFN_EUNAVAILABLE, "language runtime unavailable: %s (%s): %s; %s",
                   extfn_language_text(language->id), language->program, reason, advice);
}
