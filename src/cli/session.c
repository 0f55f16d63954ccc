/* The host object of this run. SPDX-License-Identifier: MIT */
#include "cli/session.h"

#include "cli/interrupt.h"
#include "cli/tell.h"

#include <stdio.h>

/* The library's own defaults, set here so that `doctor` shows what is in force. */
static const extfn_record usual = {
    .timeout_us = 5000000,
    .start_timeout_us = 30000000,
    .memory_bytes = UINT64_C(1) << 30,
    .tmp_bytes = UINT64_C(64) << 20,
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A record may come from anybody: more room than usual takes the operator's word. */
static void set_limits(const cli_options *options, const extfn_record *record,
                       extfn_host_options *limits)
{
    limits->timeout_us = options->timeout_us ? options->timeout_us : record->timeout_us;
    limits->start_timeout_us = record->start_timeout_us;
    limits->memory_bytes = options->memory_bytes
                               ? options->memory_bytes
                               : smaller(record->memory_bytes, usual.memory_bytes);
    limits->workers = options->workers;
    limits->workers_memory_bytes = options->workers_memory_bytes;
    limits->memo_bytes = options->memo_bytes;
    limits->tmp_bytes = smaller(record->tmp_bytes, usual.tmp_bytes);
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        if (options->interpreters[i].size > 0)
            limits->interpreters[i] = options->interpreters[i].data;
        if (options->packages[i].size > 0)
            limits->packages[i] = options->packages[i].data;
    }
}

extfn_status cli_session_open(const cli_options *options, cli_session *session, extfn_error *err)
{
    return cli_session_open_for(options, &usual, session, err);
}

extfn_status cli_session_open_for(const cli_options *options, const extfn_record *record,
                                  cli_session *session, extfn_error *err)
{
    extfn_host_options_from_environment(&session->limits);
    set_limits(options, record, &session->limits);
    session->is_cost_told = options->is_cost_told;
    CLI_TRY(extfn_cancel_new(&session->cancel, err));
    cli_interrupt_set_cancel(session->cancel);
    CLI_TRY(extfn_host_new(&session->limits, &session->host, err));
    return options->record
               ? cli_recorder_open(options->record, session->host, &session->recorder, err)
               : EXTFN_OK;
}

void cli_session_close(cli_session *session)
{
    cli_interrupt_set_cancel(NULL);
    cli_recorder_close(&session->recorder);
    extfn_host_free(session->host);
    extfn_cancel_free(session->cancel);
    extfn_output_clear(&session->output);
    *session = (cli_session)CLI_SESSION_CLOSED;
}

extfn_call_options cli_session_call(cli_session *session)
{
    session->receipt = (extfn_receipt){.struct_size = sizeof(session->receipt)};
    return (extfn_call_options){.struct_size = sizeof(extfn_call_options),
                                .cancel = session->cancel,
                                .output = &session->output,
                                .receipt = session->is_cost_told ? &session->receipt : NULL,
                                .on_failure =
                                    session->recorder.directory_fd >= 0 ? cli_recorder_note : NULL,
                                .failure_context = &session->recorder};
}

/* Whatever comes after it, an error above all, begins a line. */
static void show_stream(const char *data, size_t size)
{
    if (size == 0)
        return;
    (void)fwrite(data, 1, size, stderr);
    if (data[size - 1] != '\n')
        (void)fputc('\n', stderr);
}

void cli_session_show_output(cli_session *session)
{
    const extfn_output *output = &session->output;
    show_stream(output->stdout_data, output->stdout_size);
    show_stream(output->stderr_data, output->stderr_size);
    if (output->is_unsandboxed && !session->has_warned) {
        cli_warn("ran without sandbox (IMPROV_EXTFN_ALLOW_UNSANDBOXED=1)");
        session->has_warned = true;
    }
    extfn_output_clear(&session->output);
}
