/* extfn-supervise: starts one sandbox, watches over it, and ends only when nothing of it is left.
 * The host gives it descriptors 0 to 11 and the plan's files (wire/wire.h), no arguments and no
 * environment. Two processes (guard.h) of one thread, because the kernel ties a parent's death
 * signal to the thread. SPDX-License-Identifier: MIT */
#include "guest/common/process.h"
#include "guest/supervise/guard.h"
#include "guest/supervise/plan.h"
#include "guest/supervise/privilege.h"
#include "guest/supervise/uid.h"
#include "guest/supervise/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXEC_FAILED 127

static void send_report(const xf_report *report)
{
    (void)xf_write(XF_FD_REPORT, report, sizeof(*report));
}

static int give_up(uint32_t cause, int os_errno)
{
    const xf_report report = {.magic = XF_WIRE_MAGIC,
                              .version = XF_WIRE_VERSION,
                              .cause = cause,
                              .os_errno = os_errno};
    send_report(&report);
    return 1;
}

static int isolate(void)
{
    for (int fd = XF_FD_STDIN; fd < XF_FD_DATA; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            return errno;
    }
    xf_signals_block();
    xf_signals_default();
    xf_close_on_exec(XF_FD_REPORT, XF_FD_REPLY_PEEK);
    (void)prctl(PR_SET_NAME, "extfn-supervise"); /* started by a descriptor, its name is a number */
    (void)setsid();                              /* fails for one that leads its session already */
    (void)umask(S_IWGRP | S_IWOTH);
    return chdir("/") != 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 ? errno : 0;
}

/* In the child: becomes the command or leaves the reason in exec_errno. */
static void execute(const xf_task *task, int status_fd, pid_t supervisor, int *exec_errno)
{
    xf_die_with(supervisor);
    if (dup2(status_fd, XF_FD_STATUS) == XF_FD_STATUS) {
        xf_signals_reset();
        (void)execve(task->argv[0], task->argv, task->envp);
    }
    *exec_errno = errno;
    _exit(EXEC_FAILED);
}

/* What the worker reads and writes must be open nowhere else, or its end would not be seen. The
 * maps stay open: they are measured. */
static void close_worker_ends(const xf_task *task)
{
    for (int fd = XF_FD_STDIN; fd <= XF_FD_REPLY_PIPE; fd++)
        (void)close(fd);
    (void)close(XF_FD_PLAN);
    for (uint32_t i = 0; i < task->plan.file_count; i++)
        (void)close(XF_FD_DATA + (int)i);
}

static int start(const xf_task *task, xf_group *group, xf_watch *watch)
{
    int *exec_errno =
        mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (exec_errno == MAP_FAILED)
        return errno;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return errno;
    int problem = xf_reaper_open(&watch->reaper);
    if (problem)
        return problem;
    pid_t supervisor = getpid();
    pid_t command = xf_group_fork(group);
    if (command < 0)
        return errno;
    if (command == 0)
        execute(task, ends[1], supervisor, exec_errno);
    (void)close(ends[1]);
    close_worker_ends(task);
    watch->status_fd = ends[0];
    watch->exec_errno = exec_errno;
    watch->reaper.command = command;
    return 0;
}

static int open_all(xf_task *task, xf_watch *watch)
{
    int problem = isolate();
    if (!problem)
        problem = xf_task_open(XF_FD_PLAN, task);
    if (!problem)
        problem = xf_maps_open(XF_FD_REQUEST_MAP, XF_FD_REPLY_MAP, XF_FD_REPLY_PEEK, &watch->maps);
    if (problem)
        return problem;
    xf_close_from(XF_FD_DATA + (int)task->plan.file_count);
    watch->clock.start_limit_us = task->plan.start_limit_us;
    watch->clock.spare_limit_us = task->plan.spare_limit_us;
    watch->memory_limit = task->plan.memory_limit;
    watch->idle_limit_us = task->plan.idle_limit_us;
    watch->tmp_file_limit = task->plan.tmp_file_limit;
    xf_output_open(&watch->output);
    /* Not dumpable: a body with the same uid can neither trace the supervisor nor open its files.
     */
    return prctl(PR_SET_DUMPABLE, 0) != 0 ? errno : 0;
}

static int choose_uid(const xf_task *task, bool *ret_owns_uid)
{
    if (task->plan.uid_count == 0 || geteuid() != 0)
        return 0;
    return xf_uid_drop(task->plan.uid_first, task->plan.uid_count, ret_owns_uid);
}

/* The group belongs to root, so that nothing in it can change it; and it is made when there are two
 * that can remove it. */
static int start_in_group(const xf_task *task, xf_group *group, xf_watch *watch)
{
    bool owns_uid = watch->reaper.owns_uid;
    int problem = xf_guard_start(task->plan.file_count, owns_uid, group, &watch->guard_fd);
    if (problem)
        return problem;
    if (owns_uid)
        xf_privilege_be_root(true);
    xf_group_make(group, task->plan.group_memory, task->plan.group_tasks);
    if (owns_uid) {
        xf_privilege_be_root(false);
        group->is_privileged = group->fd >= 0;
        problem = xf_privilege_settle(group->is_privileged);
    }
    return problem ? problem : start(task, group, watch);
}

static void end_all(xf_group *group, xf_watch *watch, uint32_t *cause)
{
    xf_group_kill(group);
    xf_kill_all(&watch->reaper);
    bool is_death = *cause == XF_CAUSE_EXITED || *cause == XF_CAUSE_LOST;
    if (is_death && xf_group_has_run_out(group))
        *cause = XF_CAUSE_MEMORY;
    xf_group_remove(group);
}

int main(void)
{
    xf_watch watch = {.clock = {.mark_us = xf_now_us()}, .output = {.fds = {-1, -1}}};
    xf_task task;
    int problem = open_all(&task, &watch);
    if (problem)
        return give_up(XF_CAUSE_BROKEN, problem);
    problem = choose_uid(&task, &watch.reaper.owns_uid);
    if (problem)
        return give_up(XF_CAUSE_NO_UID, problem);
    xf_group group = xf_group_name(task.group[0]);
    problem = start_in_group(&task, &group, &watch);
    if (problem) {
        xf_group_remove(&group);
        return give_up(XF_CAUSE_BROKEN, problem);
    }
    watch.layers = group.layers;
    uint32_t cause = xf_watch_run(&watch);
    xf_watch_measure(&watch);
    end_all(&group, &watch, &cause);
    if (cause == XF_CAUSE_HOST_GONE)
        return 0;
    const xf_report report = xf_watch_report(&watch, cause);
    send_report(&report);
    return 0;
}
