/* Files and streams in and out; an output file appears whole or not at all.
 * SPDX-License-Identifier: MIT */
#ifndef XF_CLI_IO_H
#define XF_CLI_IO_H

#include "cli/buf.h"

#include <sys/types.h>

typedef struct cli_input {
    int fd;
    bool is_owned;
    const char *label; /* for messages */
} cli_input;

/* `-` is stdin. The path must outlive the input. */
EXTFN_MUST_CHECK extfn_status cli_input_open(const char *path, cli_input *ret_input,
                                             extfn_error *err);
void cli_input_close(cli_input *input);

/* Up to `size` bytes; 0 at the end. */
EXTFN_MUST_CHECK extfn_status cli_input_read(const cli_input *input, char *ret_data, size_t size,
                                             size_t *ret_size, extfn_error *err);

/* All of it; EXTFN_EINVAL beyond the limit. */
EXTFN_MUST_CHECK extfn_status cli_input_read_all(const cli_input *input, size_t limit,
                                                 cli_buf *ret_text, extfn_error *err);

/* Starts as `= CLI_STDOUT`, or by cli_output_create. */
typedef struct cli_output {
    int fd;
    int directory_fd; /* of the file to appear, or -1 */
    const char *label;
    cli_buf pending;
    char name[256];      /* in the directory */
    char temporary[256]; /* empty: it has no name, so nothing is to be removed */
} cli_output;

#define CLI_STDOUT                                                                                 \
    {                                                                                              \
        .fd = 1, .directory_fd = -1, .label = "stdout"                                             \
    }

/* Writes to a new file, without a name where there can be such, else beside `path`, which
 * cli_output_commit puts in its place. What is no regular file (a device, a pipe) is written
 * directly. The path must outlive the output. */
EXTFN_MUST_CHECK extfn_status cli_output_create(const char *path, cli_output *ret_output,
                                                extfn_error *err);
EXTFN_MUST_CHECK extfn_status cli_output_write(cli_output *output, const void *data, size_t size,
                                               extfn_error *err);
EXTFN_MUST_CHECK extfn_status cli_output_write_text(cli_output *output, const char *text,
                                                    extfn_error *err);
EXTFN_MUST_CHECK extfn_status cli_output_flush(cli_output *output, extfn_error *err);
EXTFN_MUST_CHECK extfn_status cli_output_commit(cli_output *output, extfn_error *err);

/* Removes what was not committed. */
void cli_output_close(cli_output *output);

/* Makes sure that descriptors 0 to 2 are taken, so that no file of ours becomes stdout. */
void cli_io_hold_standard_descriptors(void);

#endif
