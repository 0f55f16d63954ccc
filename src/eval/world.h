/* Whether what the workers of a language read from the disk is still what it was when the host
 * object found it: the interpreter, its libraries, the packages. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_WORLD_H
#define XF_EVAL_WORLD_H

#include "sandbox/runtime.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Paths of files and folders beyond this are not looked through; such a world counts as changed. */
#define XF_WORLD_FILES_LIMIT 100000

/* Looked at no more often than this, and so that looking takes a hundredth of the time at most. */
#define XF_WORLD_LOOK_US 1000000

/* Starts as `= {0}`: not taken yet. Once taken, any number of threads may ask. */
typedef struct xf_world {
    uint64_t print[2]; /* of names, sizes, inodes and times of all files */
    atomic_bool is_taken;
    atomic_bool is_changed; /* for good: workers of before and after may be mixed from then on */
    atomic_llong look_us;   /* when to look again */
} xf_world;

/* Before the first worker is started: nobody has read anything yet. */
void xf_world_take(xf_world *world, const xf_runtime *runtime);

/* False once a change was seen, and false for a world that was not taken. */
bool xf_world_is_same(xf_world *world, const xf_runtime *runtime, int64_t now_us);

#endif
