#include "wasm/api.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The library of an installation comes with its engine; one that runs where it was built has the
 * one that it was built with. */
static const char *const places[] = {
    XF_WASM_ENGINE_INSTALLED,
#ifdef XF_WASM_ENGINE_BUILT
    XF_WASM_ENGINE_BUILT,
#endif
};

#ifdef XF_WASM_ENGINE_BESIDE
static char beside[PATH_MAX];
static pthread_once_t beside_once = PTHREAD_ONCE_INIT;

/* A file that may be installed anywhere, such as a wheel's, has the engine in its own folder. */
static void find_beside(void)
{
    Dl_info own;
    if (dladdr(places, &own) == 0 || own.dli_fname[0] != '/')
        return;
    const char *end = strrchr(own.dli_fname, '/');
    (void)snprintf(beside, sizeof(beside), "%.*s/%s", (int)(end - own.dli_fname), own.dli_fname,
                   XF_WASM_ENGINE_BESIDE);
}
#endif

const char *xf_wasm_api_place(void)
{
#ifdef XF_WASM_ENGINE_BESIDE
    (void)pthread_once(&beside_once, find_beside);
    if (access(beside, R_OK) == 0)
        return beside;
#endif
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (access(places[i], R_OK) == 0)
            return places[i];
    }
    return NULL;
}

/* ISO C has no cast from a data to a function pointer; POSIX says that their bytes are the same. */
static bool look_up(void *library, const char *name, void *ret_function)
{
    void *found = dlsym(library, name);
    memcpy(ret_function, (const void *)&found, sizeof(found));
    return found != NULL;
}

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define NAME_AND_OFFSET(name) {#name, offsetof(xf_wasm_api, name)},
    XF_WASM_API(NAME_AND_OFFSET)
#undef NAME_AND_OFFSET
};

extfn_status xf_wasm_api_load(const char *path, xf_wasm_api *ret_api, extfn_error *err)
{
    const char *place = path ? path : xf_wasm_api_place();
    if (!place)
        return xf_fail(err, EXTFN_EUNAVAILABLE, "'%s' is missing", XF_WASM_ENGINE_INSTALLED);
    void *library = dlopen(place, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        const char *reason = dlerror(); /* NOLINT(concurrency-mt-unsafe): glibc's is per thread */
        return xf_fail(err, EXTFN_EUNAVAILABLE, "%s", reason);
    }
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        if (!look_up(library, functions[i].name, (char *)ret_api + functions[i].offset)) {
            return xf_fail(err, EXTFN_EUNAVAILABLE, "'%s' lacks %s", place, functions[i].name);
        }
    }
    return EXTFN_OK;
}
