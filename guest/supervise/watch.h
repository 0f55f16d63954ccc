/* Watches a started command until something ends it: the command itself, the host or the clock.
 * SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_WATCH_H
#define XF_GUEST_SUPERVISE_WATCH_H

#include "guest/supervise/clock.h"
#include "guest/supervise/idle.h"
#include "guest/supervise/look.h"
#include "guest/supervise/output.h"
#include "guest/supervise/reap.h"
#include "guest/supervise/scratch.h"
#include "guest/supervise/status.h"

typedef struct xf_watch {
    int status_fd;         /* read end of extfn-enter's pipe, non-blocking */
    int guard_fd;          /* readable when the other supervisor has ended */
    const int *exec_errno; /* written by the child that could not execute the command */
    xf_reaper reaper;
    xf_maps maps;
    xf_output output;
    xf_clock clock;
    xf_idle idle;
    xf_status status;
    uint32_t layers;    /* beyond those that extfn-enter tells of */
    bool is_tmp_full;   /* when it was measured */
    xf_usage living;    /* of what was still running when it was measured */
    xf_scratch scratch; /* from when extfn-enter is ready */
    bool has_scratch;
    uint32_t tmp_file_limit; /* 0: none */
    uint64_t memory_limit;   /* 0: none */
    uint64_t memory_next_us; /* not to be measured before */
    uint64_t idle_memory;    /* that it may have with nothing to do; 0: the host has yet to ask */
    uint64_t idle_limit_us;  /* 0: none */
    int os_errno;            /* of XF_CAUSE_BROKEN */
} xf_watch;

#define XF_CAUSE_NONE 0U        /* go on */
#define XF_CAUSE_HOST_GONE 255U /* never reported: nobody is there to read it */

/* Returns an xf_cause or XF_CAUSE_HOST_GONE. Nothing has been killed then. */
uint32_t xf_watch_run(xf_watch *watch);

/* To be called between: what is about to be killed is asked what it used. */
void xf_watch_measure(xf_watch *watch);

/* The report, for when everything has been killed. */
xf_report xf_watch_report(const xf_watch *watch, uint32_t cause);

#endif
