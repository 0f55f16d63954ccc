#include "base/alloc.h"
#include "base/auto.h"
#include "base/text.h"
#include "eval/acquire.h"
#include "eval/batch.h"
#include "eval/cancel.h"
#include "eval/options.h"
#include "eval/start.h"
#include "os/spawn.h"
#include "sandbox/find.h"
#include "sandbox/programs.h"

#include <string.h>
#include <sys/wait.h>

_Static_assert(EXTFN_LAYER_FILES == (int)XF_LAYER_FILES &&
                   EXTFN_LAYER_NETWORK == (int)XF_LAYER_NETWORK &&
                   EXTFN_LAYER_SCOPES == (int)XF_LAYER_SCOPES &&
                   EXTFN_LAYER_GROUP == (int)XF_LAYER_GROUP &&
                   EXTFN_LAYER_GROUP_MEMORY == (int)XF_LAYER_GROUP_MEMORY &&
                   EXTFN_LAYER_GROUP_TASKS == (int)XF_LAYER_GROUP_TASKS,
               "told as they come");

#define VERSION_TIMEOUT_US 10000000
#define VERSION_LIMIT 4096

extfn_status extfn_host_check_form(extfn_host *host, extfn_function *function,
                                   const extfn_call_options *options, extfn_form *ret_form,
                                   extfn_error *err)
{
    XF_TRY(xf_host_check_owner(host, err));
    extfn_call_options known;
    XF_TRY(xf_call_options_read(options, &known, err));
    if (xf_language_get(extfn_function_language(function))->is_in_process) {
        XF_TRY(xf_in_process_check(host, function, &known, err));
        *ret_form = EXTFN_COMPILED;
        return EXTFN_OK;
    }
    const xf_patience patience = xf_patience_of(&known);
    xf_worker *worker = NULL;
    XF_TRY(xf_acquire(host, function, &patience, &worker, err));
    *ret_form = worker->ready & XF_READY_EVALUATED ? EXTFN_EVALUATED : EXTFN_COMPILED;
    xf_release(host, function, worker);
    xf_spare_keep(host, xf_language_get(extfn_function_language(function)));
    return EXTFN_OK;
}

extfn_status extfn_host_check(extfn_host *host, extfn_function *function,
                              const extfn_call_options *options, extfn_error *err)
{
    extfn_form form;
    return extfn_host_check_form(host, function, options, &form, err);
}

static extfn_status start_probe(extfn_host *host, const xf_runtime *runtime,
                                const xf_patience *patience, xf_worker **ret_worker,
                                extfn_error *err)
{
    xf_turn turn = {0};
    extfn_status status = EXTFN_OK;
    *ret_worker = NULL;
    while (status == EXTFN_OK && !*ret_worker) {
        status = xf_start(host, runtime, false, &turn, ret_worker, err);
        if (status == EXTFN_OK && !*ret_worker)
            status = xf_wait_for_room(patience, err);
    }
    xf_host_leave_line(host, &turn);
    return status;
}

/* extfn-enter called without arguments ends at once with status 2: proof that everything up to the
 * place where an interpreter would start works here. */
extfn_status extfn_host_probe_layers(extfn_host *host, extfn_cancel *cancel, uint32_t *ret_layers,
                                     extfn_error *err)
{
    XF_TRY(xf_host_check_owner(host, err));
    if (host->options.policy == EXTFN_TRUSTED) {
        *ret_layers = 0;
        return EXTFN_OK;
    }
#ifdef XF_LAYER_SWITCHES
    return xf_fail(err, EXTFN_ESANDBOX,
                   "sandbox unavailable: this build can leave layers out; build without "
                   "-Dlayer_switches");
#endif
    const xf_language *language = xf_language_get(EXTFN_PYTHON);
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    XF_TRY(xf_strings_add(&runtime.argv, XF_PLACE_ENTER, err));
    const xf_patience patience = {.until_us = -1, .cancel_fd = cancel ? cancel->read_end : -1};
    xf_worker *worker = NULL;
    XF_TRY(start_probe(host, &runtime, &patience, &worker, err));
    xf_event event = XF_EVENT_NONE;
    while (event == XF_EVENT_NONE)
        event = xf_worker_step(worker, -1, patience.cancel_fd);
    extfn_status status = EXTFN_OK;
    if (event == XF_EVENT_CANCEL) {
        status = xf_fail(err, EXTFN_ECANCELED, "canceled by the host");
    } else if (event == XF_EVENT_FLOODED) {
        status = xf_sandbox_hollow("it floods its output", err);
    } else if (worker->confinement != XF_CONFINED) {
        status = xf_fail(err, EXTFN_ESANDBOX,
                         "sandbox unavailable: bubblewrap (bwrap) was not found; install the "
                         "package bubblewrap");
    } else if (worker->report.cause != XF_CAUSE_EXITED) {
        status = xf_explain_end(host, language, worker, err);
    } else {
        *ret_layers = worker->report.layers; /* the same bits */
    }
    xf_host_end_worker(host, worker);
    return status;
}

extfn_status extfn_host_probe_sandbox(extfn_host *host, extfn_cancel *cancel, extfn_error *err)
{
    uint32_t layers;
    return extfn_host_probe_layers(host, cancel, &layers, err);
}

static extfn_status environment_of(const xf_runtime *runtime, xf_strings *ret_env, extfn_error *err)
{
    XF_TRY(xf_strings_add(ret_env, "LC_ALL=C.UTF-8", err));
    XF_TRY(xf_strings_add(ret_env, "HOME=/tmp", err));
    XF_TRY(xf_strings_add(ret_env, "PATH=/usr/bin:/bin", err));
    for (size_t i = 0; i + 1 < runtime->environment.count; i += 2)
        XF_TRY(xf_strings_add_format(ret_env, err, "%s=%s", runtime->environment.items[i],
                                     runtime->environment.items[i + 1]));
    return EXTFN_OK;
}

static extfn_status ask_version(const xf_runtime *runtime, char **ret_version, extfn_error *err)
{
    XF_AUTO(xf_strings_clear) xf_strings env = {0};
    XF_TRY(environment_of(runtime, &env, err));
    const char **list = xf_realloc_array(NULL, env.count + 1, sizeof(*list));
    if (!list)
        return xf_fail_oom(err);
    for (size_t i = 0; i < env.count; i++)
        list[i] = env.items[i];
    list[env.count] = NULL;
    const char *const argv[] = {runtime->argv.items[0], "--version", NULL};
    char *text = NULL;
    extfn_status status = xf_ask(argv, list, VERSION_TIMEOUT_US, VERSION_LIMIT, &text, err);
    xf_free(list);
    if (status != EXTFN_OK)
        return status;
    text[strcspn(text, "\n")] = '\0';
    *ret_version = text;
    return EXTFN_OK;
}

/* It stays what it is as long as the host object: the runtime does as well. */
static extfn_status version_of(extfn_host *host, extfn_language language, const xf_runtime *runtime,
                               char **ret_version, extfn_error *err)
{
    char **kept = &host->versions[language];
    (void)pthread_mutex_lock(&host->lock);
    char *known = *kept ? xf_strdup(*kept) : NULL;
    (void)pthread_mutex_unlock(&host->lock);
    if (known) {
        *ret_version = known;
        return EXTFN_OK;
    }
    XF_TRY(ask_version(runtime, ret_version, err));
    (void)pthread_mutex_lock(&host->lock);
    if (!*kept)
        *kept = xf_strdup(*ret_version); /* without memory it is asked again */
    (void)pthread_mutex_unlock(&host->lock);
    return EXTFN_OK;
}

static extfn_status probe_engine(extfn_host *host, char **ret_path, char **ret_version,
                                 extfn_error *err)
{
    xf_wasm_engine *engine = NULL;
    XF_TRY(xf_modules_engine(host, &engine, err));
    XF_AUTO_FREE char *path = xf_strdup(xf_wasm_engine_path(engine));
    char *version = xf_strdup(xf_wasm_engine_version());
    if (!path || !version) {
        xf_free(version);
        return xf_fail_oom(err);
    }
    *ret_path = XF_STEAL(path);
    *ret_version = version;
    return EXTFN_OK;
}

extfn_status extfn_host_probe_language(extfn_host *host, extfn_language language, char **ret_path,
                                       char **ret_version, extfn_error *err)
{
    XF_TRY(xf_host_check_owner(host, err));
    const xf_language *found = xf_language_get(language);
    if (found->is_in_process)
        return probe_engine(host, ret_path, ret_version, err);
    const xf_runtime *runtime = NULL;
    XF_TRY(xf_host_runtime(host, found, &runtime, err));
    XF_AUTO_FREE char *path = xf_strdup(runtime->argv.items[0]);
    if (!path)
        return xf_fail_oom(err);
    extfn_error failure = {0};
    extfn_status status = version_of(host, language, runtime, ret_version, &failure);
    if (status == EXTFN_EIO)
        return xf_language_unavailable(found, failure.message, "look at its installation", err);
    if (status != EXTFN_OK)
        return xf_fail(err, status, "%s", failure.message);
    *ret_path = XF_STEAL(path);
    return EXTFN_OK;
}
