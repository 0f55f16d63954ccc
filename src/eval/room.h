/* Memory that all workers of a host may have together. Each is counted with all that its own limits
 * let it have, an idle one, once that is known, with what its supervisor lets it keep, and one that
 * has yet to see a body with half. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_ROOM_H
#define XF_EVAL_ROOM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as `= {.limit = n}`. Callers hold the host's lock. */
typedef struct xf_room {
    uint64_t limit;
    uint64_t taken;
    size_t count; /* of workers that have some */
} xf_room;

/* How often to ask again for room that is not there. */
#define XF_ROOM_RETRY_US 5000

/* What a worker without a function is counted with: no more than an interpreter takes. */
static inline uint64_t xf_room_spare(uint64_t size)
{
    return size / 2;
}

/* Gives a worker that has `has` bytes (0: a new one) `wanted` in their place. False: there is no
 * room. The only worker always gets what it wants, else nothing would ever run. */
EXTFN_MUST_CHECK bool xf_room_take(xf_room *room, uint64_t has, uint64_t wanted);

/* Whether there would be room if `less` of what others have were given back. */
bool xf_room_would_fit(const xf_room *room, uint64_t has, uint64_t wanted, uint64_t less);

/* Of a worker that ended; 0: it had none. */
void xf_room_give_back(xf_room *room, uint64_t has);

#endif
