/* Which layers of the sandbox are in force. All of them: only a build with the option
 * `layer_switches`, which is for tests, can leave one out, to show that something gets through
 * then. SPDX-License-Identifier: MIT */
#ifndef XF_BASE_LAYERS_H
#define XF_BASE_LAYERS_H

#include <stdbool.h>

/* Bits of the switches; tests/hostile/layers.py has the same list. */
typedef enum xf_optional_layer {
    XF_WITH_ALWAYS, /* what cannot be left out */
    XF_WITH_FILTER,
    XF_WITH_SEAL,
    XF_WITH_LANDLOCK,
    XF_WITH_RLIMITS,
    XF_WITH_PID_NAMESPACE,
    XF_WITH_NET_NAMESPACE,
    XF_WITH_IPC_NAMESPACE,
    XF_WITH_MOUNTS,
    XF_WITH_READ_ONLY_ROOT,
    XF_WITH_TMPFS_SIZE,
    XF_WITH_SESSION,
    XF_WITH_ENVIRONMENT,
    XF_WITH_UID_DROP,
    XF_WITH_CLOCK,
    XF_WITH_OUTPUT_LIMIT,
    XF_WITH_TMPFS_FILES,
} xf_optional_layer;

#ifdef XF_LAYER_SWITCHES
bool xf_has_layer(xf_optional_layer layer);
#else
static inline bool xf_has_layer(xf_optional_layer layer)
{
    (void)layer;
    return true;
}
#endif

#endif
