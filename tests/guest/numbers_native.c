/* SPDX-License-Identifier: MIT */
#include "numbers.h"

#include <sys/syscall.h>

#ifndef __NR_fork
#define __NR_fork (-1)
#define __NR_vfork (-1)
#endif

const int numbers_native[SEALED_COUNT] = {
#define X(name, refusal, when) [SEALED_##name] = __NR_##name,
    SEALED_CALLS(X)
#undef X
};
