/* Whether a worker waits for the host to read what it printed. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_OUTPUT_H
#define XF_GUEST_SUPERVISE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Starts as `= {.fds = {-1, -1}}`: nothing is known then. */
typedef struct xf_output {
    int fds[2];    /* read ends, that nothing is read from */
    bool was_full; /* at the look before: then cpu_us and seen_us are of that */
    uint64_t cpu_us;
    uint64_t seen_us;
} xf_output;

/* Of the pipes whose write ends are stdout and stderr. Before the process is made undumpable: what
 * it has open is then root's to see. */
void xf_output_open(xf_output *output);

/* A pipe is full, it was at the look before, and in between nothing of `command` computed: a body
 * that fills one and goes on is not waiting. `is_running`: a row is under way. */
bool xf_output_is_awaited(xf_output *output, bool is_running, pid_t command, uint64_t now_us);

#endif
