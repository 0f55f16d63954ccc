/* Failing calls into files of a directory, one each: --record DIR. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_RECORDER_H
#define XF_CLI_RECORDER_H

#include "cli/fail.h"

#include <extfn/record.h>

/* Files of one run: what fails beyond is counted. */
#define CLI_RECORDS_LIMIT 100U

/* Starts as `= CLI_RECORDER_CLOSED`. */
typedef struct cli_recorder {
    const char *path;
    int directory_fd;
    extfn_host *host;
    size_t written;
    size_t left_out;
    char name[96];       /* of the last one */
    extfn_error problem; /* the first that kept one from being written */
} cli_recorder;

#define CLI_RECORDER_CLOSED                                                                        \
    {                                                                                              \
        .directory_fd = -1                                                                         \
    }

/* Makes the directory where there is none. The path and the host must outlive the recorder. */
EXTFN_MUST_CHECK extfn_status cli_recorder_open(const char *path, extfn_host *host,
                                                cli_recorder *recorder, extfn_error *err);

/* An extfn_failure_fn; the context is the recorder. */
void cli_recorder_note(const extfn_failure *failure, void *context);

/* Tells on stderr what was recorded. */
void cli_recorder_close(cli_recorder *recorder);

/* Writes a file that appears whole or not at all, for its owner alone; what is there under its name
 * is replaced, never followed. */
EXTFN_MUST_CHECK extfn_status cli_record_write(int directory_fd, const char *name, const char *data,
                                               size_t size, extfn_error *err);

#endif
