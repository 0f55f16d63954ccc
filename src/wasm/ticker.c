#include "wasm/ticker.h"

#include "os/stack.h"

#include <time.h>

#define STACK_SIZE (64U << 10)

/* Ticks without a call before the thread sleeps: waking it costs a call more than a tick does. */
#define IDLE_TICKS 10

void xf_wasm_ticker_init(xf_wasm_ticker *ticker, void (*on_tick)(void *context), void *context)
{
    *ticker = (xf_wasm_ticker){.on_tick = on_tick, .context = context, .is_asleep = true};
    (void)pthread_mutex_init(&ticker->lock, NULL);
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&ticker->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
}

void xf_wasm_ticker_clear(xf_wasm_ticker *ticker)
{
    (void)pthread_mutex_lock(&ticker->lock);
    ticker->is_ended = true;
    (void)pthread_cond_signal(&ticker->changed);
    (void)pthread_mutex_unlock(&ticker->lock);
    if (ticker->is_started)
        (void)pthread_join(ticker->thread, NULL);
    (void)pthread_cond_destroy(&ticker->changed);
    (void)pthread_mutex_destroy(&ticker->lock);
}

/* A call counts itself first and looks then whether the ticker sleeps; the ticker says that it
 * sleeps first and looks then for calls: one of them sees the other. */
static void sleep_until_called(xf_wasm_ticker *ticker)
{
    atomic_store(&ticker->is_asleep, true);
    while (!ticker->is_ended && atomic_load(&ticker->is_asleep) &&
           atomic_load(&ticker->active) == 0)
        (void)pthread_cond_wait(&ticker->changed, &ticker->lock);
    atomic_store(&ticker->is_asleep, false);
}

static void wait_for_tick(xf_wasm_ticker *ticker)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += XF_WASM_TICK_US * 1000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    while (!ticker->is_ended &&
           pthread_cond_timedwait(&ticker->changed, &ticker->lock, &until) == 0)
        continue;
}

static void *tick(void *context)
{
    xf_wasm_ticker *ticker = context;
    unsigned idle = 0;
    (void)pthread_mutex_lock(&ticker->lock);
    while (!ticker->is_ended) {
        if (idle == IDLE_TICKS) {
            sleep_until_called(ticker);
            idle = 0;
        }
        wait_for_tick(ticker);
        idle = atomic_load(&ticker->active) > 0 ? 0 : idle + 1;
        ticker->on_tick(ticker->context);
    }
    (void)pthread_mutex_unlock(&ticker->lock);
    return NULL;
}

static extfn_status wake(xf_wasm_ticker *ticker, extfn_error *err)
{
    extfn_status status = EXTFN_OK;
    (void)pthread_mutex_lock(&ticker->lock);
    if (!ticker->is_started) {
        status = xf_thread_start(STACK_SIZE, tick, ticker, &ticker->thread, err);
        ticker->is_started = status == EXTFN_OK;
    }
    if (status == EXTFN_OK)
        atomic_store(&ticker->is_asleep, false);
    (void)pthread_cond_signal(&ticker->changed);
    (void)pthread_mutex_unlock(&ticker->lock);
    return status;
}

extfn_status xf_wasm_ticker_begin(xf_wasm_ticker *ticker, extfn_error *err)
{
    (void)atomic_fetch_add(&ticker->active, 1);
    if (!atomic_load(&ticker->is_asleep))
        return EXTFN_OK;
    extfn_status status = wake(ticker, err);
    if (status != EXTFN_OK)
        xf_wasm_ticker_end(ticker);
    return status;
}

void xf_wasm_ticker_end(xf_wasm_ticker *ticker)
{
    (void)atomic_fetch_sub(&ticker->active, 1);
}
