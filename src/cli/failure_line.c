#include "cli/failure_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last " (line N)" of the message: the library's own, which stands behind what a body says. */
static const char *find_line_mark(const char *message, long *ret_line, size_t *ret_size)
{
    static const char head[] = " (line ";
    const char *found = NULL;
    for (const char *at = strstr(message, head); at; at = strstr(at + 1, head)) {
        char *end = NULL;
        long line = strtol(at + sizeof(head) - 1, &end, 10);
        if (line <= 0 || *end != ')')
            continue;
        found = at;
        *ret_line = line;
        *ret_size = (size_t)(end + 1 - at);
    }
    return found;
}

long cli_failure_line(const char *message)
{
    long line = 0;
    size_t size = 0;
    (void)find_line_mark(message, &line, &size);
    return line;
}

extfn_status cli_place_failure(const char *path, extfn_error *failure, extfn_error *err)
{
    const char *message = failure->message;
    long line = 0;
    size_t size = 0;
    const char *mark = find_line_mark(message, &line, &size);
    char text[32] = ": ";
    if (mark)
        (void)snprintf(text, sizeof(text), ":%ld: ", line);
    CLI_AUTO(cli_buf_clear) cli_buf placed = {0};
    CLI_TRY(cli_buf_append_text(&placed, path, err));
    CLI_TRY(cli_buf_append_text(&placed, text, err));
    CLI_TRY(
        cli_buf_append(&placed, message, mark ? (size_t)(mark - message) : strlen(message), err));
    CLI_TRY(cli_buf_append_text(&placed, mark ? mark + size : "", err));
    (void)snprintf(failure->message, sizeof(failure->message), "%s", placed.data);
    return EXTFN_OK;
}
