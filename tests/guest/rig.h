/* Plays the library for one supervisor: real descriptors, a real plan, the programs as they are
 * shipped. Every wait has a deadline, and a failed claim fails the test. SPDX-License-Identifier:
 * MIT */
#ifndef XF_TESTS_GUEST_RIG_H
#define XF_TESTS_GUEST_RIG_H

#include "wire/wire.h"

#include <stdbool.h>
#include <sys/types.h>

#define RIG_DEADLINE_MS 20000
#define RIG_ENTER "/proc/self/fd/12"  /* extfn-enter, first of the plan's files */
#define RIG_VICTIM "/proc/self/fd/13" /* the second */

typedef struct rig_options {
    const char *argv[40]; /* of the plan; empty: extfn-enter with `settings` and the victim */
    const char *settings; /* "nofile=64" when NULL */
    const char *act[3];   /* of the victim, with its argument; a mark of the rig is added */
    const char *env[4];
    uint32_t uid_first;
    uint32_t uid_count;
    uint64_t start_limit_us; /* a minute when 0 */
    uint64_t memory_limit;
    uint32_t tmp_file_limit;
    const char *group;  /* where cgroups are made; the top of all when NULL */
    int host_pidfd;     /* of this process when 0 */
    const char *id_map; /* not NULL: the supervisor is root in a user namespace with this map */
    bool has_bad_plan;
} rig_options;

typedef struct rig {
    pid_t supervisor;
    int stdin_end; /* write end of the worker's stdin, and so on */
    int stdout_end;
    int stderr_end;
    int request_end;
    int reply_end;
    int report_end;
    int lifeline_end;
    xf_request_header *header;
    unsigned char *statuses;
    char mark[48]; /* in the command line of all that the supervisor starts */
} rig;

void rig_start(rig *it, const rig_options *options);

/* Makes `call` active. */
void rig_call(rig *it, uint32_t call, uint32_t row_count, uint64_t limit_us);

void rig_command(const rig *it, char command);

/* Reads a line of the worker's stdout. */
void rig_read_line(const rig *it, char *ret_line, size_t size);

/* Reads "up PID" and returns the number. */
pid_t rig_read_up(const rig *it);

/* True when something can be read, or the other side has closed, within the time. */
bool rig_is_readable(int fd, int timeout_ms);

/* Waits for the report and for the end of the supervisor, and checks that nothing is left. */
xf_report rig_finish(rig *it);

/* Waits for the end of a supervisor that has nobody to report to. */
void rig_finish_silently(rig *it);

/* The same for one of which a supervisor was killed, and that has been waited for: what is reported
 * then, if there was something to report. */
void rig_finish_killed(rig *it);

/* The oldest child, or 0. */
pid_t rig_child_of(pid_t pid);

/* Number of processes with the mark. */
int rig_count(const rig *it);

/* Skips the test where the thing is missing; fails it where EXTFN_TEST_REQUIRE names that. */
void rig_need(const char *what, bool is_there);

uint64_t rig_now_ms(void);

#endif
