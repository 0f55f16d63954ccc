#include "sandbox/environment.h"

#include <stddef.h>

/* One thread each for BLAS and OpenMP: the order of additions depends on their count. */
const char *const xf_environment[] = {
    /* clang-format off */
    "TZ", "UTC",
    "LC_ALL", "C.UTF-8",
    "HOME", "/tmp",
    "PATH", "/usr/bin:/bin",
    "OPENBLAS_NUM_THREADS", "1",
    "OMP_NUM_THREADS", "1",
    "MKL_NUM_THREADS", "1",
    "MALLOC_ARENA_MAX", "2",
    NULL,
    /* clang-format on */
};
