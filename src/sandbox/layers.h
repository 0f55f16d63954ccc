/* Which layers of the sandbox are in force. All of them: only a build with the option
 * `layer_switches`, which is for tests, can leave one out, to show that something gets through
 * then. SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_LAYERS_H
#define XF_SANDBOX_LAYERS_H

#include <stdbool.h>

/* Bits of the switches; tests/hostile/layers.py has the same list. */
typedef enum xf_layer {
    XF_LAYER_ALWAYS, /* what cannot be left out */
    XF_LAYER_FILTER,
    XF_LAYER_SEAL,
    XF_LAYER_LANDLOCK,
    XF_LAYER_RLIMITS,
    XF_LAYER_PID_NAMESPACE,
    XF_LAYER_NET_NAMESPACE,
    XF_LAYER_IPC_NAMESPACE,
    XF_LAYER_MOUNTS,
    XF_LAYER_READ_ONLY_ROOT,
    XF_LAYER_TMPFS_SIZE,
    XF_LAYER_SESSION,
    XF_LAYER_ENVIRONMENT,
    XF_LAYER_UID_DROP,
    XF_LAYER_CLOCK,
    XF_LAYER_OUTPUT_LIMIT,
} xf_layer;

#ifdef XF_LAYER_SWITCHES
bool xf_layer_is_on(xf_layer layer);
#else
static inline bool xf_layer_is_on(xf_layer layer)
{
    (void)layer;
    return true;
}
#endif

#endif
