/* The outcome of one call as text or JSON. SPDX-License-Identifier: MIT */
#include "cli/result.h"

#include "cli/cost.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/tell.h"

static extfn_status append_stream(cli_buf *buf, const char *head, const char *data, size_t size,
                                  extfn_error *err)
{
    if (size == 0)
        return EXTFN_OK;
    CLI_TRY(cli_buf_append_text(buf, head, err));
    return cli_buf_append_json(buf, data, size, err);
}

static extfn_status append_receipt(cli_buf *buf, const extfn_receipt *receipt, extfn_error *err)
{
    if (!receipt)
        return EXTFN_OK;
    CLI_AUTO(cli_text_clear) char *json = NULL;
    CLI_TRY(extfn_receipt_to_json(receipt, &json, err));
    CLI_TRY(cli_buf_append_text(buf, ",\"cost\":", err));
    return cli_buf_append_text(buf, json, err);
}

static extfn_status append_value(cli_buf *buf, const extfn_value *value, extfn_error *err)
{
    CLI_AUTO(cli_text_clear) char *json = NULL;
    CLI_TRY(extfn_value_to_json(value, &json, err));
    CLI_TRY(cli_buf_append_text(buf, "{\"ok\":", err));
    return cli_buf_append_text(buf, json, err);
}

extfn_status cli_append_outcome_json(cli_buf *buf, const cli_outcome_of_call *outcome,
                                     extfn_error *err)
{
    const extfn_output *output = outcome->output;
    if (outcome->failure->status != EXTFN_OK) {
        CLI_TRY(cli_buf_append_text(buf, "{\"error\":", err));
        CLI_TRY(cli_append_error_json(buf, outcome->failure, err));
    } else {
        CLI_TRY(append_value(buf, outcome->value, err));
    }
    CLI_TRY(append_stream(buf, ",\"stdout\":", output->stdout_data, output->stdout_size, err));
    CLI_TRY(append_stream(buf, ",\"stderr\":", output->stderr_data, output->stderr_size, err));
    CLI_TRY(append_receipt(buf, outcome->receipt, err));
    if (output->is_unsandboxed)
        CLI_TRY(cli_buf_append_text(buf, ",\"unsandboxed\":true", err));
    return cli_buf_append_text(buf, "}", err);
}

static extfn_status write_line(const char *data, size_t size, extfn_error *err)
{
    CLI_AUTO(cli_output_close) cli_output output = CLI_STDOUT;
    CLI_TRY(cli_output_write(&output, data, size, err));
    CLI_TRY(cli_output_write(&output, "\n", 1, err));
    return cli_output_flush(&output, err);
}

static extfn_status write_json(const cli_outcome_of_call *outcome, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    CLI_TRY(cli_append_outcome_json(&line, outcome, err));
    return write_line(line.data, line.size, err);
}

static extfn_status write_text(const extfn_value *value, extfn_error *err)
{
    CLI_AUTO(cli_text_clear) char *text = NULL;
    size_t size = 0;
    CLI_TRY(extfn_value_format(value, &text, &size, err));
    return write_line(text, size, err);
}

extfn_status cli_result_of_failure(const cli_options *options, const extfn_error *failure,
                                   extfn_error *err)
{
    if (!options->is_json) {
        *err = *failure;
        return failure->status;
    }
    const extfn_output nothing = {0};
    const cli_outcome_of_call outcome = {.failure = failure, .output = &nothing};
    CLI_TRY(write_json(&outcome, err));
    *err = (extfn_error){.status = failure->status};
    return failure->status;
}

static extfn_status call(cli_session *session, extfn_function *function, const char *const *words,
                         size_t count, extfn_value *ret_value, extfn_error *err)
{
    CLI_AUTO(cli_arguments_clear) cli_arguments arguments = {0};
    CLI_TRY(cli_arguments_read(function, words, count, &arguments, err));
    extfn_call_options options = cli_session_call(session);
    return extfn_host_eval(session->host, function, arguments.values, arguments.count, &options,
                           ret_value, err);
}

static extfn_status call_and_write(const cli_options *options, extfn_function *function,
                                   const char *const *words, size_t count, extfn_error *err)
{
    CLI_AUTO(cli_session_close) cli_session session = CLI_SESSION_CLOSED;
    CLI_TRY(cli_session_open(options, &session, err));
    CLI_AUTO(extfn_value_clear) extfn_value value = {0};
    extfn_error failure = {0};
    extfn_status status = call(&session, function, words, count, &value, &failure);
    failure.status = status;
    if (options->is_json) {
        const cli_outcome_of_call outcome = {.value = &value,
                                             .failure = &failure,
                                             .output = &session.output,
                                             .receipt =
                                                 options->is_cost_told ? &session.receipt : NULL};
        CLI_TRY(write_json(&outcome, err));
        *err = (extfn_error){.status = status}; /* it is told */
        return status;
    }
    cli_session_show_output(&session);
    cli_cost_tell(&session.receipt);
    if (status == EXTFN_OK)
        return write_text(&value, err);
    *err = failure;
    return status;
}

extfn_status cli_result_of_call(const cli_options *options, extfn_function *function,
                                const char *const *words, size_t count, extfn_error *err)
{
    extfn_status status = call_and_write(options, function, words, count, err);
    return status == EXTFN_ERUNTIME ? cli_tell_function(function, err) : status;
}
