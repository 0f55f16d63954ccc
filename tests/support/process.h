/* Child processes and descriptors as a test sees them. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_PROCESS_H
#define XF_TESTS_PROCESS_H

#include "support/unit.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline double test_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline void test_pause(void)
{
    const struct timespec wait = {.tv_nsec = 5000000};
    (void)nanosleep(&wait, NULL);
}

static inline int test_count_fds(void)
{
    DIR *directory = opendir("/proc/self/fd");
    assert_non_null(directory);
    int count = 0;
    while (readdir(directory))
        count++;
    (void)closedir(directory);
    return count;
}

/* Runs `body` in a child and returns its exit status; 100 + number for a signal. */
static inline int test_in_child(void (*body)(void *context), void *context)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        body(context);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

/* From here on orphans of our children become our children, so that none can hide. */
static inline void test_adopt_orphans(void)
{
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
}

/* Whether every child, orphans included, ends within `seconds`. */
static inline bool test_is_childless_within(double seconds)
{
    double until = test_now() + seconds;
    for (;;) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);
        if (pid < 0 && errno == ECHILD)
            return true;
        if (pid == 0 && test_now() > until)
            return false;
        if (pid == 0)
            test_pause();
    }
}

/* The oldest child that any thread of a process started; 0: none. */
static inline int test_child_of(int pid)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/task", pid);
    DIR *tasks = opendir(path);
    int child = 0;
    for (struct dirent *task = tasks ? readdir(tasks) : NULL; task && child == 0;
         task = readdir(tasks)) {
        (void)snprintf(path, sizeof(path), "/proc/%d/task/%.20s/children", pid, task->d_name);
        FILE *list = fopen(path, "re");
        if (list && fscanf(list, "%d", &child) != 1)
            child = 0;
        if (list)
            (void)fclose(list);
    }
    if (tasks)
        (void)closedir(tasks);
    return child;
}

/* The process that stands `depth` below us. */
static inline int test_descendant(int depth)
{
    int pid = getpid();
    for (int i = 0; i < depth && pid > 0; i++)
        pid = test_child_of(pid);
    return pid;
}

#endif
