/* extfn replay: recorded calls once more. SPDX-License-Identifier: MIT */
#include "cli/alloc.h"
#include "cli/commands.h"
#include "cli/io.h"
#include "cli/replay.h"
#include "cli/tell.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct replays {
    const cli_options *options;
    cli_output output;
    size_t done;
    size_t different;
    size_t bad; /* no records */
} replays;

static void replays_clear(replays *run)
{
    cli_output_close(&run->output);
}

/* ---- One record ---- */

static extfn_status write_buf(replays *run, const cli_buf *buf, extfn_error *err)
{
    CLI_TRY(cli_output_write(&run->output, buf->data, buf->size, err));
    return cli_output_flush(&run->output, err);
}

static extfn_status tell_bad(replays *run, const char *path, const extfn_error *problem,
                             extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    bool is_json = run->options->is_json;
    run->bad++;
    CLI_TRY(cli_buf_append_text(&buf, is_json ? "{\"path\":" : "", err));
    CLI_TRY(is_json ? cli_buf_append_json(&buf, path, strlen(path), err)
                    : cli_buf_append_plain(&buf, path, strlen(path), err));
    CLI_TRY(cli_buf_append_text(&buf, is_json ? ",\"error\":" : ": no record: ", err));
    CLI_TRY(is_json ? cli_append_error_json(&buf, problem, err)
                    : cli_buf_append_plain(&buf, problem->message, strlen(problem->message), err));
    CLI_TRY(cli_buf_append_text(&buf, is_json ? "}\n" : "\n", err));
    return write_buf(run, &buf, err);
}

static extfn_status replay(replays *run, const char *path, const extfn_record *record,
                           extfn_error *err)
{
    CLI_AUTO(cli_session_close) cli_session session = CLI_SESSION_CLOSED;
    CLI_TRY(cli_session_open_for(run->options, record, &session, err));
    CLI_AUTO(cli_replay_clear) cli_replay again = {0};
    CLI_TRY(cli_replay_run(&session, record, &again, err));
    run->different += !again.is_same;
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    CLI_TRY(run->options->is_json
                ? cli_replay_append_json(&buf, path, record, &again, err)
                : cli_replay_append_text(&buf, path, record, &again, &session, err));
    return write_buf(run, &buf, err);
}

static extfn_status read_record(const char *path, extfn_record *ret_record, extfn_error *err)
{
    CLI_AUTO(cli_input_close) cli_input input = {0};
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    CLI_TRY(cli_input_open(path, &input, err));
    CLI_TRY(cli_input_read_all(&input, EXTFN_RECORD_LIMIT, &text, err));
    return extfn_record_from_json(text.data, text.size, ret_record, err);
}

static extfn_status replay_file(replays *run, const char *path, extfn_error *err)
{
    CLI_AUTO(extfn_record_clear) extfn_record record = {0};
    extfn_error problem = {0};
    extfn_status status = read_record(path, &record, &problem);
    run->done++;
    if (status == EXTFN_EINVAL)
        return tell_bad(run, path, &problem, err);
    if (status != EXTFN_OK) {
        *err = problem;
        return status;
    }
    return replay(run, path, &record, err);
}

/* ---- Folders ---- */

static int is_record_name(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);
    return entry->d_name[0] != '.' && size > 5 && strcmp(entry->d_name + size - 5, ".json") == 0;
}

static extfn_status replay_entry(replays *run, const char *folder, const char *name,
                                 extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf path = {0};
    struct stat info;
    CLI_TRY(cli_buf_append_text(&path, folder, err));
    CLI_TRY(cli_buf_append_text(&path, folder[strlen(folder) - 1] == '/' ? "" : "/", err));
    CLI_TRY(cli_buf_append_text(&path, name, err));
    if (stat(path.data, &info) != 0 || !S_ISREG(info.st_mode))
        return EXTFN_OK;
    return replay_file(run, path.data, err);
}

/* By name, which is by time. */
static extfn_status replay_folder(replays *run, const char *folder, extfn_error *err)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_record_name, alphasort);
    if (count < 0)
        return cli_fail_os(err, errno, "read", folder);
    size_t before = run->done;
    extfn_status status = EXTFN_OK;
    for (int i = 0; i < count; i++) {
        if (status == EXTFN_OK)
            status = replay_entry(run, folder, entries[i]->d_name, err);
        cli_free(entries[i]);
    }
    cli_free(entries);
    CLI_TRY(status);
    return run->done > before ? EXTFN_OK
                              : cli_fail(err, EXTFN_EINVAL,
                                         "no records in %s; their names end in "
                                         ".json",
                                         folder);
}

extfn_status cli_cmd_replay(const cli_options *options, extfn_error *err)
{
    CLI_AUTO(replays_clear) replays run = {.options = options, .output = CLI_STDOUT};
    for (size_t i = 0; i < options->operand_count; i++) {
        const char *path = options->operands[i];
        struct stat info;
        bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
        CLI_TRY(is_folder ? replay_folder(&run, path, err) : replay_file(&run, path, err));
    }
    if (run.bad > 0)
        return cli_fail(err, EXTFN_EINVAL, "%zu of %zu files are no records; see above", run.bad,
                        run.done);
    if (run.different > 0)
        return cli_fail(err, EXTFN_ERUNTIME, "%zu of %zu calls had another outcome; see above",
                        run.different, run.done);
    return EXTFN_OK;
}
