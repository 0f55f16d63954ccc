/* SPDX-License-Identifier: MIT */
#include "numbers.h"

#define __ARCH_WANT_SYS_CLONE3   /* NOLINT(readability-identifier-naming): asked for below */
#define __ARCH_WANT_MEMFD_SECRET /* NOLINT(readability-identifier-naming): the same */
#include <asm-generic/unistd.h>

#define __NR_fork (-1)
#define __NR_vfork (-1)

const int numbers_generic[SEALED_COUNT] = {
#define X(name, refusal, when) [SEALED_##name] = __NR_##name,
    SEALED_CALLS(X)
#undef X
};
