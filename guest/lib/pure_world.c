#include "pure_world.h"

#include "pure_api.h"

#include "base/alloc.h"

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TMP "/tmp"
#define DEPTH_LIMIT 64 /* of folders that are removed */
#define PURE_SEED 5489 /* what the module math begins with */
#define LOCALE "C.UTF-8"

/* ---- Files ---- */

/* The next that is not the folder itself or the one above. */
static const struct dirent *next_entry(DIR *folder)
{
    const struct dirent *entry = NULL;
    do
        entry = readdir(folder); /* NOLINT(concurrency-mt-unsafe): a stream of our own */
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry;
}

static bool is_empty(const char *path)
{
    DIR *folder = opendir(path);
    bool has_entry = folder && next_entry(folder);
    if (folder)
        (void)closedir(folder);
    return folder && !has_entry;
}

/* Everything in an open folder, which is closed. */
static void remove_all(int fd, unsigned depth)
{
    DIR *folder = fdopendir(fd);
    if (!folder) {
        (void)close(fd);
        return;
    }
    for (const struct dirent *entry = next_entry(folder); entry; entry = next_entry(folder)) {
        if (unlinkat(dirfd(folder), entry->d_name, 0) == 0)
            continue;
        /* A row may have closed its folder. */
        (void)!fchmodat(dirfd(folder), entry->d_name, S_IRWXU, 0);
        int inner =
            openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0 && depth < DEPTH_LIMIT)
            remove_all(inner, depth + 1);
        else if (inner >= 0)
            (void)close(inner);
        (void)unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
    }
    (void)closedir(folder);
}

static void remove_files(void)
{
    int fd = open(TMP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        remove_all(fd, 0);
}

/* ---- Environment ---- */

static size_t count_of(char *const *entries)
{
    size_t count = 0;
    while (entries && entries[count])
        count++;
    return count;
}

static bool is_same_environment(char *const *one, char *const *other)
{
    size_t count = count_of(one);
    if (count_of(other) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(one[i], other[i]) != 0)
            return false;
    }
    return true;
}

static char **copy_environment(char *const *entries)
{
    size_t count = count_of(entries);
    char **copy = xf_realloc_array(NULL, count + 1, sizeof(*copy));
    for (size_t i = 0; copy && i <= count; i++)
        copy[i] = i < count ? xf_strdup(entries[i]) : NULL;
    return copy && count_of(copy) == count ? copy : NULL;
}

/* The C library may free or change what `environ` holds, so it gets a copy; the one before leaks.
 */
static void restore_environment(char *const *entries)
{
    if (is_same_environment(entries, environ))
        return;
    char **copy = copy_environment(entries);
    if (copy)
        environ = copy;
}

/* ---- All of it ---- */

bool xf_pure_world_remember(bool has_own_tmp, xf_pure_world *ret_world)
{
    *ret_world = (xf_pure_world){
        .environment = copy_environment(environ),
        .umask = umask(0),
        .has_own_tmp = has_own_tmp && is_empty(TMP),
    };
    (void)umask(ret_world->umask);
    if (!getcwd(ret_world->directory, sizeof(ret_world->directory)))
        ret_world->directory[0] = 0;
    return ret_world->environment != NULL;
}

void xf_pure_world_restore(const xf_pure_world *world)
{
    if (!world->environment)
        return;
    (void)alarm(0);
    restore_environment(world->environment);
    tzset();
    (void)setlocale(LC_ALL, LOCALE); /* NOLINT(concurrency-mt-unsafe): Pure has one thread */
    (void)umask(world->umask);
    if (world->directory[0])
        (void)!chdir(world->directory);
    srand(1); /* NOLINT(cert-msc32-c,cert-msc51-cpp): every row has the same numbers */
    srandom(1);
    if (init_genrand)
        init_genrand(PURE_SEED);
    if (world->has_own_tmp)
        remove_files();
}
