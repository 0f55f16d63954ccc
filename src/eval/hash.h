/* xxHash, whose functions become part of whoever includes this. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_HASH_H
#define XF_EVAL_HASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#endif
