/* Whether what the workers of a language read from the disk is still what it was when the host
 * object found it. Every file of the interpreter and of the packages is watched. Of what all
 * interpreters share, the folders of libraries, the locale, the time zones (see
 * sandbox/host_libraries.h) and the linker's cache, the place itself is: that shows what is added,
 * removed or replaced in it, not what lies deeper or is overwritten. SPDX-License-Identifier: MIT
 */
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
    const char *root;
    size_t files_limit;
    atomic_bool is_taken;
    atomic_bool is_changed; /* for good: workers of before and after may be mixed from then on */
    atomic_llong look_us;   /* when to look again */
} xf_world;

/* Before the first worker is started: nobody has read anything yet. `root`, which is borrowed,
 * stands before the places that all interpreters share; "" but in tests. Fails without memory, and
 * is not taken then; one that cannot be looked through for another reason counts as changed. */
EXTFN_MUST_CHECK extfn_status xf_world_take(xf_world *world, const xf_runtime *runtime,
                                            const char *root, size_t files_limit, extfn_error *err);

/* What one thread has taken is what all others see from now on. */
void xf_world_publish(xf_world *world, const xf_world *taken);

/* False once a change was seen, for a world that was not taken, and without memory to look, until
 * there is some. When it is time to look, this takes as long as looking at all files does:
 * milliseconds for some thousand, seconds for the most on a slow disk. */
bool xf_world_is_same(xf_world *world, const xf_runtime *runtime, int64_t now_us);

#endif
