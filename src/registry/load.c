/* Loading a library into a registry, and keeping it as its files are. SPDX-License-Identifier: MIT
 */
#include "registry/library.h"
#include "registry/registry.h"

#include "base/auto.h"

#include <string.h>

static bool is_same_problem(const xf_library_file *file, const xf_library_file *other)
{
    return other && other->problem && strcmp(other->problem, file->problem) == 0;
}

/* Each problem once: also where all files share it, and where it has been told before. */
static void tell(const xf_library *library, const xf_library *former, extfn_problem_fn *on_problem,
                 void *context)
{
    for (size_t i = 0; on_problem && i < library->file_count; i++) {
        const xf_library_file *file = &library->files[i];
        if (!file->problem || is_same_problem(file, xf_library_find(former, file->path)) ||
            (i > 0 && is_same_problem(file, file - 1)))
            continue;
        extfn_error problem = {0};
        (void)xf_fail(&problem, file->status, "%s", file->problem);
        on_problem(file->path, &problem, context);
    }
}

extfn_status extfn_registry_load(extfn_registry *registry, const char *path,
                                 extfn_problem_fn *on_problem, void *context, extfn_error *err)
{
    XF_AUTO(xf_library_clear) xf_library library = {0};
    XF_TRY(xf_library_read(path, on_problem != NULL, &library, err));
    const xf_library nothing = {0};
    tell(&library, &nothing, on_problem, context);
    return xf_registry_add_library(registry, &library, err);
}

static extfn_status read_again(const xf_library *former, xf_library *ret_library, extfn_error *err)
{
    extfn_error reason = {0};
    extfn_status status = xf_library_read(former->path, true, ret_library, &reason);
    if (status == EXTFN_ENOMEM)
        return xf_fail_oom(err);
    if (status == EXTFN_OK && former->stamp.is_directory && !ret_library->stamp.is_directory) {
        xf_library_clear(ret_library);
        status = xf_fail(&reason, EXTFN_EIO, "%s: no such directory any more", former->path);
    }
    if (status != EXTFN_OK)
        XF_TRY(xf_library_lose(former, &reason, ret_library, err));
    return xf_library_inherit(ret_library, former, err);
}

static extfn_status refresh(extfn_registry *registry, size_t position, extfn_problem_fn *on_problem,
                            void *context, extfn_error *err)
{
    const xf_library *former = xf_registry_library(registry, position);
    if (xf_library_is_current(former))
        return EXTFN_OK;
    XF_AUTO(xf_library_clear) xf_library library = {0};
    XF_TRY(read_again(former, &library, err));
    tell(&library, former, on_problem, context);
    return xf_registry_replace_library(registry, position, &library, err);
}

extfn_status extfn_registry_refresh(extfn_registry *registry, extfn_problem_fn *on_problem,
                                    void *context, extfn_error *err)
{
    xf_registry_lock_libraries(registry);
    extfn_status status = EXTFN_OK;
    for (size_t i = 0; status == EXTFN_OK && xf_registry_library(registry, i); i++)
        status = refresh(registry, i, on_problem, context, err);
    xf_registry_unlock_libraries(registry);
    return status;
}
