/* Records as files. SPDX-License-Identifier: MIT */
#include "cli/recorder.h"

#include "cli/library.h"
#include "cli/tell.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extfn_status cli_recorder_open(const char *path, extfn_host *host, cli_recorder *recorder,
                               extfn_error *err)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return cli_fail_os(err, errno, "make the directory", path);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return cli_fail_os(err, errno, "open the directory", path);
    *recorder = (cli_recorder){.path = path, .directory_fd = fd, .host = host};
    return EXTFN_OK;
}

/* ---- One file ---- */

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            data += written;
            size -= (size_t)written;
        }
    }
    return fsync(fd) == 0;
}

extfn_status cli_record_write(int directory_fd, const char *name, const char *data, size_t size,
                              extfn_error *err)
{
    char temporary[160];
    (void)snprintf(temporary, sizeof(temporary), ".%s.%ld.tmp", name, (long)getpid());
    int fd =
        openat(directory_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return cli_fail_os(err, errno, "create", temporary);
    bool is_written = write_all(fd, data, size);
    int problem = errno;
    (void)close(fd);
    if (is_written && renameat(directory_fd, temporary, directory_fd, name) == 0)
        return EXTFN_OK;
    problem = is_written ? errno : problem;
    (void)unlinkat(directory_fd, temporary, 0);
    return cli_fail_os(err, problem, "write", name);
}

/* FNV-1a: tells apart what is written at the same time, no more. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return hash;
}

/* Sorted by name they are sorted by time. */
static void make_name(const char *json, char *ret_name, size_t size)
{
    struct timespec now = {0};
    struct tm parts = {0};
    char moment[32];
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)gmtime_r(&now.tv_sec, &parts);
    (void)strftime(moment, sizeof(moment), "%Y%m%dT%H%M%S", &parts);
    (void)snprintf(ret_name, size, "extfn-%s.%06ldZ-%016" PRIx64 ".json", moment,
                   now.tv_nsec / 1000, hash_of(json));
}

static extfn_status write_record(cli_recorder *recorder, const extfn_failure *failure,
                                 extfn_error *err)
{
    CLI_AUTO(extfn_record_clear) extfn_record record = {0};
    CLI_AUTO(cli_text_clear) char *json = NULL;
    CLI_TRY(extfn_record_make(recorder->host, failure, &record, err));
    CLI_TRY(extfn_record_to_json(&record, &json, err));
    make_name(json, recorder->name, sizeof(recorder->name));
    return cli_record_write(recorder->directory_fd, recorder->name, json, strlen(json), err);
}

/* ---- All of them ---- */

void cli_recorder_note(const extfn_failure *failure, void *context)
{
    cli_recorder *recorder = context;
    extfn_error problem = {0};
    if (recorder->written >= CLI_RECORDS_LIMIT) {
        recorder->left_out++;
        return;
    }
    if (write_record(recorder, failure, &problem) == EXTFN_OK) {
        recorder->written++;
        return;
    }
    recorder->left_out++;
    if (recorder->problem.status == EXTFN_OK)
        recorder->problem = problem;
}

void cli_recorder_close(cli_recorder *recorder)
{
    if (recorder->directory_fd < 0)
        return;
    (void)close(recorder->directory_fd);
    if (recorder->written == 1) {
        (void)fprintf(stderr, "extfn: recorded %s/%s\n", recorder->path, recorder->name);
    } else if (recorder->written > 1) {
        (void)fprintf(stderr, "extfn: recorded %zu failing calls in %s\n", recorder->written,
                      recorder->path);
    }
    if (recorder->left_out > 0) {
        (void)fprintf(stderr, "extfn: left %zu failing call%s unrecorded\n", recorder->left_out,
                      recorder->left_out == 1 ? "" : "s");
    }
    if (recorder->problem.status != EXTFN_OK)
        cli_warn(recorder->problem.message);
    *recorder = (cli_recorder)CLI_RECORDER_CLOSED;
}
