#include "sandbox/limits.h"

#include "base/layers.h"

#include <inttypes.h>
#include <stdio.h>

#define MIB (UINT64_C(1) << 20)
#define FILE_BYTES (64 * MIB) /* where the policy names no size of /tmp */
#define AS_SLACK (256 * MIB)  /* the two maps count in RLIMIT_AS */
#define STACK (8 * MIB)
#define WATCH_SLACK (64 * MIB)  /* parts of libraries and code that were written and then closed */
#define KERNEL_SLACK (64 * MIB) /* page tables, names of files, pipes, bubblewrap */
#define TASKS (32 + 2)          /* the body's threads; the first process of bubblewrap and ours */
#define OUTER_TASKS (32 + 3)    /* without bubblewrap: both supervisors and ours */
#define MEMORY_HIGHEST (UINT64_C(1) << 60)

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t data_of(const xf_policy *policy, const xf_runtime *runtime)
{
    return min(policy->memory_bytes, MEMORY_HIGHEST) + min(runtime->base_memory, MEMORY_HIGHEST);
}

uint64_t xf_limits_watched(const xf_policy *policy, const xf_runtime *runtime)
{
    if (policy->confinement == XF_TRUSTED)
        return 0;
    return data_of(policy, runtime) + STACK + WATCH_SLACK;
}

uint64_t xf_limits_group(const xf_policy *policy, const xf_runtime *runtime)
{
    return data_of(policy, runtime) + STACK + WATCH_SLACK + KERNEL_SLACK + XF_MAP_SIZE +
           min(policy->tmp_bytes ? policy->tmp_bytes : FILE_BYTES, MEMORY_HIGHEST);
}

uint64_t xf_limits_counted(const xf_policy *policy, const xf_runtime *runtime)
{
    return policy->confinement == XF_TRUSTED ? 0 : xf_limits_group(policy, runtime);
}

uint32_t xf_limits_files(const xf_policy *policy)
{
    bool has_own_tmp = policy->confinement == XF_CONFINED;
    return has_own_tmp && xf_has_layer(XF_WITH_TMPFS_FILES) ? XF_TMP_FILES : 0;
}

/* Trusted code has no limits but those that the supervisor keeps. RLIMIT_NPROC counts the processes
 * of a uid: without a sandbox that is fair only where each worker has its own. */
void xf_limits_write(const xf_policy *policy, const xf_runtime *runtime,
                     char ret_text[XF_LIMITS_SIZE])
{
    if (policy->confinement == XF_TRUSTED) {
        (void)snprintf(ret_text, XF_LIMITS_SIZE, "trusted=1");
        return;
    }
    if (!xf_has_layer(XF_WITH_RLIMITS)) {
        (void)snprintf(ret_text, XF_LIMITS_SIZE, "core=1");
        return;
    }
    uint64_t data = data_of(policy, runtime);
    uint64_t space = max(4 * data + AS_SLACK, runtime->address_space);
    uint64_t file = max(policy->tmp_bytes ? policy->tmp_bytes : FILE_BYTES, runtime->file_bytes);
    bool has_own_uid = policy->confinement == XF_CONFINED || policy->uid_count > 0;
    char tasks[32] = "";
    if (has_own_uid) {
        (void)snprintf(tasks, sizeof(tasks), ",nproc=%d",
                       policy->confinement == XF_CONFINED ? TASKS : OUTER_TASKS);
    }
    (void)snprintf(ret_text, XF_LIMITS_SIZE,
                   "data=%" PRIu64 ",as=%" PRIu64 ",nofile=256,fsize=%" PRIu64 "%s"
                   ",stack=%" PRIu64 ",core=1,memlock=0,msgqueue=0,sigpending=256",
                   data, space, file, tasks, STACK);
}
