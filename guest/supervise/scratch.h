/* The sandbox's own /tmp: how many files it holds is bounded from outside, because bubblewrap
 * bounds their size alone, and each costs memory of the kernel that no limit counts.
 * SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_SCRATCH_H
#define XF_GUEST_SUPERVISE_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct xf_scratch {
    int fd; /* leads to the file system and opens nothing in it; -1: none is known */
    bool is_bounded;
} xf_scratch;

/* `command` has made the sandbox and its first child lives in it. From now on the file system
 * refuses more than `file_count` files (`is_bounded`); a kernel that does not let us ask for that
 * leaves it to xf_scratch_is_crowded. */
xf_scratch xf_scratch_open(pid_t command, uint32_t file_count);

/* More files than that. False where the file system does not count them. */
bool xf_scratch_is_crowded(const xf_scratch *scratch, uint32_t file_count);

/* Bytes of what is in it; 0 where that is not known. */
uint64_t xf_scratch_size(const xf_scratch *scratch);

/* Next to nothing can be written any more. */
bool xf_scratch_is_full(const xf_scratch *scratch);

/* What is in it lives no longer than the sandbox. */
void xf_scratch_close(xf_scratch *scratch);

#endif
