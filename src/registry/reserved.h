/* Tables of words that are too long for reserved.c. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_RESERVED_H
#define XF_REGISTRY_RESERVED_H

#include <stddef.h>

/* Ended by NULL. */
extern const char *const xf_pure_prelude[];

#endif
