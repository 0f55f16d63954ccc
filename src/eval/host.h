/* Inside of the host object. SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_HOST_H
#define XF_EVAL_HOST_H

#include "eval/line.h"
#include "eval/memo.h"
#include "eval/modules.h"
#include "eval/pool.h"
#include "eval/room.h"
#include "eval/world.h"
#include "lang/language.h"
#include "sandbox/group.h"

#include <extfn/host.h>

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

struct extfn_host {
    extfn_host_options options; /* defaults filled in, texts owned */
    pid_t owner;                /* the process that made it */
    uint64_t result_limit;      /* bytes of texts and messages of a batch */
    char group[XF_GROUP_PATH];  /* where workers get their cgroups, or empty */
    atomic_ullong workers_started;
    atomic_ullong workers_ended;
    atomic_ullong workers_proven_gone;
    atomic_llong start_us[EXTFN_LANGUAGE_COUNT]; /* what the last start took; 0: none yet */
    pthread_mutex_t lock;                        /* of what follows */
    xf_runtime *runtimes[EXTFN_LANGUAGE_COUNT];  /* NULL: not located yet; never changes once set */
    char *versions[EXTFN_LANGUAGE_COUNT];        /* first lines; NULL: not asked yet */
    xf_pool pool;
    xf_worker *spares[EXTFN_LANGUAGE_COUNT]; /* without a function; NULL: none */
    xf_room room;
    xf_line line;       /* for it */
    xf_modules modules; /* has locks of its own */
    xf_memo memo;       /* so has this */
    uint64_t memo_seed; /* so that nobody can write bodies and arguments that hash alike */
    xf_world worlds[EXTFN_LANGUAGE_COUNT]; /* where there is a memo: taken with the runtimes */
};

/* EXTFN_EINVAL in a forked child. */
EXTFN_MUST_CHECK extfn_status xf_host_check_owner(const extfn_host *host, extfn_error *err);

/* What the language needs, located once. Valid as long as the host. */
EXTFN_MUST_CHECK extfn_status xf_host_runtime(extfn_host *host, const xf_language *language,
                                              const xf_runtime **ret_runtime, extfn_error *err);

/* Policy of the next worker: EXTFN_ESANDBOX when bubblewrap is missing and not waived. `is_waived`:
 * go without it although it is there, because it does not start here. ret_bwrap owns the policy's
 * path. */
EXTFN_MUST_CHECK extfn_status xf_host_policy(const extfn_host *host, bool is_waived,
                                             xf_policy *ret_policy, EXTFN_OWN char **ret_bwrap,
                                             extfn_error *err);

/* What a start took, for who has to decide whether another one pays. */
void xf_host_note_start(extfn_host *host, extfn_language language, int64_t start_us);
int64_t xf_host_start_time(const extfn_host *host, extfn_language language);

/* Room for a worker that has `has` bytes of it (0: a new one) and wants `wanted`: idle ones are
 * ended for it, oldest first. False: there is none until a busy one ends, or an idle one has told
 * what it needs, or it is another's turn; then `turn` has a place in line, until there is room or
 * it is left. NULL: for who does not wait. */
EXTFN_MUST_CHECK bool xf_host_make_room(extfn_host *host, xf_turn *turn, uint64_t has,
                                        uint64_t wanted);

/* Whether what is idle is to be left for a call that waits: it could begin now. The caller holds
 * the lock. */
bool xf_host_is_others_turn(extfn_host *host, const xf_turn *turn);

/* It waits no longer, or its worker is ready; see xf_line_leave. */
void xf_host_leave_line(extfn_host *host, xf_turn *turn);

/* Counts an idle worker with what its supervisor lets it keep, or with all as long as that is not
 * known. The caller holds the lock. */
void xf_host_count_asleep(extfn_host *host, xf_worker *worker);

/* Ends the worker, waits until nothing of it is left, counts it, and gives back its room; NULL is
 * allowed. */
void xf_host_end_worker(extfn_host *host, EXTFN_OWN xf_worker *worker);

#endif
