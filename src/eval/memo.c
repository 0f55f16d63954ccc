#include "eval/memo.h"

#include "base/alloc.h"
#include "registry/function.h"

#include <string.h>

#define FIRST_BUCKETS 64

/* An entry may take so large a part of all, its function included: what is kept next must not push
 * out everything else. */
#define LARGEST_PART 8

/* Where an allocation of so many bytes lies, something about it is written down. */
#define ALLOCATION 16

struct xf_memo_kept_scope {
    xf_memo_kept_scope *next; /* of its bucket */
    xf_memo_scope scope;      /* with a reference to the function */
    size_t entries;
};

struct xf_memo_entry {
    xf_memo_entry *next; /* of its bucket */
    xf_memo_entry *newer;
    xf_memo_entry *older;
    xf_memo_kept_scope *scope;
    uint64_t hash;
    size_t args_size;
    size_t value_size;
    bool is_unsandboxed;
    char bytes[]; /* the arguments, then the value */
};

void xf_memo_init(xf_memo *memo, size_t limit)
{
    *memo = (xf_memo){.limit = limit};
    (void)pthread_mutex_init(&memo->lock, NULL);
}

/* ---- Scopes ---- */

static bool is_same_scope(const xf_memo_scope *a, const xf_memo_scope *b)
{
    return a->limit_us == b->limit_us && xf_wasm_stamp_is_equal(&a->stamp, &b->stamp) &&
           xf_function_is_equal(a->function, b->function);
}

static size_t size_of_scope(const extfn_function *function)
{
    return sizeof(xf_memo_kept_scope) + ALLOCATION + sizeof(*function) + function->body_size +
           function->arity * (XF_NAME_LIMIT + sizeof(extfn_type));
}

static xf_memo_kept_scope **slot_of_scope(xf_memo *memo, const xf_memo_scope *scope)
{
    xf_memo_kept_scope **slot = &memo->scopes[scope->function->hash % XF_MEMO_SCOPE_BUCKETS];
    while (*slot && !is_same_scope(&(*slot)->scope, scope))
        slot = &(*slot)->next;
    return slot;
}

/* NULL without memory. */
static xf_memo_kept_scope *get_scope(xf_memo *memo, const xf_memo_scope *scope)
{
    xf_memo_kept_scope **slot = slot_of_scope(memo, scope);
    if (*slot)
        return *slot;
    xf_memo_kept_scope *kept = xf_alloc(sizeof(*kept));
    if (!kept)
        return NULL;
    kept->scope = *scope;
    (void)extfn_function_ref(scope->function);
    memo->counts.bytes += size_of_scope(scope->function);
    *slot = kept;
    return kept;
}

static void drop_scope(xf_memo *memo, xf_memo_kept_scope *kept)
{
    xf_memo_kept_scope **slot = slot_of_scope(memo, &kept->scope);
    *slot = kept->next;
    memo->counts.bytes -= size_of_scope(kept->scope.function);
    extfn_function_unref(kept->scope.function);
    xf_free(kept);
}

/* ---- Order of use ---- */

static void unlink_entry(xf_memo *memo, xf_memo_entry *entry)
{
    *(entry->newer ? &entry->newer->older : &memo->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &memo->oldest) = entry->newer;
}

static void link_newest(xf_memo *memo, xf_memo_entry *entry)
{
    entry->newer = NULL;
    entry->older = memo->newest;
    *(memo->newest ? &memo->newest->newer : &memo->oldest) = entry;
    memo->newest = entry;
}

/* ---- Buckets ---- */

static xf_memo_entry **bucket_of(const xf_memo *memo, uint64_t hash)
{
    return &memo->buckets[hash & (memo->bucket_count - 1)];
}

static bool is_of(const xf_memo_entry *entry, const xf_memo_key *key)
{
    return entry->hash == key->hash && entry->args_size == key->size &&
           (key->size == 0 || memcmp(entry->bytes, key->args, key->size) == 0) &&
           is_same_scope(&entry->scope->scope, &key->scope);
}

static xf_memo_entry *find(const xf_memo *memo, const xf_memo_key *key)
{
    xf_memo_entry *entry = memo->bucket_count > 0 ? *bucket_of(memo, key->hash) : NULL;
    while (entry && !is_of(entry, key))
        entry = entry->next;
    return entry;
}

static void enter(const xf_memo *memo, xf_memo_entry *entry)
{
    xf_memo_entry **bucket = bucket_of(memo, entry->hash);
    entry->next = *bucket;
    *bucket = entry;
}

/* Whether there are any; without memory for more, those that there are get longer. */
static bool widen(xf_memo *memo)
{
    if (memo->counts.entries < memo->bucket_count)
        return true;
    size_t count = memo->bucket_count > 0 ? memo->bucket_count * 2 : FIRST_BUCKETS;
    xf_memo_entry **buckets = xf_alloc(count * sizeof(xf_memo_entry *));
    if (!buckets)
        return memo->bucket_count > 0;
    memo->counts.bytes += (count - memo->bucket_count) * sizeof(xf_memo_entry *);
    xf_free(memo->buckets);
    memo->buckets = buckets;
    memo->bucket_count = count;
    for (xf_memo_entry *entry = memo->oldest; entry; entry = entry->newer)
        enter(memo, entry);
    return true;
}

/* ---- Entries ---- */

/* `size`: of arguments and value together. */
static size_t size_of_entry(size_t size)
{
    return sizeof(xf_memo_entry) + ALLOCATION + size;
}

static void drop(xf_memo *memo, xf_memo_entry *entry)
{
    xf_memo_entry **slot = bucket_of(memo, entry->hash);
    while (*slot != entry)
        slot = &(*slot)->next;
    *slot = entry->next;
    unlink_entry(memo, entry);
    memo->counts.entries--;
    memo->counts.bytes -= size_of_entry(entry->args_size + entry->value_size);
    if (--entry->scope->entries == 0)
        drop_scope(memo, entry->scope);
    xf_free(entry);
}

static void evict(xf_memo *memo)
{
    while (memo->counts.bytes > memo->limit && memo->oldest) {
        drop(memo, memo->oldest);
        memo->counts.evictions++;
    }
}

static void add(xf_memo *memo, xf_memo_entry *entry, const xf_memo_key *key)
{
    entry->scope = widen(memo) ? get_scope(memo, &key->scope) : NULL;
    if (!entry->scope) {
        xf_free(entry);
        return;
    }
    entry->scope->entries++;
    memo->counts.entries++;
    memo->counts.bytes += size_of_entry(entry->args_size + entry->value_size);
    enter(memo, entry);
    link_newest(memo, entry);
    evict(memo);
}

static xf_memo_entry *make(const xf_memo_key *key, const void *value, size_t size,
                           bool is_unsandboxed)
{
    xf_memo_entry *entry = xf_alloc(sizeof(*entry) + key->size + size);
    if (!entry)
        return NULL;
    entry->hash = key->hash;
    entry->args_size = key->size;
    entry->value_size = size;
    entry->is_unsandboxed = is_unsandboxed;
    if (key->size > 0)
        memcpy(entry->bytes, key->args, key->size);
    if (size > 0)
        memcpy(entry->bytes + key->size, value, size);
    return entry;
}

/* ---- What others see ---- */

void xf_memo_clear(xf_memo *memo)
{
    while (memo->oldest)
        drop(memo, memo->oldest);
    xf_free(memo->buckets);
    (void)pthread_mutex_destroy(&memo->lock);
}

bool xf_memo_find(xf_memo *memo, const xf_memo_key *key, xf_buf *ret_value,
                  bool *ret_is_unsandboxed)
{
    bool is_found = false;
    (void)pthread_mutex_lock(&memo->lock);
    xf_memo_entry *entry = find(memo, key);
    if (entry && xf_buf_append(ret_value, entry->bytes + entry->args_size, entry->value_size,
                               NULL) == EXTFN_OK) {
        is_found = true;
        *ret_is_unsandboxed = entry->is_unsandboxed;
        unlink_entry(memo, entry);
        link_newest(memo, entry);
        memo->counts.hits++;
    }
    (void)pthread_mutex_unlock(&memo->lock);
    return is_found;
}

/* All of these are a few dozen MiB at most: the sum is one. */
bool xf_memo_may_keep(const xf_memo *memo, const extfn_function *function, size_t size)
{
    return size_of_scope(function) + size_of_entry(size) <= memo->limit / LARGEST_PART;
}

void xf_memo_keep(xf_memo *memo, const xf_memo_key *key, const void *value, size_t size,
                  bool is_unsandboxed)
{
    if (!xf_memo_may_keep(memo, key->scope.function, key->size + size))
        return;
    xf_memo_entry *entry = make(key, value, size, is_unsandboxed);
    if (!entry)
        return;
    (void)pthread_mutex_lock(&memo->lock);
    if (find(memo, key)) /* another thread was quicker */
        xf_free(entry);
    else
        add(memo, entry, key);
    (void)pthread_mutex_unlock(&memo->lock);
}

void xf_memo_count(xf_memo *memo, uint64_t hits, uint64_t misses)
{
    (void)pthread_mutex_lock(&memo->lock);
    memo->counts.hits += hits;
    memo->counts.misses += misses;
    (void)pthread_mutex_unlock(&memo->lock);
}

xf_memo_counts xf_memo_get_counts(xf_memo *memo)
{
    (void)pthread_mutex_lock(&memo->lock);
    xf_memo_counts counts = memo->counts;
    (void)pthread_mutex_unlock(&memo->lock);
    return counts;
}
