/* A cgroup (version 2) of its own for one sandbox, where one can be made: the kernel's own bound on
 * all memory of all its processes, and a way to kill them all at once. Nothing rests on it alone:
 * where there is none, every limit stands as it does otherwise. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_GROUP_H
#define XF_GUEST_SUPERVISE_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Names begin so; then come the pid of the host and of the supervisor. */
#define XF_GROUP_PREFIX "extfn-"

typedef struct xf_group {
    int place_fd; /* of the folder that it lies in; -1: there can be none */
    int fd;       /* its own, locked while the supervisor lives: that tells it from a stale one */
    int kill_fd;  /* of its files, opened while we may; -1: the kernel has no such */
    int events_fd;
    int memory_events_fd;
    uint32_t layers;    /* enum xf_layer */
    bool is_privileged; /* it takes what xf_privilege_settle kept */
    char name[48];
} xf_group;

/* The name of the calling process's group in `place`, which may be NULL. Makes nothing. */
xf_group xf_group_name(const char *place);

/* Makes it, with these bounds as far as the kernel has them; as one who may write in its place. It
 * is not there when `layers` is 0 afterwards. */
void xf_group_make(xf_group *group, uint64_t memory, uint32_t tasks);

/* For another process that was told the name: opens what kills it and tells that it is empty. */
void xf_group_adopt(xf_group *group);

/* Writes the bounds into those of its files that there are; the layers that are in force then. For
 * tests public. */
uint32_t xf_group_limit(int fd, uint64_t memory, uint32_t tasks);

/* Like fork(); the child is in the group from its first instruction on. Where that cannot be had
 * the group has no layers from then on. */
pid_t xf_group_fork(xf_group *group);

/* Kills all that is in it. */
void xf_group_kill(const xf_group *group);

/* The kernel ended one of its processes for want of memory. */
bool xf_group_has_run_out(const xf_group *group);

/* When nothing is in it any more. */
void xf_group_remove(xf_group *group);

/* Removes the empty ones beside it whose supervisors were killed. */
void xf_group_sweep(const xf_group *group);

#endif
