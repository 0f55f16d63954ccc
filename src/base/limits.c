#include "base/limits.h"

#include "base/text.h"

extfn_status xf_fail_timeout(extfn_error *err, int64_t limit_us)
{
    char limit[XF_NUMBER_SIZE];
    (void)xf_duration_write(limit_us, limit);
    return xf_fail(err, EXTFN_ETIMEOUT, "function timed out after %s", limit);
}

extfn_status xf_fail_start_timeout(extfn_error *err, int64_t limit_us)
{
    char limit[XF_NUMBER_SIZE];
    (void)xf_duration_write(limit_us, limit);
    return xf_fail(err, EXTFN_ETIMEOUT, "function start timed out after %s", limit);
}

extfn_status xf_fail_memory(extfn_error *err, uint64_t limit_bytes)
{
    char limit[XF_NUMBER_SIZE];
    (void)xf_size_write(limit_bytes, limit);
    return xf_fail(err, EXTFN_ERUNTIME, "memory limit of %s reached", limit);
}

extfn_status xf_fail_results(extfn_error *err, uint64_t limit_bytes)
{
    char limit[XF_NUMBER_SIZE];
    (void)xf_size_write(limit_bytes, limit);
    return xf_fail(err, EXTFN_ERUNTIME,
                   "results of more than %s together; apply it to fewer rows at a time", limit);
}

extfn_status xf_fail_no_room(extfn_error *err)
{
    return xf_fail(err, EXTFN_ETIMEOUT,
                   "the deadline passed while a worker waited for memory that others have");
}

extfn_status xf_fail_canceled(extfn_error *err)
{
    return xf_fail(err, EXTFN_ECANCELED, "canceled by the host");
}
