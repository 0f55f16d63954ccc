/* extfn rpc: a JSON request a line in, a reply a line out. SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/session.h"
#include "cli/tell.h"

#include <extfn/rpc.h>

#include <string.h>

typedef struct conversation {
    cli_session session;
    extfn_registry *registry;
    cli_output output;
    cli_buf line; /* begun and not ended */
} conversation;

static void conversation_clear(conversation *talk)
{
    cli_session_close(&talk->session);
    extfn_registry_free(talk->registry);
    cli_output_close(&talk->output);
    cli_buf_clear(&talk->line);
}

static void warn_of(const char *path, const extfn_error *problem, void *context)
{
    (void)context;
    cli_warn_of_file(path, problem);
}

/* A function file that changed is read again. Where even that fails, the functions stay what they
 * were. */
static void refresh(const conversation *talk)
{
    extfn_error problem = {0};
    if (talk->registry &&
        extfn_registry_refresh(talk->registry, warn_of, NULL, &problem) != EXTFN_OK)
        cli_warn(problem.message);
}

static extfn_status answer(conversation *talk, extfn_error *err)
{
    refresh(talk);
    CLI_AUTO(cli_text_clear) char *reply = NULL;
    size_t size = 0;
    extfn_call_options options = cli_session_call(&talk->session);
    options.output = NULL;
    CLI_TRY(extfn_rpc_answer(talk->session.host, talk->registry, talk->line.data, talk->line.size,
                             &options, &reply, &size, err));
    talk->line.size = 0;
    CLI_TRY(cli_output_write(&talk->output, reply, size, err));
    CLI_TRY(cli_output_write(&talk->output, "\n", 1, err));
    return cli_output_flush(&talk->output, err);
}

/* A line keeps one byte more than the limit, so that the answer is that it is too long. */
static extfn_status keep(conversation *talk, const char *data, size_t size, extfn_error *err)
{
    size_t room = (size_t)EXTFN_RPC_LINE_LIMIT + 1 - talk->line.size;
    return cli_buf_append(&talk->line, data, size < room ? size : room, err);
}

static extfn_status take(conversation *talk, const char *data, size_t size, extfn_error *err)
{
    while (size > 0) {
        const char *end = memchr(data, '\n', size);
        size_t part = end ? (size_t)(end - data) : size;
        CLI_TRY(keep(talk, data, part, err));
        if (end)
            CLI_TRY(answer(talk, err));
        part += end ? 1 : 0;
        data += part;
        size -= part;
    }
    return EXTFN_OK;
}

static extfn_status converse(conversation *talk, const cli_input *input, extfn_error *err)
{
    for (;;) {
        char chunk[8192];
        size_t size = 0;
        CLI_TRY(cli_input_read(input, chunk, sizeof(chunk), &size, err));
        if (size == 0)
            return talk->line.size > 0 ? answer(talk, err) : EXTFN_OK;
        CLI_TRY(take(talk, chunk, size, err));
    }
}

extfn_status cli_cmd_rpc(const cli_options *options, extfn_error *err)
{
    CLI_AUTO(conversation_clear)
    conversation talk = {.session = CLI_SESSION_CLOSED, .output = CLI_STDOUT};
    if (options->operand_count > 0)
        CLI_TRY(cli_library_open(options->operands[0], warn_of, NULL, &talk.registry, err));
    CLI_TRY(cli_session_open(options, &talk.session, err));
    cli_input input = {0};
    CLI_TRY(cli_input_open("-", &input, err));
    return converse(&talk, &input, err);
}
