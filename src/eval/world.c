#include "eval/world.h"

#include "base/auto.h"
#include "base/clock.h"
#include "eval/hash.h"
#include "sandbox/host_libraries.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SHARE 100

/* Written anew whenever a library of the system is installed. */
#define LIBRARIES "/etc/ld.so.cache"

typedef struct print {
    uint64_t sum[2];
    size_t count;
    bool is_whole;
} print;

/* Everything about a file that changes with its content. */
typedef struct facts {
    uint64_t device;
    uint64_t inode;
    uint64_t mode;
    int64_t size;
    int64_t modified[2];
    int64_t changed[2];
} facts;

/* `info`: NULL where there is none. */
static void add(print *all, const char *path, size_t size, const struct stat *info)
{
    facts known = {0};
    if (info) {
        known = (facts){
            .device = info->st_dev,
            .inode = info->st_ino,
            .mode = info->st_mode,
            .size = info->st_size,
            .modified = {info->st_mtim.tv_sec, info->st_mtim.tv_nsec},
            .changed = {info->st_ctim.tv_sec, info->st_ctim.tv_nsec},
        };
    }
    uint64_t name = XXH3_64bits(path, size);
    XXH128_hash_t hash = XXH3_128bits_withSeed(&known, sizeof(known), name);
    /* A sum, since a folder may list its files in any order. */
    all->sum[0] += hash.low64;
    all->sum[1] += hash.high64;
    all->count++;
}

/* What is not there, or hidden from this process, is known to be so: once that ends, it shows.
 * Everything else that can go wrong, from memory to descriptors, leaves files out. */
static bool is_known(const FTSENT *file)
{
    bool has_failed =
        file->fts_info == FTS_NS || file->fts_info == FTS_DNR || file->fts_info == FTS_ERR;
    return !has_failed || file->fts_errno == ENOENT || file->fts_errno == ENOTDIR ||
           file->fts_errno == EACCES;
}

static const FTSENT *next_of(FTS *tree)
{
    errno = 0; /* NULL is the end too */
    return fts_read(tree);
}

/* False where there is too much to look through, or where that fails. */
static bool walk(const char *path, size_t limit, print *all)
{
    char place[4096];
    size_t size = strlen(path);
    if (size >= sizeof(place))
        return false;
    memcpy(place, path, size + 1);
    char *const places[] = {place, NULL};
    FTS *tree = fts_open(places, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    if (!tree)
        return false;
    const FTSENT *file = next_of(tree);
    for (; file && all->count <= limit && is_known(file); file = next_of(tree)) {
        bool has_info = file->fts_info != FTS_NS && file->fts_info != FTS_ERR;
        if (file->fts_info != FTS_DP)
            add(all, file->fts_path, file->fts_pathlen, has_info ? file->fts_statp : NULL);
    }
    bool is_whole = !file && errno == 0 && all->count <= limit;
    (void)fts_close(tree);
    return is_whole;
}

static void add_shared(const char *root, const char *place, print *all)
{
    char path[4096];
    struct stat info;
    (void)snprintf(path, sizeof(path), "%s%s", root, place);
    add(all, place, strlen(place), stat(path, &info) == 0 ? &info : NULL);
}

/* Folders of libraries and data, and what links lead to. */
static extfn_status look_at_shared(const char *root, print *all, extfn_error *err)
{
    XF_AUTO(xf_host_libraries_clear) xf_host_libraries libraries = {0};
    XF_TRY(xf_host_libraries_look(root, &libraries, err));
    add_shared(root, LIBRARIES, all);
    for (size_t i = 0; i < libraries.binds.count; i++)
        add_shared(root, libraries.binds.items[i], all);
    for (size_t i = 0; i + 1 < libraries.symlinks.count; i += 2)
        add_shared(root, libraries.symlinks.items[i + 1], all);
    return EXTFN_OK;
}

static extfn_status look(const xf_world *world, const xf_runtime *runtime, print *all,
                         extfn_error *err)
{
    *all = (print){0};
    XF_TRY(look_at_shared(world->root, all, err));
    bool is_whole = walk(runtime->argv.items[0], world->files_limit, all);
    for (size_t i = 0; is_whole && i < runtime->binds.count; i++)
        is_whole = walk(runtime->binds.items[i], world->files_limit, all);
    all->is_whole = is_whole;
    return EXTFN_OK;
}

static void look_later(xf_world *world, int64_t now_us, int64_t took_us)
{
    int64_t pause_us = took_us * SHARE;
    pause_us = pause_us > XF_WORLD_LOOK_US ? pause_us : XF_WORLD_LOOK_US;
    atomic_store(&world->look_us, now_us + pause_us);
}

extfn_status xf_world_take(xf_world *world, const xf_runtime *runtime, const char *root,
                           size_t files_limit, extfn_error *err)
{
    world->root = root;
    world->files_limit = files_limit;
    int64_t begun_us = xf_clock_now();
    print seen;
    XF_TRY(look(world, runtime, &seen, err));
    memcpy(world->print, seen.sum, sizeof(world->print));
    int64_t now_us = xf_clock_now();
    look_later(world, now_us, now_us - begun_us);
    atomic_store(&world->is_changed, !seen.is_whole);
    atomic_store(&world->is_taken, true);
    return EXTFN_OK;
}

void xf_world_publish(xf_world *world, const xf_world *taken)
{
    memcpy(world->print, taken->print, sizeof(world->print));
    world->root = taken->root;
    world->files_limit = taken->files_limit;
    atomic_store(&world->look_us, atomic_load(&taken->look_us));
    atomic_store(&world->is_changed, atomic_load(&taken->is_changed));
    atomic_store(&world->is_taken, true); /* last: nobody looks at the rest before */
}

bool xf_world_is_same(xf_world *world, const xf_runtime *runtime, int64_t now_us)
{
    if (!atomic_load(&world->is_taken) || atomic_load(&world->is_changed))
        return false;
    long long look_us = atomic_load(&world->look_us);
    /* One thread looks; the others go by what is known meanwhile. */
    if (now_us < look_us ||
        !atomic_compare_exchange_strong(&world->look_us, &look_us, now_us + XF_WORLD_LOOK_US))
        return true;
    int64_t begun_us = xf_clock_now();
    print seen;
    if (look(world, runtime, &seen, NULL) != EXTFN_OK) {
        atomic_store(&world->look_us, now_us);
        return false;
    }
    bool is_same = seen.is_whole && memcmp(world->print, seen.sum, sizeof(world->print)) == 0;
    look_later(world, now_us, xf_clock_now() - begun_us);
    if (!is_same)
        atomic_store(&world->is_changed, true);
    return is_same;
}
