/* The environment of every worker (contract 5), whatever its runtime adds. SPDX-License-Identifier:
 * MIT */
#ifndef XF_SANDBOX_WORLD_H
#define XF_SANDBOX_WORLD_H

/* Pairs: name, value. A NULL ends them. */
extern const char *const xf_world[];

#endif
