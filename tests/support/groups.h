/* Cgroups that workers get. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_GROUPS_H
#define XF_TESTS_GROUPS_H

#include "support/unit.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where cgroups of version 2 are: beside those of version 1, or instead of them. */
static inline const char *groups_top(void)
{
    static const char beside[] = "/sys/fs/cgroup/unified";
    return access(beside, F_OK) == 0 ? beside : "/sys/fs/cgroup";
}

typedef struct groups_search {
    char prefix[48];
    int count;
} groups_search;

static inline groups_search *groups_state(void)
{
    static groups_search state; /* nftw hands nothing on */
    return &state;
}

static inline int groups_visit(const char *path, const struct stat *info, int kind,
                               struct FTW *place)
{
    (void)info;
    groups_search *state = groups_state();
    state->count +=
        kind == FTW_D && strncmp(path + place->base, state->prefix, strlen(state->prefix)) == 0;
    return 0;
}

/* Those of workers that this process has started; of one supervisor where it is not 0. */
static inline int groups_count(pid_t supervisor)
{
    groups_search *state = groups_state();
    int size = snprintf(state->prefix, sizeof(state->prefix), "extfn-%d-", (int)getpid());
    if (supervisor > 0)
        (void)snprintf(state->prefix + size, sizeof(state->prefix) - (size_t)size, "%d",
                       (int)supervisor);
    state->count = 0;
    (void)nftw(groups_top(), groups_visit, 16, FTW_PHYS | FTW_MOUNT);
    return state->count;
}

#endif
