#include "eval/pool.h"

#include "base/alloc.h"
#include "registry/function.h"

#include <string.h>

extfn_status xf_pool_init(xf_pool *pool, size_t limit, extfn_error *err)
{
    xf_warm *idle = xf_realloc_array(NULL, limit, sizeof(*idle));
    if (!idle)
        return xf_fail_oom(err);
    *pool = (xf_pool){.idle = idle, .limit = limit};
    return EXTFN_OK;
}

static xf_worker *remove_at(xf_pool *pool, size_t at)
{
    xf_warm warm = pool->idle[at];
    pool->count--;
    memmove(pool->idle + at, pool->idle + at + 1, (pool->count - at) * sizeof(*pool->idle));
    extfn_function_unref(warm.function);
    return warm.worker;
}

xf_worker *xf_pool_take(xf_pool *pool, const extfn_function *function)
{
    for (size_t i = pool->count; i > 0; i--) {
        if (xf_function_is_equal(pool->idle[i - 1].function, function))
            return remove_at(pool, i - 1);
    }
    return NULL;
}

xf_worker *xf_pool_put(xf_pool *pool, xf_worker *worker, extfn_function *function)
{
    if (pool->limit == 0)
        return worker;
    xf_worker *oldest = pool->count == pool->limit ? remove_at(pool, 0) : NULL;
    pool->idle[pool->count++] =
        (xf_warm){.worker = worker, .function = extfn_function_ref(function)};
    return oldest;
}

xf_worker *xf_pool_drain(xf_pool *pool)
{
    return pool->count > 0 ? remove_at(pool, 0) : NULL;
}

uint64_t xf_pool_memory(const xf_pool *pool)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < pool->count; i++)
        sum += pool->idle[i].worker->counted;
    return sum;
}

void xf_pool_clear(xf_pool *pool)
{
    xf_free(pool->idle);
    *pool = (xf_pool){0};
}
