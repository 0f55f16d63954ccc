#include "eval/host.h"

#include "base/alloc.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/kernel.h"
#include "base/layers.h"
#include "eval/options.h"
#include "sandbox/find.h"
#include "wire/proof.h"

#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* A supervisor that has not answered by then is not waited for. */
#define SETTLE_PATIENCE_US 100000

extfn_status xf_host_check_owner(const extfn_host *host, extfn_error *err)
{
    if (host->owner == getpid())
        return EXTFN_OK;
    return xf_fail(err, EXTFN_EINVAL,
                   "the host object was made by another process; make one after the fork");
}

extfn_status extfn_host_new(const extfn_host_options *options, extfn_host **ret_host,
                            extfn_error *err)
{
    extfn_host *host = xf_alloc(sizeof(*host));
    if (!host)
        return xf_fail_oom(err);
    extfn_status status = xf_options_copy(options, &host->options, err);
    if (status == EXTFN_OK) {
        status = xf_pool_init(&host->pool, host->options.warm_workers, err);
        if (status != EXTFN_OK)
            xf_options_clear(&host->options);
    }
    if (status != EXTFN_OK) {
        xf_free(host);
        return status;
    }
    host->owner = getpid();
    host->room.limit = host->options.workers_memory_bytes;
    host->result_limit = xf_options_result_limit();
    xf_group_find("", host->group);
    (void)pthread_mutex_init(&host->lock, NULL);
    xf_modules_init(&host->modules);
    xf_memo_init(&host->memo, (size_t)host->options.memo_bytes);
    (void)!getrandom(&host->memo_seed, sizeof(host->memo_seed), GRND_NONBLOCK);
    *ret_host = host;
    return EXTFN_OK;
}

/* Spares, then idle workers, the oldest first; NULL: there are no more. */
static xf_worker *drain(extfn_host *host)
{
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        if (host->spares[i])
            return XF_STEAL(host->spares[i]);
    }
    return xf_pool_drain(&host->pool);
}

/* All are told to stop before the end of the first is waited for. One outside of a sandbox may quit
 * by itself first. */
static void stop_idle(const xf_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++) {
        if (pool->idle[i].worker->confinement == XF_CONFINED)
            xf_worker_stop(pool->idle[i].worker);
    }
}

static void free_runtime(xf_runtime *runtime)
{
    if (runtime)
        xf_runtime_clear(runtime);
    xf_free(runtime);
}

void extfn_host_free(extfn_host *host)
{
    if (!host)
        return;
    bool is_owner = host->owner == getpid();
    if (is_owner)
        stop_idle(&host->pool);
    for (xf_worker *worker = drain(host); worker; worker = drain(host)) {
        if (is_owner)
            xf_host_end_worker(host, worker);
        else
            xf_worker_abandon(worker);
    }
    xf_pool_clear(&host->pool);
    /* In a forked child the engine's locks and threads are the parent's: what it holds is left. */
    if (is_owner)
        xf_modules_clear(&host->modules);
    xf_memo_clear(&host->memo);
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        free_runtime(host->runtimes[i]);
        xf_free(host->versions[i]);
    }
    xf_options_clear(&host->options);
    (void)pthread_mutex_destroy(&host->lock);
    xf_free(host);
}

static extfn_status locate(const extfn_host *host, const xf_language *language,
                           xf_runtime **ret_runtime, extfn_error *err)
{
    XF_AUTO_FREE xf_runtime *runtime = xf_alloc(sizeof(*runtime));
    if (!runtime)
        return xf_fail_oom(err);
    xf_language_options options = {
        .interpreter = host->options.interpreters[language->id],
        .packages = host->options.packages[language->id],
    };
    XF_TRY(language->locate(&options, runtime, err));
    *ret_runtime = XF_STEAL(runtime);
    return EXTFN_OK;
}

static const xf_runtime *known_runtime(extfn_host *host, extfn_language language)
{
    (void)pthread_mutex_lock(&host->lock);
    const xf_runtime *known = host->runtimes[language];
    (void)pthread_mutex_unlock(&host->lock);
    return known;
}

/* Keeps what was found first, and frees the other. */
static const xf_runtime *keep_runtime(extfn_host *host, extfn_language language,
                                      xf_runtime *runtime, const xf_world *world)
{
    (void)pthread_mutex_lock(&host->lock);
    xf_runtime **slot = &host->runtimes[language];
    bool is_first = !*slot;
    if (is_first) {
        *slot = runtime;
        if (atomic_load(&world->is_taken))
            xf_world_publish(&host->worlds[language], world);
    }
    const xf_runtime *kept = *slot;
    (void)pthread_mutex_unlock(&host->lock);
    if (!is_first)
        free_runtime(runtime);
    return kept;
}

/* Threads that want the same language at once may each look for it: the lock is not held for as
 * long as that takes, with a memo a look at each of its files. */
extfn_status xf_host_runtime(extfn_host *host, const xf_language *language,
                             const xf_runtime **ret_runtime, extfn_error *err)
{
    *ret_runtime = known_runtime(host, language->id);
    if (*ret_runtime)
        return EXTFN_OK;
    xf_runtime *runtime = NULL;
    XF_TRY(locate(host, language, &runtime, err));
    xf_world world = {.look_us = 0};
    extfn_status status = host->options.memo_bytes > 0
                              ? xf_world_take(&world, runtime, "", XF_WORLD_FILES_LIMIT, err)
                              : EXTFN_OK;
    if (status != EXTFN_OK) {
        free_runtime(runtime);
        return status;
    }
    *ret_runtime = keep_runtime(host, language->id, runtime, &world);
    return EXTFN_OK;
}

extfn_status xf_host_policy(const extfn_host *host, bool is_waived, xf_policy *ret_policy,
                            char **ret_bwrap, extfn_error *err)
{
    const extfn_host_options *options = &host->options;
    xf_policy policy = {
        .confinement = XF_TRUSTED,
        .memory_bytes = options->memory_bytes,
        .tmp_bytes = options->tmp_bytes,
        .start_timeout_us = (uint64_t)options->start_timeout_us,
        .idle_timeout_us = (uint64_t)options->idle_timeout_us,
        .group = host->group,
    };
    char *bwrap = NULL;
    if (options->policy != EXTFN_TRUSTED) {
        policy.confinement = XF_UNCONFINED;
        if (geteuid() == 0 && xf_has_layer(XF_WITH_UID_DROP)) {
            policy.uid_first = options->uid_first;
            policy.uid_count = options->uid_count;
        }
        extfn_status status =
            is_waived ? EXTFN_ESANDBOX : xf_bwrap_find(options->search_path, &bwrap, err);
        policy.landlock = xf_landlock_layers(xf_kernel_landlock_version(), true);
        policy.network = xf_kernel_network();
        if (status == EXTFN_OK)
            policy.confinement = XF_CONFINED;
        else if (status != EXTFN_ESANDBOX || !options->is_unsandboxed_allowed)
            return status;
    }
    policy.bwrap_path = bwrap;
    *ret_policy = policy;
    *ret_bwrap = bwrap;
    return EXTFN_OK;
}

void xf_host_note_start(extfn_host *host, extfn_language language, int64_t start_us)
{
    atomic_store_explicit(&host->start_us[language], start_us, memory_order_relaxed);
}

int64_t xf_host_start_time(const extfn_host *host, extfn_language language)
{
    return atomic_load_explicit(&host->start_us[language], memory_order_relaxed);
}

static uint64_t idle_memory(const extfn_host *host)
{
    uint64_t idle = xf_pool_memory(&host->pool);
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++)
        idle += host->spares[i] ? host->spares[i]->counted : 0;
    return idle;
}

/* One of those that have nothing to do, if ending them helps. */
static xf_worker *take_idle(extfn_host *host, uint64_t has, uint64_t wanted)
{
    return xf_room_would_fit(&host->room, has, wanted, idle_memory(host)) ? drain(host) : NULL;
}

void xf_host_count_asleep(extfn_host *host, xf_worker *worker)
{
    uint64_t most = worker->usage.idle_memory;
    uint64_t idle = most > 0 && most < worker->memory ? most : worker->memory;
    if (xf_room_take(&host->room, worker->counted, idle))
        worker->counted = idle;
}

/* Takes the answers of those that were told to settle. True: there will soon be one more. */
static bool hear_idle(extfn_host *host)
{
    int64_t since_us = xf_clock_now() - SETTLE_PATIENCE_US;
    bool is_due = false;
    for (size_t i = 0; i < host->pool.count; i++) {
        xf_worker *worker = host->pool.idle[i].worker;
        if (xf_worker_has_answered(worker))
            xf_host_count_asleep(host, worker);
        else
            is_due |= worker->settle_us > since_us;
    }
    return is_due;
}

/* Or one to end for it; nothing is ended while it is not known what is left without. */
static bool take_room(extfn_host *host, uint64_t has, uint64_t wanted, xf_worker **ret_idle)
{
    *ret_idle = NULL;
    if (xf_room_take(&host->room, has, wanted))
        return true;
    bool is_due = hear_idle(host);
    if (xf_room_take(&host->room, has, wanted))
        return true;
    *ret_idle = is_due ? NULL : take_idle(host, has, wanted);
    return false;
}

/* One that could not begin has no use for what others would leave it: a call that waits for a call
 * of its own, made by its caller meanwhile, would wait for ever. */
bool xf_host_is_others_turn(extfn_host *host, const xf_turn *turn)
{
    if (!host->line.first)
        return false;
    const xf_turn *first = xf_line_whose(&host->line, xf_clock_now());
    return first && first != turn &&
           xf_room_would_fit(&host->room, 0, first->wanted, idle_memory(host));
}

void xf_host_leave_line(extfn_host *host, xf_turn *turn)
{
    if (turn->asked_us == 0 && !turn->is_served)
        return;
    (void)pthread_mutex_lock(&host->lock);
    xf_line_leave(&host->line, turn, xf_clock_now());
    (void)pthread_mutex_unlock(&host->lock);
}

static void keep_place(xf_line *line, xf_turn *turn, uint64_t wanted, bool is_served)
{
    if (is_served)
        xf_line_serve(line, turn, xf_clock_now());
    else
        xf_line_ask(line, turn, wanted, xf_clock_now());
}

bool xf_host_make_room(extfn_host *host, xf_turn *turn, uint64_t has, uint64_t wanted)
{
    for (;;) {
        xf_worker *idle = NULL;
        (void)pthread_mutex_lock(&host->lock);
        bool is_there = !xf_host_is_others_turn(host, turn) && take_room(host, has, wanted, &idle);
        if (turn) {
            keep_place(&host->line, turn, wanted, is_there);
            turn->is_clearing = idle != NULL;
        }
        (void)pthread_mutex_unlock(&host->lock);
        if (is_there || !idle)
            return is_there;
        xf_host_end_worker(host, idle);
    }
}

void xf_host_end_worker(extfn_host *host, xf_worker *worker)
{
    if (!worker)
        return;
    uint64_t counted = worker->counted;
    bool is_proven = xf_worker_free(worker);
    (void)pthread_mutex_lock(&host->lock);
    xf_room_give_back(&host->room, counted);
    (void)pthread_mutex_unlock(&host->lock);
    atomic_fetch_add(&host->workers_ended, 1);
    if (is_proven)
        atomic_fetch_add(&host->workers_proven_gone, 1);
}

void extfn_host_stats(extfn_host *host, extfn_stats *ret_stats)
{
    extfn_stats stats = {
        .struct_size = ret_stats->struct_size,
        .workers_started = atomic_load(&host->workers_started),
        .workers_ended = atomic_load(&host->workers_ended),
        .workers_proven_gone = atomic_load(&host->workers_proven_gone),
    };
    (void)pthread_mutex_lock(&host->lock);
    stats.workers_warm = host->pool.count;
    (void)pthread_mutex_unlock(&host->lock);
    const xf_memo_counts memo = xf_memo_get_counts(&host->memo);
    stats.memo_hits = memo.hits;
    stats.memo_misses = memo.misses;
    stats.memo_entries = memo.entries;
    stats.memo_bytes = memo.bytes;
    stats.memo_evictions = memo.evictions;
    memcpy(ret_stats, &stats,
           stats.struct_size < sizeof(stats) ? stats.struct_size : sizeof(stats));
}
