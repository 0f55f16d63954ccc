#include "guest/supervise/reap.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define KILL_AGAIN_MS 10

int xf_reaper_open(xf_reaper *reaper)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    reaper->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return reaper->signal_fd < 0 ? errno : 0;
}

bool xf_reap(xf_reaper *reaper)
{
    for (;;) {
        int status = 0;
        struct rusage one = {0};
        pid_t pid = wait4(-1, &status, WNOHANG | __WALL, &one);
        if (pid == 0)
            return true;
        if (pid < 0 && errno != EINTR)
            return false;
        if (pid > 0)
            xf_usage_add(&reaper->usage, &one);
        if (pid == reaper->command) {
            reaper->is_command_gone = true;
            reaper->command_status = status;
        }
    }
}

/* The list may miss a child while others exit: so it is read again until none is left. */
bool xf_signal_listed_children(int number)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    FILE *list = xf_proc_is_ours() ? fopen(path, "re") : NULL;
    if (!list)
        return false;
    char word[24];
    while (fscanf(list, "%23s", word) == 1) {
        long pid = strtol(word, NULL, 10);
        if (pid > 1)
            (void)kill((pid_t)pid, number);
    }
    (void)fclose(list);
    return true;
}

/* The parent stands second after the name, which is in brackets and may hold anything. */
static long parent_of(const char *pid)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    char line[256] = {0};
    ssize_t size = read(fd, line, sizeof(line) - 1);
    (void)close(fd);
    const char *name_end = size > 0 ? strrchr(line, ')') : NULL;
    return name_end && strlen(name_end) > 4 ? strtol(name_end + 4, NULL, 10) : -1;
}

bool xf_signal_scanned_children(int number)
{
    DIR *proc = xf_proc_is_ours() ? opendir("/proc") : NULL;
    if (!proc)
        return false;
    for (;;) {
        const struct dirent *entry = readdir(proc); /* NOLINT(concurrency-mt-unsafe): one thread */
        if (!entry)
            break;
        if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == getpid())
            (void)kill((pid_t)strtol(entry->d_name, NULL, 10), number);
    }
    (void)closedir(proc);
    return true;
}

static void kill_children(const xf_reaper *reaper)
{
    if (xf_signal_listed_children(SIGKILL) || xf_signal_scanned_children(SIGKILL))
        return;
    if (reaper->owns_uid) {
        (void)kill(-1, SIGKILL);
    } else if (reaper->command > 0 && !reaper->is_command_gone) {
        (void)kill(reaper->command, SIGKILL);
    }
}

void xf_kill_all(xf_reaper *reaper)
{
    while (xf_reap(reaper)) {
        kill_children(reaper);
        struct pollfd death = {.fd = reaper->signal_fd, .events = POLLIN};
        (void)poll(&death, 1, KILL_AGAIN_MS);
        struct signalfd_siginfo drained;
        (void)!read(reaper->signal_fd, &drained, sizeof(drained));
    }
}
