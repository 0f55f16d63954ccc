#include "guest/supervise/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TREE_LIMIT 64 /* processes that are looked at */

static uint64_t to_us(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000U + (uint64_t)time.tv_usec;
}

static void raise_peak(xf_usage *usage, uint64_t bytes)
{
    if (bytes > usage->peak_memory)
        usage->peak_memory = bytes;
}

bool xf_proc_is_ours(void)
{
    char self[24] = {0};
    return readlink("/proc/self", self, sizeof(self) - 1) > 0 && strtol(self, NULL, 10) == getpid();
}

void xf_usage_add(xf_usage *usage, const struct rusage *one)
{
    raise_peak(usage, (uint64_t)one->ru_maxrss * 1024U);
    usage->cpu_us += to_us(one->ru_utime) + to_us(one->ru_stime);
}

static FILE *open_proc(long pid, const char *name)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%ld/%s", pid, name);
    return fopen(path, "re");
}

static void add_memory(xf_usage *usage, long pid)
{
    FILE *file = open_proc(pid, "status");
    char line[256];
    while (file && fgets(line, sizeof(line), file)) {
        if (strncmp(line, "VmHWM:", 6) == 0)
            raise_peak(usage, strtoull(line + 6, NULL, 10) * 1024U);
        if (strncmp(line, "RssAnon:", 8) == 0)
            usage->own_memory += strtoull(line + 8, NULL, 10) * 1024U;
        if (strncmp(line, "VmSwap:", 7) == 0)
            usage->own_memory += strtoull(line + 7, NULL, 10) * 1024U;
    }
    if (file)
        (void)fclose(file);
}

/* To the microsecond, threads that have ended among it; /proc has it in hundredths of a second. */
static void add_time(xf_usage *usage, long pid)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid((pid_t)pid, &clock) == 0 && clock_gettime(clock, &used) == 0)
        usage->cpu_us += (uint64_t)used.tv_sec * 1000000U + (uint64_t)used.tv_nsec / 1000U;
}

/* Appends the children of `pid`; returns the new count. */
static int add_children(long pid, long *pids, int count)
{
    char name[48];
    (void)snprintf(name, sizeof(name), "task/%ld/children", pid);
    FILE *file = open_proc(pid, name);
    char word[24];
    while (file && count < TREE_LIMIT && fscanf(file, "%23s", word) == 1)
        pids[count++] = strtol(word, NULL, 10);
    if (file)
        (void)fclose(file);
    return count;
}

pid_t xf_first_child(pid_t pid)
{
    long pids[TREE_LIMIT];
    int count = xf_proc_is_ours() ? add_children(pid, pids, 0) : 0;
    return count > 0 ? (pid_t)pids[0] : 0;
}

xf_usage xf_usage_of_tree(pid_t pid)
{
    xf_usage usage = {0};
    long pids[TREE_LIMIT] = {pid};
    int count = xf_proc_is_ours() ? 1 : 0;
    for (int i = 0; i < count; i++) {
        add_memory(&usage, pids[i]);
        add_time(&usage, pids[i]);
        count = add_children(pids[i], pids, count);
    }
    return usage;
}
