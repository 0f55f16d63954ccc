#include "sandbox/group.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define LINE_SIZE 4096
#define PART_SIZE "511" /* of XF_GROUP_PATH, less the NUL */

typedef struct path {
    char text[XF_GROUP_PATH];
} path;

/* A file by lines; what is longer than one fits is cut. No stdio: it allocates. */
typedef struct lines {
    int fd;
    size_t used;  /* of `text` */
    size_t taken; /* of that, by the line before */
    char text[LINE_SIZE];
} lines;

static void lines_open(const char *folder, const char *name, lines *ret_lines)
{
    char text[XF_GROUP_PATH + 64];
    (void)snprintf(text, sizeof(text), "%s%s", folder, name);
    ret_lines->fd = open(text, O_RDONLY | O_CLOEXEC);
    ret_lines->used = ret_lines->taken = 0;
}

/* Forgets what was taken, and reads until there is a whole line, or no more. */
static char *lines_fill(lines *from)
{
    from->used -= from->taken;
    memmove(from->text, from->text + from->taken, from->used);
    from->taken = 0;
    for (;;) {
        char *end = memchr(from->text, '\n', from->used);
        size_t room = sizeof(from->text) - 1 - from->used;
        ssize_t size = end || room == 0 ? 0 : read(from->fd, from->text + from->used, room);
        if (size <= 0)
            return end ? end : from->text + from->used;
        from->used += (size_t)size;
    }
}

/* NULL: there are no more. */
static const char *lines_next(lines *from)
{
    char *end = from->fd < 0 ? from->text : lines_fill(from);
    size_t size = (size_t)(end - from->text);
    if (from->fd < 0 || from->used == 0)
        return NULL;
    from->taken = size < from->used ? size + 1 : size;
    *end = '\0';
    return from->text;
}

static void lines_close(lines *from)
{
    if (from->fd >= 0)
        (void)close(from->fd);
}

/* The line of version 2 is `0::PATH`. */
static bool read_membership(const char *root, char ret_path[XF_GROUP_PATH])
{
    lines file;
    lines_open(root, "/proc/self/cgroup", &file);
    bool is_found = false;
    for (const char *line = lines_next(&file); line && !is_found; line = lines_next(&file))
        is_found = sscanf(line, "0::%" PART_SIZE "[^\n]", ret_path) == 1;
    lines_close(&file);
    return is_found;
}

/* `ID PARENT DEVICE ROOT POINT OPTIONS ... - TYPE ...`; names with spaces are written otherwise
 * than they are, and passed over. */
static bool read_mount(const char *root, char ret_root[XF_GROUP_PATH],
                       char ret_point[XF_GROUP_PATH])
{
    lines file;
    lines_open(root, "/proc/self/mountinfo", &file);
    bool is_found = false;
    for (const char *line = lines_next(&file); line && !is_found; line = lines_next(&file)) {
        is_found =
            strstr(line, " - cgroup2 ") &&
            sscanf(line, "%*d %*d %*s %" PART_SIZE "s %" PART_SIZE "s", ret_root, ret_point) == 2 &&
            !strchr(ret_root, '\\') && !strchr(ret_point, '\\');
    }
    lines_close(&file);
    return is_found;
}

/* The part of `inner` below `outer`, beginning with a slash or empty; NULL: it is not below. */
static const char *below(const char *inner, const char *outer)
{
    size_t size = strcmp(outer, "/") == 0 ? 0 : strlen(outer);
    const char *rest = strncmp(inner, outer, size) == 0 ? inner + size : NULL;
    if (!rest || (*rest != '/' && *rest != '\0') || strncmp(rest, "/..", 3) == 0)
        return NULL; /* `/..` leads out of the namespace of cgroups */
    return strcmp(rest, "/") == 0 ? "" : rest;
}

/* ret_size is that of the mount point, above which nothing is ours. */
static bool find_own(const char *root, path *ret_own, size_t *ret_size)
{
    path member;
    path mounted;
    path point;
    if (!read_membership(root, member.text) || !read_mount(root, mounted.text, point.text))
        return false;
    const char *rest = below(member.text, mounted.text);
    if (!rest)
        return false;
    int size = snprintf(NULL, 0, "%s%s", root, point.text);
    int whole = snprintf(ret_own->text, sizeof(ret_own->text), "%s%s%s", root, point.text, rest);
    *ret_size = (size_t)size;
    return whole < (int)sizeof(ret_own->text) && access(ret_own->text, F_OK) == 0;
}

static bool is_handed_over(const char *folder)
{
    static const char *const marks[] = {"user.delegate", "trusted.delegate"}; /* by systemd */
    struct stat info;
    if (stat(folder, &info) != 0)
        return false;
    bool is_ours = info.st_uid == geteuid() && info.st_uid != 0;
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        char value = 0;
        is_ours |= getxattr(folder, marks[i], &value, 1) == 1 && value == '1';
    }
    return is_ours;
}

static bool is_usable(const char *folder)
{
    return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
}

/* Its children have the files of the controllers that stand here, in one line of words. */
static bool bounds_memory(const char *folder)
{
    static const char word[] = "memory";
    lines file;
    lines_open(folder, "/cgroup.subtree_control", &file);
    const char *line = lines_next(&file);
    bool is_found = false;
    while (line && *line && !is_found) {
        size_t size = strcspn(line, " ");
        is_found = size == sizeof(word) - 1 && memcmp(line, word, size) == 0;
        line += size + (line[size] == ' ');
    }
    lines_close(&file);
    return is_found;
}

void xf_group_find(const char *root, char ret_place[XF_GROUP_PATH])
{
    ret_place[0] = '\0';
    path own;
    size_t top_size = 0;
    if (!find_own(root, &own, &top_size))
        return;
    path parent = own;
    char *slash = strrchr(parent.text + top_size, '/');
    if (slash)
        *slash = '\0';
    bool is_own = is_usable(own.text);
    bool is_parent = slash && is_usable(parent.text) && is_handed_over(parent.text);
    bool is_better = is_parent && bounds_memory(parent.text) && !bounds_memory(own.text);
    if (is_own || is_parent) {
        (void)snprintf(ret_place, XF_GROUP_PATH, "%s",
                       is_own && !is_better ? own.text : parent.text);
    }
}

/* `max`, or no such file: no bound. */
static uint64_t bound_of(const char *folder)
{
    lines file;
    lines_open(folder, "/memory.max", &file);
    const char *line = lines_next(&file);
    uint64_t bound = line ? strtoull(line, NULL, 10) : 0;
    lines_close(&file);
    return bound;
}

uint64_t xf_group_memory(const char *root)
{
    path folder;
    size_t top_size = 0;
    if (!find_own(root, &folder, &top_size))
        return 0;
    uint64_t least = 0;
    for (;;) {
        uint64_t bound = bound_of(folder.text);
        if (bound > 0 && (least == 0 || bound < least))
            least = bound;
        char *slash = strrchr(folder.text + top_size, '/');
        if (!slash)
            return least;
        *slash = '\0';
    }
}
