/* The environment of every worker, whatever its runtime adds. SPDX-License-Identifier:
 * MIT */
#ifndef XF_SANDBOX_ENVIRONMENT_H
#define XF_SANDBOX_ENVIRONMENT_H

/* Pairs: name, value. A NULL ends them. */
extern const char *const xf_environment[];

#endif
