/* extfn-enter: the first program inside the sandbox. It takes away what an interpreter does not
 * need, says that it is ready, starts the interpreter, stays its parent and reports its raw wait
 * status: bubblewrap's own exit status is ambiguous. Called as `sh` it only fails, for interpreters
 * that want a shell to be there (R). SPDX-License-Identifier: MIT */
#include "base/kernel.h"
#include "guest/common/process.h"
#include "guest/enter/filter.h"
#include "guest/enter/landlock.h"
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

/* Loads the first filter where bubblewrap could not, and believes neither of them. */
static const char *check_filter(const xf_enter_options *options, xf_filter *filter)
{
    if (options->filter_fd && !xf_filter_load(filter))
        return "the kernel does not take the system call filter";
    if (!xf_filter_is_in_force())
        return "the system call filter is not in force";
    return xf_filter_kills() ? NULL : "the system call filter ends nobody";
}

/* NULL, or what could not be done. */
static const char *confine(const xf_enter_options *options, xf_filter *filter, const char *own_path,
                           xf_landlock *ret_landlock)
{
    *ret_landlock = (xf_landlock){.fd = -1};
    if (options->is_trusted)
        return NULL;
    if (!set_limits(options) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return "the process cannot be limited";
    if (options->network != 0 && options->network == xf_kernel_network())
        return "the network is the host's";
    if (!xf_landlock_open(options->shown, options->program[0], own_path, ret_landlock))
        return "Landlock refuses its rules";
    return options->is_filtered ? check_filter(options, filter) : NULL;
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
    static xf_filter filter;
    if (options.filter_fd && !xf_filter_read(options.filter_fd, &filter))
        problem = "the system call filter cannot be read";
    close_files(options.first_fd);
    xf_landlock landlock;
    if (!problem)
        problem = confine(&options, &filter, argv[0], &landlock);
    if (problem) {
        (void)fprintf(stderr, "extfn-enter: %s: errno %d\n", problem, errno);
        return EXIT_USAGE;
    }
    const xf_enter_ready ready = {.magic = XF_WIRE_MAGIC,
                                  .version = XF_WIRE_VERSION,
                                  .layers = landlock.layers};
    if (!xf_write(XF_FD_STATUS, &ready, sizeof(ready)))
        return EXIT_USAGE;
    const xf_enter_exit end = xf_run(options.program, &landlock);
    return xf_write(XF_FD_STATUS, &end, sizeof(end)) ? 0 : EXIT_USAGE;
}
