/* extfn new: a first function file, with examples in it. SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/io.h"

#include "cli/first_jl.h"
#include "cli/first_pure.h"
#include "cli/first_py.h"
#include "cli/first_r.h"
#include "cli/first_wat.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_LIMIT 128
#define PLACEHOLDER "NAME"

typedef struct template
{
    const char *extension;
    const unsigned char *text; /* ends in a NUL */
}
template;

static const template templates[EXTFN_LANGUAGE_COUNT] = {
    [EXTFN_PYTHON] = {".py", first_py}, [EXTFN_R] = {".R", first_r},
    [EXTFN_JULIA] = {".jl", first_jl},  [EXTFN_PURE] = {".pure", first_pure},
    [EXTFN_WASM] = {".wat", first_wat},
};

static extfn_status check_name(const char *name, extfn_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t size = strlen(name);
    if (size == 0 || !strchr(letters, name[0]) || strspn(name, others) < size) {
        return cli_fail(err, EXTFN_EINVAL,
                        "'%s' is no name of a function; it takes letters, digits and '_'", name);
    }
    if (size > NAME_LIMIT)
        return cli_fail(err, EXTFN_EINVAL, "the name is longer than %d bytes", NAME_LIMIT);
    return EXTFN_OK;
}

static extfn_status fill(const char *text, const char *name, cli_buf *ret_text, extfn_error *err)
{
    for (const char *at = text; *at;) {
        const char *place = strstr(at, PLACEHOLDER);
        if (!place)
            return cli_buf_append_text(ret_text, at, err);
        CLI_TRY(cli_buf_append(ret_text, at, (size_t)(place - at), err));
        CLI_TRY(cli_buf_append_text(ret_text, name, err));
        at = place + strlen(PLACEHOLDER);
    }
    return EXTFN_OK;
}

static extfn_status join(const char *directory, const char *name, const char *extension,
                         cli_buf *ret_path, extfn_error *err)
{
    if (strcmp(directory, ".") != 0) {
        CLI_TRY(cli_buf_append_text(ret_path, directory, err));
        if (directory[0] && directory[strlen(directory) - 1] != '/')
            CLI_TRY(cli_buf_append_text(ret_path, "/", err));
    }
    CLI_TRY(cli_buf_append_text(ret_path, name, err));
    return cli_buf_append_text(ret_path, extension, err);
}

/* That is there already is as good. */
static extfn_status make_directory(const char *path, extfn_error *err)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return EXTFN_OK;
    return cli_fail_os(err, errno, "create the folder", path);
}

/* A new file, or none: what is there is never touched, whoever made it in between. */
static extfn_status write_new(const char *path, const cli_buf *text, extfn_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) {
        return cli_fail(err, EXTFN_EINVAL, "'%s' is there already; take another name or move it",
                        path);
    }
    if (fd < 0)
        return cli_fail_os(err, errno, "create", path);
    cli_output output = {.fd = fd, .directory_fd = -1, .label = path};
    extfn_status status = cli_output_write(&output, text->data, text->size, err);
    if (status == EXTFN_OK)
        status = cli_output_flush(&output, err);
    cli_output_close(&output);
    if (status != EXTFN_OK)
        (void)unlink(path);
    return status;
}

static extfn_status tell(const cli_options *options, const cli_buf *path, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf line = {0};
    if (options->is_json) {
        CLI_TRY(cli_buf_append_text(&line, "{\"file\":", err));
        CLI_TRY(cli_buf_append_json(&line, path->data, path->size, err));
        CLI_TRY(cli_buf_append_text(&line, "}", err));
    } else {
        CLI_TRY(cli_buf_append(&line, path->data, path->size, err));
    }
    CLI_TRY(cli_buf_append_text(&line, "\n", err));
    CLI_AUTO(cli_output_close) cli_output output = CLI_STDOUT;
    CLI_TRY(cli_output_write(&output, line.data, line.size, err));
    return cli_output_flush(&output, err);
}

extfn_status cli_cmd_new(const cli_options *options, extfn_error *err)
{
    extfn_language language = EXTFN_PYTHON;
    CLI_TRY(extfn_language_parse(options->operands[0], &language, err));
    const char *name = options->operands[1];
    CLI_TRY(check_name(name, err));
    const template *form = &templates[language];
    const char *directory = options->operand_count > 2 ? options->operands[2] : ".";
    CLI_AUTO(cli_buf_clear) cli_buf path = {0};
    CLI_TRY(join(directory, name, form->extension, &path, err));
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    CLI_TRY(fill((const char *)form->text, name, &text, err));
    CLI_TRY(make_directory(directory, err));
    CLI_TRY(write_new(path.data, &text, err));
    return tell(options, &path, err);
}
