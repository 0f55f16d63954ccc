/* The plan that the supervisor is started with, checked and taken apart. SPDX-License-Identifier:
 * MIT */
#ifndef XF_GUEST_SUPERVISE_PLAN_H
#define XF_GUEST_SUPERVISE_PLAN_H

#include "wire/wire.h"

#define XF_PLAN_STRINGS_LIMIT 512U /* arguments and environment together */
#define XF_PLAN_FILES_LIMIT 32U
#define XF_PLAN_SIZE_LIMIT (1U << 20)

typedef struct xf_task {
    xf_plan plan;
    char **argv; /* into `strings`, NULL-terminated, as is envp */
    char **envp;
    char *group[2]; /* the folder to make a cgroup in, or NULL */
    char *strings[XF_PLAN_STRINGS_LIMIT + 2];
} xf_task;

/* Points ret_task into `bytes`, which must outlive it. 0 or an errno; on failure ret_task is
 * unspecified. */
int xf_task_read(char *bytes, size_t size, xf_task *ret_task);

/* The same for the memfd, which stays mapped. */
int xf_task_open(int fd, xf_task *ret_task);

#endif
