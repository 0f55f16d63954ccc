#include "eval/start.h"

#include "base/auto.h"

static void give_room_back(extfn_host *host, uint64_t size)
{
    (void)pthread_mutex_lock(&host->lock);
    xf_room_give_back(&host->room, size);
    (void)pthread_mutex_unlock(&host->lock);
}

/* For a worker that nobody has asked for. */
static bool take_spare_room(extfn_host *host, uint64_t size)
{
    (void)pthread_mutex_lock(&host->lock);
    bool is_there = !host->line.first && xf_room_take(&host->room, 0, size);
    (void)pthread_mutex_unlock(&host->lock);
    return is_there;
}

/* There is room for `counted` bytes, which are given back if it does not start. */
static extfn_status start_counted(extfn_host *host, const xf_policy *policy,
                                  const xf_launch *launch, uint64_t counted, xf_worker **ret_worker,
                                  extfn_error *err)
{
    extfn_status status = xf_worker_start(policy, launch, ret_worker, err);
    if (status != EXTFN_OK) {
        give_room_back(host, counted);
        return status;
    }
    (*ret_worker)->counted = counted;
    atomic_fetch_add(&host->workers_started, 1);
    return EXTFN_OK;
}

extfn_status xf_start(extfn_host *host, const xf_runtime *runtime, bool is_waived, xf_turn *turn,
                      xf_worker **ret_worker, extfn_error *err)
{
    XF_AUTO_FREE char *bwrap = NULL;
    xf_policy policy;
    XF_TRY(xf_host_policy(host, is_waived, &policy, &bwrap, err));
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    XF_TRY(xf_launch_build(&policy, runtime, &runtime->driver, &launch, err));
    *ret_worker = NULL;
    if (!xf_host_make_room(host, turn, 0, launch.memory))
        return EXTFN_OK;
    return start_counted(host, &policy, &launch, launch.memory, ret_worker, err);
}

/* ---- Spares ---- */

static extfn_status start_spare(extfn_host *host, const xf_language *language,
                                xf_worker **ret_worker, extfn_error *err)
{
    const xf_runtime *runtime = NULL;
    XF_TRY(xf_host_runtime(host, language, &runtime, err));
    XF_AUTO_FREE char *bwrap = NULL;
    xf_policy policy;
    XF_TRY(xf_host_policy(host, false, &policy, &bwrap, err));
    policy.spare_timeout_us = policy.idle_timeout_us;
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    XF_TRY(xf_launch_build(&policy, runtime, &runtime->driver, &launch, err));
    uint64_t spare = xf_room_spare(launch.memory);
    if (!take_spare_room(host, spare))
        return EXTFN_OK;
    return start_counted(host, &policy, &launch, spare, ret_worker, err);
}

/* Returns what was there before, or, if something is, the worker itself. */
static xf_worker *put(extfn_host *host, extfn_language language, xf_worker *worker)
{
    (void)pthread_mutex_lock(&host->lock);
    xf_worker **slot = &host->spares[language];
    if (!*slot)
        *slot = XF_STEAL(worker);
    (void)pthread_mutex_unlock(&host->lock);
    return worker;
}

xf_worker *xf_spare_take(extfn_host *host, extfn_language language, xf_turn *turn)
{
    (void)pthread_mutex_lock(&host->lock);
    xf_worker *worker = XF_STEAL(host->spares[language]);
    (void)pthread_mutex_unlock(&host->lock);
    if (!worker)
        return NULL;
    if (!xf_worker_is_fresh(worker)) {
        xf_host_end_worker(host, worker);
        return NULL;
    }
    if (!xf_host_make_room(host, turn, worker->counted, worker->memory)) {
        xf_host_end_worker(host, put(host, language, worker));
        return NULL;
    }
    worker->counted = worker->memory;
    return worker;
}

void xf_spare_keep(extfn_host *host, const xf_language *language)
{
    if (!host->options.is_spare_kept)
        return;
    (void)pthread_mutex_lock(&host->lock);
    bool is_there = host->spares[language->id];
    (void)pthread_mutex_unlock(&host->lock);
    xf_worker *worker = NULL;
    if (!is_there && start_spare(host, language, &worker, NULL) == EXTFN_OK)
        xf_host_end_worker(host, put(host, language->id, worker));
}
