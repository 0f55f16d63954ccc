#include "cli/apply_end.h"

#include "cli/cost.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/tell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

extfn_status cli_apply_check_format(const char *path, extfn_error *err)
{
    static const char *const others[] = {".parquet", ".arrow", ".feather"};
    size_t size = strlen(path);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        size_t end = strlen(others[i]);
        if (size >= end && strcasecmp(path + size - end, others[i]) == 0) {
            return cli_fail(err, EXTFN_EINVAL,
                            "'%s' is no CSV file; extfn's Python package reads and writes Arrow "
                            "and Parquet (docs/python.md)",
                            path);
        }
    }
    return EXTFN_OK;
}

extfn_status cli_apply_check(const cli_options *options, extfn_error *err)
{
    for (size_t i = 2; i < options->operand_count; i++)
        CLI_TRY(cli_apply_check_format(options->operands[i], err));
    if (options->output)
        CLI_TRY(cli_apply_check_format(options->output, err));
    if (options->is_json && (!options->output || strcmp(options->output, "-") == 0)) {
        return cli_fail(err, EXTFN_EINVAL,
                        "with --json stdout tells of the table; write the table itself to a file "
                        "with -o FILE");
    }
    return EXTFN_OK;
}

static extfn_status write_line(cli_buf *line, extfn_error *err)
{
    CLI_AUTO(cli_output_close) cli_output output = CLI_STDOUT;
    CLI_TRY(cli_buf_append_text(line, "}\n", err));
    CLI_TRY(cli_output_write(&output, line->data, line->size, err));
    return cli_output_flush(&output, err);
}

static extfn_status append_member(cli_buf *buf, const char *head, const char *text,
                                  extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, head, err));
    return cli_buf_append_json(buf, text, strlen(text), err);
}

static extfn_status write_json(const cli_applied *done, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    char counts[80];
    (void)snprintf(counts, sizeof(counts), ",\"rows\":%" PRId64 ",\"failed\":%" PRId64, done->rows,
                   done->failed);
    CLI_TRY(append_member(&line, "{\"file\":", done->options->output, err));
    CLI_TRY(append_member(&line, ",\"column\":", done->column, err));
    CLI_TRY(append_member(&line, ",\"error_column\":", done->error_column, err));
    CLI_TRY(cli_buf_append_text(&line, counts, err));
    if (done->options->is_cost_told) {
        CLI_AUTO(cli_text_clear) char *cost = NULL;
        CLI_TRY(extfn_receipt_to_json(done->cost, &cost, err));
        CLI_TRY(cli_buf_append_text(&line, ",\"cost\":", err));
        CLI_TRY(cli_buf_append_text(&line, cost, err));
    }
    return write_line(&line, err);
}

extfn_status cli_apply_end(const cli_applied *done, extfn_error *err)
{
    if (done->options->is_json)
        CLI_TRY(write_json(done, err));
    else
        cli_cost_tell(done->cost);
    if (done->failed == 0 || done->options->is_keeping_going)
        return EXTFN_OK;
    if (done->options->is_json) {
        err->message[0] = '\0'; /* it may have one that somebody ignored */
        return EXTFN_ERUNTIME;
    }
    return cli_fail(err, EXTFN_ERUNTIME, "%lld of %lld rows failed; see column %s",
                    (long long)done->failed, (long long)done->rows, done->error_column);
}

extfn_status cli_apply_fail(const cli_options *options, const extfn_function *function,
                            extfn_status status, extfn_error *err)
{
    if (!options->is_json)
        return status == EXTFN_ERUNTIME ? cli_tell_function(function, err) : status;
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    extfn_error failure = *err;
    failure.status = status;
    CLI_TRY(cli_buf_append_text(&line, "{\"error\":", err));
    CLI_TRY(cli_append_error_json(&line, &failure, err));
    CLI_TRY(write_line(&line, err));
    err->message[0] = '\0';
    return status;
}
