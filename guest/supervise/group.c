#include "guest/supervise/group.h"

#include "guest/supervise/privilege.h"
#include "wire/proof.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_clone3
#define SYS_clone3 435 /* on every architecture */
#endif
#ifndef CLONE_INTO_CGROUP
#define CLONE_INTO_CGROUP 0x200000000ULL
#endif

#define EMPTY_WAIT_MS 10 /* until the kernel has noticed that it is empty, */
#define EMPTY_WAITS 100  /* so many times */
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static const xf_group none = {
    .place_fd = -1, .fd = -1, .kill_fd = -1, .events_fd = -1, .memory_events_fd = -1};

static void use_privilege(const xf_group *group, bool is_used)
{
    if (group->is_privileged)
        xf_privilege_use(is_used);
}

static bool write_number(int fd, const char *file, uint64_t number)
{
    char text[24];
    int size = snprintf(text, sizeof(text), "%" PRIu64, number);
    int file_fd = openat(fd, file, O_WRONLY | O_CLOEXEC);
    bool is_written = file_fd >= 0 && write(file_fd, text, (size_t)size) == size;
    if (file_fd >= 0)
        (void)close(file_fd);
    return is_written;
}

uint32_t xf_group_limit(int fd, uint64_t memory, uint32_t tasks)
{
    const struct {
        const char *file;
        uint64_t number;
        uint32_t layer;
    } bounds[] = {
        {"memory.max", memory, XF_LAYER_GROUP_MEMORY},
        {"memory.swap.max", 0, 0},  /* swapping would only make it slow first */
        {"memory.oom.group", 1, 0}, /* all or nothing: no half of a sandbox goes on */
        {"pids.max", tasks, XF_LAYER_GROUP_TASKS},
    };
    uint32_t layers = 0;
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        if (write_number(fd, bounds[i].file, bounds[i].number))
            layers |= bounds[i].layer;
    }
    return layers;
}

static int remove_named(const xf_group *group, const char *name)
{
    use_privilege(group, true);
    int result = unlinkat(group->place_fd, name, AT_REMOVEDIR);
    int problem = errno;
    use_privilege(group, false);
    return result == 0 ? 0 : problem;
}

static void remove_if_stale(const xf_group *group, const char *name)
{
    int fd = openat(group->place_fd, name, FOLDER_FLAGS);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        (void)remove_named(group, name); /* EBUSY: something still runs there */
    (void)close(fd);
}

xf_group xf_group_name(const char *place)
{
    xf_group group = none;
    group.place_fd = place ? open(place, FOLDER_FLAGS) : -1;
    (void)snprintf(group.name, sizeof(group.name), XF_GROUP_PREFIX "%d-%d", (int)getppid(),
                   (int)getpid());
    return group;
}

/* A sweeper that saw it before it was locked may have removed it: then its name is gone. */
static int make_and_lock(const xf_group *group)
{
    struct stat info;
    if (mkdirat(group->place_fd, group->name, 0755) != 0)
        return -1;
    int fd = openat(group->place_fd, group->name, FOLDER_FLAGS);
    if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0 &&
        fstatat(group->place_fd, group->name, &info, 0) == 0)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

void xf_group_make(xf_group *group, uint64_t memory, uint32_t tasks)
{
    if (group->place_fd < 0)
        return;
    remove_if_stale(group, group->name); /* of one that had our number before us */
    group->fd = make_and_lock(group);
    if (group->fd < 0)
        return;
    group->layers = XF_LAYER_GROUP | xf_group_limit(group->fd, memory, tasks);
    group->kill_fd = openat(group->fd, "cgroup.kill", O_WRONLY | O_CLOEXEC);
    group->events_fd = openat(group->fd, "cgroup.events", O_RDONLY | O_CLOEXEC);
    group->memory_events_fd = openat(group->fd, "memory.events", O_RDONLY | O_CLOEXEC);
}

void xf_group_adopt(xf_group *group)
{
    group->fd = group->place_fd < 0 ? -1 : openat(group->place_fd, group->name, FOLDER_FLAGS);
    if (group->fd < 0)
        return;
    use_privilege(group, true);
    group->kill_fd = openat(group->fd, "cgroup.kill", O_WRONLY | O_CLOEXEC);
    use_privilege(group, false);
    group->events_fd = openat(group->fd, "cgroup.events", O_RDONLY | O_CLOEXEC);
}

/* Not by writing to cgroup.procs: that waits for all processors, which takes milliseconds, and the
 * child would be outside before. */
pid_t xf_group_fork(xf_group *group)
{
    if (group->fd >= 0) {
        struct clone_args arguments = {.flags = CLONE_INTO_CGROUP,
                                       .exit_signal = SIGCHLD,
                                       .cgroup = (unsigned)group->fd};
        use_privilege(group, true);
        long child = syscall(SYS_clone3, &arguments, sizeof(arguments));
        use_privilege(group, false);
        if (child >= 0)
            return (pid_t)child;
    }
    group->layers = 0;
    return fork();
}

void xf_group_kill(const xf_group *group)
{
    if (group->kill_fd >= 0)
        (void)!write(group->kill_fd, "1", 1);
}

/* Reads a line `KEY N` of one of its files; 0 when there is none. */
static uint64_t read_event(int fd, const char *key)
{
    char text[512] = {0};
    if (fd < 0 || pread(fd, text, sizeof(text) - 1, 0) <= 0)
        return 0;
    size_t size = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, size) == 0 && line[size] == ' ')
            return strtoull(line + size, NULL, 10);
    }
    return 0;
}

bool xf_group_has_run_out(const xf_group *group)
{
    return read_event(group->memory_events_fd, "oom_kill") > 0;
}

/* The dead are counted in it until the kernel has put them away. */
void xf_group_remove(xf_group *group)
{
    if (group->place_fd < 0)
        return;
    for (int i = 0; i < EMPTY_WAITS && remove_named(group, group->name) == EBUSY; i++) {
        struct pollfd change = {.fd = group->events_fd, .events = POLLPRI};
        (void)read_event(group->events_fd, "populated");
        (void)poll(&change, 1, EMPTY_WAIT_MS);
    }
    const int fds[] = {group->fd, group->kill_fd, group->events_fd, group->memory_events_fd,
                       group->place_fd};
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        if (fds[i] >= 0)
            (void)close(fds[i]);
    }
    *group = none;
}

void xf_group_sweep(const xf_group *group)
{
    int fd = group->place_fd < 0 ? -1 : openat(group->place_fd, ".", FOLDER_FLAGS);
    DIR *place = fd < 0 ? NULL : fdopendir(fd);
    for (;;) {
        const struct dirent *entry =
            place ? readdir(place) : NULL; /* NOLINT(concurrency-mt-unsafe): one thread */
        if (!entry)
            break;
        if (strncmp(entry->d_name, XF_GROUP_PREFIX, strlen(XF_GROUP_PREFIX)) == 0 &&
            strcmp(entry->d_name, group->name) != 0)
            remove_if_stale(group, entry->d_name);
    }
    if (place)
        (void)closedir(place);
}
