/* Values of calls of pure functions, kept by a host object for the same call again. Bounded in
 * bytes; what was used longest ago goes first. Any number of threads may use one.
 * SPDX-License-Identifier: MIT */
#ifndef XF_EVAL_MEMO_H
#define XF_EVAL_MEMO_H

#include "base/buf.h"
#include "wasm/source.h"

#include <extfn/function.h>

#include <pthread.h>

/* What decides about the value of a call, beside its arguments and what is the same for all of a
 * host object's life: policy, limits of memory, paths of interpreters and packages. (What lies at
 * these paths: see world.h.) */
typedef struct xf_memo_scope {
    extfn_function *function;
    int64_t limit_us;    /* of a row */
    xf_wasm_stamp stamp; /* of the file of its module, where it has one */
} xf_memo_scope;

/* All of it borrowed. */
typedef struct xf_memo_key {
    xf_memo_scope scope;
    const void *args; /* bytes that no other arguments of the function have */
    size_t size;
    uint64_t hash; /* of scope and arguments; equal ones only cost time */
} xf_memo_key;

typedef struct xf_memo_counts {
    uint64_t hits;
    uint64_t misses;
    uint64_t evictions;
    size_t entries;
    size_t bytes; /* all that the entries take, tables included */
} xf_memo_counts;

typedef struct xf_memo_entry xf_memo_entry;
typedef struct xf_memo_kept_scope xf_memo_kept_scope;

#define XF_MEMO_SCOPE_BUCKETS 64

typedef struct xf_memo {
    pthread_mutex_t lock; /* of all that follows but the limit */
    size_t limit;         /* bytes; 0: nothing is kept */
    xf_memo_entry **buckets;
    size_t bucket_count; /* a power of two, or 0 */
    xf_memo_entry *newest;
    xf_memo_entry *oldest;
    xf_memo_kept_scope *scopes[XF_MEMO_SCOPE_BUCKETS]; /* that some entry has */
    xf_memo_counts counts;
} xf_memo;

void xf_memo_init(xf_memo *memo, size_t limit);
void xf_memo_clear(xf_memo *memo);

/* Appends the bytes of the value that was kept under an equal key; false where there is none, and
 * without memory. Counts a hit, and no miss: see xf_memo_keep. */
bool xf_memo_find(xf_memo *memo, const xf_memo_key *key, xf_buf *ret_value,
                  bool *ret_is_unsandboxed);

/* Whether a value of the function is kept, if it and its arguments have so many bytes together:
 * they and the function itself must not take more than an eighth of the limit. */
bool xf_memo_may_keep(const xf_memo *memo, const extfn_function *function, size_t size);

/* Copies key and value; does nothing without memory, and with what may not be kept.
 * `is_unsandboxed` is told with the value again. */
void xf_memo_keep(xf_memo *memo, const xf_memo_key *key, const void *value, size_t size,
                  bool is_unsandboxed);

/* For calls that were answered in another way, and those that had to be evaluated. */
void xf_memo_count(xf_memo *memo, uint64_t hits, uint64_t misses);

xf_memo_counts xf_memo_get_counts(xf_memo *memo);

#endif
