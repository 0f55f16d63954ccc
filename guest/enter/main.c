/* extfn-enter: the first program inside the sandbox. It takes away what an interpreter does not
 * need, says that it is ready, starts the interpreter, stays its parent and reports its raw wait
 * status: bubblewrap's own exit status is ambiguous. Called as `sh` it only fails, for interpreters
 * that want a shell to be there (R). SPDX-License-Identifier: MIT */
#include "guest/common/process.h"
#include "guest/enter/options.h"
#include "guest/enter/run.h"

#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define EXIT_STUB 1
#define EXIT_USAGE 2

/* Soft and hard, never above what is in force. */
static bool set_limits(const xf_enter_options *options)
{
    for (size_t i = 0; i < XF_ENTER_LIMITS; i++) {
        const xf_enter_limit *limit = &options->limits[i];
        if (!limit->is_set)
            continue;
        __rlimit_resource_t resource = (__rlimit_resource_t)limit->resource;
        struct rlimit now;
        if (getrlimit(resource, &now) != 0)
            return false;
        now.rlim_max = limit->value < now.rlim_max ? limit->value : now.rlim_max;
        now.rlim_cur = now.rlim_max;
        if (setrlimit(resource, &now) != 0)
            return false;
    }
    return true;
}

static bool confine(const xf_enter_options *options)
{
    return options->is_trusted ||
           (set_limits(options) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
}

static void close_files(int first_fd)
{
    for (int fd = first_fd; fd < XF_FD_STATUS; fd++)
        (void)close(fd);
    xf_close_from(first_fd > XF_FD_STATUS ? first_fd : XF_FD_STATUS + 1);
    xf_close_on_exec(XF_FD_STATUS, XF_FD_STATUS);
}

int main(int argc, char **argv)
{
    if (argc > 0 && xf_is_called(argv[0], "sh"))
        return EXIT_STUB;
    xf_enter_options options;
    const char *problem = xf_enter_options_read(argc, argv, &options);
    if (problem) {
        (void)fprintf(stderr, "extfn-enter: %s\n", problem);
        return EXIT_USAGE;
    }
    xf_signals_default();
    xf_signals_block();
    close_files(options.first_fd);
    if (!confine(&options)) {
        (void)fprintf(stderr, "extfn-enter: cannot confine the process: errno %d\n", errno);
        return EXIT_USAGE;
    }
    const xf_enter_ready ready = {.magic = XF_WIRE_MAGIC, .version = XF_WIRE_VERSION};
    if (!xf_write(XF_FD_STATUS, &ready, sizeof(ready)))
        return EXIT_USAGE;
    const xf_enter_exit end = xf_run(options.program);
    return xf_write(XF_FD_STATUS, &end, sizeof(end)) ? 0 : EXIT_USAGE;
}
