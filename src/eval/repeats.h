/* Which rows of a batch have the same arguments, bit for bit. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_REPEATS_H
#define XF_EVAL_REPEATS_H

#include "eval/select.h"

/* A row that stands for all that are like it. */
typedef struct xf_slot {
    int64_t row;
    uint64_t hash;
} xf_slot;

typedef struct xf_repeats {
    const xf_arguments *arguments; /* borrowed */
    size_t limit;                  /* bytes of what follows */
    uint64_t seed;                 /* of the hashes */
    xf_slot *slots;                /* in the order of their rows, but for those of their own */
    uint32_t slot_count;
    uint32_t slot_capacity;
    uint32_t *places; /* by hash: 0, or a slot and 1; a power of two, at most half full */
    uint32_t place_count;
    uint32_t *index; /* of each row that was looked at: its slot */
    int64_t looked;
} xf_repeats;

/* False without memory, and where rows alone take half of the limit. Cleared in any case. */
bool xf_repeats_init(xf_repeats *repeats, const xf_arguments *arguments, size_t limit,
                     uint64_t seed);
void xf_repeats_clear(xf_repeats *repeats);

/* Finds the slots of the rows up to `end`; an argument that is an error is like no other. False
 * when the limit or the memory does not suffice. */
bool xf_repeats_look(xf_repeats *repeats, int64_t end);

static inline bool xf_repeats_is_first(const xf_repeats *repeats, int64_t row)
{
    return repeats->slots[repeats->index[row]].row == row;
}

/* Gives a row a slot of its own, behind all others. False as above. */
bool xf_repeats_set_apart(xf_repeats *repeats, int64_t row);

#endif
