#include "os/stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>

/* Asking takes the first thread of a process 100 us: it reads /proc/self/maps. What a thread has
 * does not change, so that this is a cache and no state. */
typedef struct bounds {
    uintptr_t low;
    uintptr_t high;
} bounds;

static bounds ask(void)
{
    bounds found = {0, 0};
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return found;
    void *low = NULL;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0)
        found = (bounds){.low = (uintptr_t)low, .high = (uintptr_t)low + size};
    (void)pthread_attr_destroy(&attributes);
    return found;
}

size_t xf_stack_left(void)
{
    static _Thread_local bounds known;
    if (known.high == 0)
        known = ask();
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here > known.low && here < known.high ? here - known.low : 0;
}

static int start(size_t stack_size, void *(*run)(void *), void *context, pthread_t *ret_thread)
{
    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure != 0)
        return failure;
    sigset_t all;
    sigset_t former;
    (void)sigfillset(&all);
    failure = pthread_attr_setstacksize(&attributes, stack_size);
    if (failure == 0)
        failure = pthread_sigmask(SIG_SETMASK, &all, &former);
    if (failure == 0) {
        failure = pthread_create(ret_thread, &attributes, run, context);
        (void)pthread_sigmask(SIG_SETMASK, &former, NULL);
    }
    (void)pthread_attr_destroy(&attributes);
    return failure;
}

extfn_status xf_thread_start(size_t stack_size, void *(*run)(void *context), void *context,
                             unsigned long *ret_thread, extfn_error *err)
{
    pthread_t thread;
    int failure = start(stack_size, run, context, &thread);
    if (failure != 0)
        return xf_fail_os(err, failure, "start a thread");
    *ret_thread = thread;
    return EXTFN_OK;
}

typedef struct job {
    void (*run)(void *context);
    void *context;
} job;

static void *do_job(void *context)
{
    const job *it = context;
    it->run(it->context);
    return NULL;
}

extfn_status xf_stack_call(size_t size, void (*run)(void *context), void *context, extfn_error *err)
{
    job it = {.run = run, .context = context};
    unsigned long thread = 0;
    XF_TRY(xf_thread_start(size, do_job, &it, &thread, err));
    (void)pthread_join(thread, NULL);
    return EXTFN_OK;
}
