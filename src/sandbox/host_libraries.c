#include "sandbox/host_libraries.h"

#include "base/auto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where the dynamic linker finds libraries. A folder is bound, a symlink is made again. */
static const char *const library_places[] = {
    "/usr/lib/x86_64-linux-gnu",  "/usr/lib/aarch64-linux-gnu",
    "/usr/lib/riscv64-linux-gnu", "/usr/lib64",
    "/lib/x86_64-linux-gnu",      "/lib/aarch64-linux-gnu",
    "/lib/riscv64-linux-gnu",     "/lib64",
};

/* What the C library reads: our locale, and time zones (without them R takes all for UTC). */
static const char *const data_places[] = {
    "/usr/lib/locale/C.utf8",
    "/usr/share/zoneinfo",
};

/* Libraries that Debian reaches through /etc/alternatives, which is not shown. */
static const char *const alternatives[] = {
    "libblas.so.3",
    "liblapack.so.3",
};

#define PATH_SIZE 1024 /* enough for the places above and their links */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef enum place_kind { NOTHING, FOLDER, SYMLINK } place_kind;

static place_kind look(const char *root, const char *place, char ret_target[PATH_SIZE])
{
    char path[PATH_SIZE];
    struct stat found;
    (void)snprintf(path, sizeof(path), "%s%s", root, place);
    if (lstat(path, &found) != 0)
        return NOTHING;
    if (S_ISDIR(found.st_mode))
        return FOLDER;
    ssize_t size = readlink(path, ret_target, PATH_SIZE - 1);
    if (size <= 0)
        return NOTHING;
    ret_target[size] = 0;
    return SYMLINK;
}

static extfn_status add_symlink(xf_host_libraries *libraries, const char *target, const char *place,
                                extfn_error *err)
{
    XF_TRY(xf_strings_add(&libraries->symlinks, target, err));
    return xf_strings_add(&libraries->symlinks, place, err);
}

/* On a merged /usr, /lib is a symlink: what lies under it has been bound already. */
static extfn_status add_libraries(const char *root, bool is_merged, xf_host_libraries *libraries,
                                  extfn_error *err)
{
    for (size_t i = 0; i < COUNT(library_places); i++) {
        const char *place = library_places[i];
        if (is_merged && strncmp(place, "/lib/", 5) == 0)
            continue;
        char target[PATH_SIZE];
        switch (look(root, place, target)) {
        case FOLDER:
            XF_TRY(xf_strings_add(&libraries->binds, place, err));
            break;
        case SYMLINK:
            XF_TRY(add_symlink(libraries, target, place, err));
            break;
        case NOTHING:
            break;
        }
    }
    return EXTFN_OK;
}

static extfn_status add_alternative(const char *root, const char *folder, const char *name,
                                    xf_host_libraries *libraries, extfn_error *err)
{
    char path[PATH_SIZE];
    char target[PATH_SIZE];
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (look(root, path, target) != SYMLINK || strncmp(target, "/etc/alternatives/", 18) != 0)
        return EXTFN_OK;
    (void)snprintf(path, sizeof(path), "%s%s", root, target);
    XF_AUTO_FREE char *resolved = realpath(path, NULL);
    size_t root_size = strlen(root);
    if (!resolved || strncmp(resolved, root, root_size) != 0)
        return EXTFN_OK;
    return add_symlink(libraries, resolved + root_size, target, err);
}

static extfn_status add_alternatives(const char *root, xf_host_libraries *libraries,
                                     extfn_error *err)
{
    size_t folders = libraries->binds.count;
    for (size_t i = 0; i < folders; i++) {
        for (size_t j = 0; j < COUNT(alternatives); j++)
            XF_TRY(
                add_alternative(root, libraries->binds.items[i], alternatives[j], libraries, err));
    }
    return EXTFN_OK;
}

static extfn_status look_at_all(const char *root, xf_host_libraries *libraries, extfn_error *err)
{
    char target[PATH_SIZE];
    bool is_merged = look(root, "/lib", target) == SYMLINK;
    if (is_merged)
        XF_TRY(add_symlink(libraries, target, "/lib", err));
    XF_TRY(add_libraries(root, is_merged, libraries, err));
    if (libraries->binds.count == 0 && look(root, "/usr/lib", target) == FOLDER)
        XF_TRY(xf_strings_add(&libraries->binds, "/usr/lib", err));
    for (size_t i = 0; i < COUNT(data_places); i++) {
        if (look(root, data_places[i], target) == FOLDER)
            XF_TRY(xf_strings_add(&libraries->binds, data_places[i], err));
    }
    return add_alternatives(root, libraries, err);
}

void xf_host_libraries_clear(xf_host_libraries *libraries)
{
    xf_strings_clear(&libraries->binds);
    xf_strings_clear(&libraries->symlinks);
}

extfn_status xf_host_libraries_look(const char *root, xf_host_libraries *ret_libraries,
                                    extfn_error *err)
{
    XF_AUTO(xf_host_libraries_clear) xf_host_libraries libraries = {0};
    XF_TRY(look_at_all(root, &libraries, err));
    *ret_libraries = libraries;
    libraries = (xf_host_libraries){0};
    return EXTFN_OK;
}
