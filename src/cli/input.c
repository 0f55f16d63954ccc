/* Reading files and stdin. SPDX-License-Identifier: MIT */
#include "cli/io.h"

#include "cli/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

void cli_io_hold_standard_descriptors(void)
{
    /* Opened the wrong way round, so that using a closed stream fails as it should. */
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", modes[fd]); // NOLINT(android-cloexec-open)
    }
}

extfn_status cli_input_open(const char *path, cli_input *ret_input, extfn_error *err)
{
    if (strcmp(path, "-") == 0) {
        *ret_input = (cli_input){.fd = STDIN_FILENO, .label = "stdin"};
        return EXTFN_OK;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cli_fail_os(err, errno, "open", path);
    *ret_input = (cli_input){.fd = fd, .is_owned = true, .label = path};
    return EXTFN_OK;
}

void cli_input_close(cli_input *input)
{
    if (input->is_owned)
        (void)close(input->fd);
    input->is_owned = false;
}

extfn_status cli_input_read(const cli_input *input, char *ret_data, size_t size, size_t *ret_size,
                            extfn_error *err)
{
    for (;;) {
        CLI_TRY(cli_interrupt_wait(input->fd, POLLIN, err));
        ssize_t got = read(input->fd, ret_data, size);
        if (got >= 0) {
            *ret_size = (size_t)got;
            return EXTFN_OK;
        }
        if (errno != EINTR && errno != EAGAIN)
            return cli_fail_os(err, errno, "read", input->label);
    }
}

extfn_status cli_input_read_all(const cli_input *input, size_t limit, cli_buf *ret_text,
                                extfn_error *err)
{
    char chunk[8192];
    for (;;) {
        size_t size = 0;
        CLI_TRY(cli_input_read(input, chunk, sizeof(chunk), &size, err));
        if (size > limit - ret_text->size) {
            return cli_fail(err, EXTFN_EINVAL, "'%s' is longer than %zu bytes", input->label,
                            limit);
        }
        CLI_TRY(cli_buf_append(ret_text, chunk, size, err));
        if (size == 0)
            return EXTFN_OK;
    }
}
