#include "os/spawn.h"

#include "base/auto.h"
#include "base/buf.h"
#include "base/clock.h"
#include "os/fd.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* The child's end is the end of both its streams and then of itself, seen through a pidfd, so that
 * one poll waits for everything. */
enum { STDOUT, STDERR, EXIT, SOURCE_COUNT };

#define COMPLAINT_LIMIT 256

typedef struct question {
    pid_t pid;
    int fds[SOURCE_COUNT]; /* -1 once ended */
    xf_buf answer;
    char complaint[COMPLAINT_LIMIT]; /* start of stderr, for the message */
    size_t complaint_size;
} question;

static void close_source(int *fd)
{
    xf_cleanup_close(fd);
    *fd = -1;
}

static void question_clear(question *asked)
{
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        close_source(&asked->fds[i]);
    if (asked->pid > 0) {
        (void)kill(-asked->pid, SIGKILL);
        xf_child_reap(asked->pid);
    }
    xf_buf_clear(&asked->answer);
}

/* posix_spawn's prototype lacks a const; it does not write. */
static char *const *as_words(const char *const words[])
{
    union {
        const char *const *given;
        char *const *wanted;
    } cast = {.given = words};
    return cast.wanted;
}

/* Where SIGCHLD is ignored, a child that has ended is gone at once. */
static extfn_status watch_exit(question *asked, extfn_error *err)
{
    extfn_error failure = {0};
    extfn_status status = xf_pidfd_open(asked->pid, &asked->fds[EXIT], &failure);
    if (status == EXTFN_OK || failure.os_errno == ESRCH)
        return EXTFN_OK;
    return xf_fail_os(err, failure.os_errno, "open a pidfd");
}

static extfn_status start(question *asked, const char *const argv[], const char *const env[],
                          extfn_error *err)
{
    XF_AUTO_CLOSE int in_read = -1;
    XF_AUTO_CLOSE int in_write = -1;
    XF_AUTO_CLOSE int out_write = -1;
    XF_AUTO_CLOSE int err_write = -1;
    XF_TRY(xf_pipe_open(&in_read, &in_write, err));
    XF_TRY(xf_pipe_open(&asked->fds[STDOUT], &out_write, err));
    XF_TRY(xf_pipe_open(&asked->fds[STDERR], &err_write, err));
    const int fds[] = {in_read, out_write, err_write};
    XF_TRY(xf_spawn(argv[0], as_words(argv), as_words(env), fds, 3, &asked->pid, err));
    return watch_exit(asked, err);
}

static extfn_status take(question *asked, int source, const char *data, size_t size,
                         extfn_error *err)
{
    if (source == STDOUT)
        return xf_buf_append(&asked->answer, data, size, err);
    size_t room = sizeof(asked->complaint) - 1 - asked->complaint_size;
    size_t kept = size < room ? size : room;
    memcpy(asked->complaint + asked->complaint_size, data, kept);
    asked->complaint_size += kept;
    return EXTFN_OK;
}

static extfn_status read_source(question *asked, int source, extfn_error *err)
{
    char data[4096];
    ssize_t size = read(asked->fds[source], data, sizeof(data));
    if (size < 0)
        return errno == EINTR ? EXTFN_OK : xf_fail_os(err, errno, "read an answer");
    if (size == 0) {
        close_source(&asked->fds[source]);
        return EXTFN_OK;
    }
    return take(asked, source, data, (size_t)size, err);
}

static bool is_over(const question *asked)
{
    return asked->fds[STDOUT] < 0 && asked->fds[STDERR] < 0 && asked->fds[EXIT] < 0;
}

static extfn_status step(question *asked, int64_t left_us, extfn_error *err)
{
    struct pollfd polled[SOURCE_COUNT];
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        polled[i] = (struct pollfd){.fd = asked->fds[i], .events = POLLIN};
    struct timespec wait = {.tv_sec = left_us / 1000000, .tv_nsec = left_us % 1000000 * 1000};
    int ready = ppoll(polled, SOURCE_COUNT, &wait, NULL);
    if (ready < 0 && errno != EINTR)
        return xf_fail_os(err, errno, "wait for an answer");
    if (ready <= 0)
        return EXTFN_OK;
    for (int i = 0; i < EXIT; i++) {
        if (polled[i].revents)
            XF_TRY(read_source(asked, i, err));
    }
    if (polled[EXIT].revents)
        close_source(&asked->fds[EXIT]);
    return EXTFN_OK;
}

static extfn_status listen_until(question *asked, int64_t deadline, extfn_error *err)
{
    while (!is_over(asked)) {
        int64_t left_us = deadline - xf_clock_now();
        if (left_us <= 0)
            return xf_fail(err, EXTFN_EIO, "gave no answer in time");
        XF_TRY(step(asked, left_us, err));
    }
    return EXTFN_OK;
}

/* A status that the kernel or the host took away counts as success: the answer itself is checked by
 * the caller. */
static extfn_status check_status(question *asked, extfn_error *err)
{
    int status = 0;
    pid_t pid = asked->pid;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    asked->pid = 0;
    if (status == 0)
        return EXTFN_OK;
    asked->complaint[strcspn(asked->complaint, "\n")] = 0;
    const char *said = asked->complaint[0] ? asked->complaint : "nothing on stderr";
    if (WIFSIGNALED(status))
        return xf_fail(err, EXTFN_EIO, "died of signal %d: %s", WTERMSIG(status), said);
    return xf_fail(err, EXTFN_EIO, "exit status %d: %s", WEXITSTATUS(status), said);
}

extfn_status xf_ask(const char *const argv[], const char *const env[], int64_t timeout_us,
                    size_t limit, char **ret_stdout, extfn_error *err)
{
    int64_t deadline = xf_clock_now() + timeout_us;
    XF_AUTO(question_clear)
    question asked = {.fds = {-1, -1, -1}, .answer = {.limit = limit}};
    extfn_status status = start(&asked, argv, env, err);
    if (status == EXTFN_OK)
        status = listen_until(&asked, deadline, err);
    if (status == EXTFN_OK)
        status = check_status(&asked, err);
    if (status == EXTFN_OK) {
        asked.answer.limit = 0;
        status = xf_buf_append(&asked.answer, "", 1, err);
    }
    if (status == EXTFN_EINVAL)
        status = xf_fail(err, EXTFN_EIO, "answered with more than %zu bytes", limit);
    if (status != EXTFN_OK)
        return status == EXTFN_ENOMEM ? status : xf_fail_context(err, status, "'%s'", argv[0]);
    *ret_stdout = XF_STEAL(asked.answer.data);
    return EXTFN_OK;
}
