#include "eval/world.h"

#include "base/clock.h"
#include "eval/hash.h"

#include <fts.h>
#include <string.h>
#include <sys/stat.h>

#define SHARE 100

/* Written anew whenever a library of the system is installed. */
#define LIBRARIES "/etc/ld.so.cache"

typedef struct print {
    uint64_t sum[2];
    size_t count;
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

static void add(print *all, const FTSENT *file)
{
    facts known = {0};
    if (file->fts_info != FTS_NS && file->fts_info != FTS_ERR) {
        const struct stat *info = file->fts_statp;
        known = (facts){
            .device = info->st_dev,
            .inode = info->st_ino,
            .mode = info->st_mode,
            .size = info->st_size,
            .modified = {info->st_mtim.tv_sec, info->st_mtim.tv_nsec},
            .changed = {info->st_ctim.tv_sec, info->st_ctim.tv_nsec},
        };
    }
    uint64_t name = XXH3_64bits(file->fts_path, file->fts_pathlen);
    XXH128_hash_t hash = XXH3_128bits_withSeed(&known, sizeof(known), name);
    /* A sum, since a folder may list its files in any order. */
    all->sum[0] += hash.low64;
    all->sum[1] += hash.high64;
    all->count++;
}

/* False where there is too much to look through, or no memory to do it. */
static bool walk(const char *path, print *all)
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
    const FTSENT *file = fts_read(tree);
    for (; file && all->count <= XF_WORLD_FILES_LIMIT; file = fts_read(tree)) {
        if (file->fts_info != FTS_DP)
            add(all, file);
    }
    (void)fts_close(tree);
    return !file;
}

static bool look(const xf_runtime *runtime, print *all)
{
    *all = (print){0};
    bool is_whole = walk(runtime->argv.items[0], all) && walk(LIBRARIES, all);
    for (size_t i = 0; is_whole && i < runtime->binds.count; i++)
        is_whole = walk(runtime->binds.items[i], all);
    return is_whole;
}

static void look_later(xf_world *world, int64_t now_us, int64_t took_us)
{
    int64_t pause_us = took_us * SHARE;
    pause_us = pause_us > XF_WORLD_LOOK_US ? pause_us : XF_WORLD_LOOK_US;
    atomic_store(&world->look_us, now_us + pause_us);
}

void xf_world_take(xf_world *world, const xf_runtime *runtime)
{
    int64_t begun_us = xf_clock_now();
    print seen;
    bool is_whole = look(runtime, &seen);
    memcpy(world->print, seen.sum, sizeof(world->print));
    int64_t now_us = xf_clock_now();
    look_later(world, now_us, now_us - begun_us);
    atomic_store(&world->is_changed, !is_whole);
    atomic_store(&world->is_taken, true);
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
    bool is_same =
        look(runtime, &seen) && memcmp(world->print, seen.sum, sizeof(world->print)) == 0;
    look_later(world, now_us, xf_clock_now() - begun_us);
    if (!is_same)
        atomic_store(&world->is_changed, true);
    return is_same;
}
