/* The line that tells how far it is. SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_MS 100

static int64_t now_ms(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void cli_progress_start(cli_progress *progress, const char *output)
{
    bool is_stdout = !output || strcmp(output, "-") == 0;
    bool has_rows = is_stdout && isatty(STDOUT_FILENO) == 1;
    *progress = (cli_progress){.is_terminal = isatty(STDERR_FILENO) == 1 && !has_rows};
}

void cli_progress_rows(int64_t rows_done, int64_t rows_total, void *context)
{
    (void)rows_total;
    cli_progress *progress = context;
    int64_t now = progress->is_terminal ? now_ms() : 0;
    if (!progress->is_terminal || now - progress->shown_ms < PERIOD_MS)
        return;
    progress->shown_ms = now;
    progress->is_shown = true;
    (void)fprintf(stderr, "\rextfn: %" PRId64 " rows", progress->rows_before + rows_done);
    (void)fflush(stderr);
}

void cli_progress_hide(cli_progress *progress)
{
    if (progress->is_shown)
        (void)fputs("\r\033[K", stderr);
    progress->is_shown = false;
}
