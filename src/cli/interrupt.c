/* Signals. SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

/* A signal handler has no context, so this is the program's one mutable state. The pipe wakes a
 * wait that began before the signal came: it stays readable from then on. */
static struct {
    _Atomic(extfn_cancel *) cancel;
    atomic_int signal_number;
    atomic_int wake_fd;
    int wait_fd;
} interrupt = {.wake_fd = -1, .wait_fd = -1};

static void on_signal(int number)
{
    int saved = errno;
    int none = 0;
    (void)atomic_compare_exchange_strong(&interrupt.signal_number, &none, number);
    extfn_cancel *cancel = atomic_load(&interrupt.cancel);
    if (cancel)
        extfn_cancel_trigger(cancel);
    (void)!write(atomic_load(&interrupt.wake_fd), "", 1);
    errno = saved;
}

extfn_status cli_interrupt_start(extfn_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return cli_fail_os(err, errno, "open", "a pipe");
    interrupt.wait_fd = ends[0];
    atomic_store(&interrupt.wake_fd, ends[1]);

    static const int caught[] = {SIGHUP, SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = on_signal};
    struct sigaction former;
    for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++) {
        if (sigaction(caught[i], NULL, &former) == 0 && former.sa_handler != SIG_IGN)
            (void)sigaction(caught[i], &action, NULL);
    }
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
    return EXTFN_OK;
}

void cli_interrupt_set_cancel(extfn_cancel *cancel)
{
    atomic_store(&interrupt.cancel, cancel);
    if (cancel && cli_interrupt_signal())
        extfn_cancel_trigger(cancel);
}

int cli_interrupt_signal(void)
{
    return atomic_load(&interrupt.signal_number);
}

extfn_status cli_interrupt_wait(int fd, short events, extfn_error *err)
{
    struct pollfd polls[] = {{.fd = fd, .events = events},
                             {.fd = interrupt.wait_fd, .events = POLLIN}};
    for (;;) {
        int ready = poll(polls, 2, -1);
        if (cli_interrupt_signal())
            return cli_fail(err, EXTFN_ECANCELED, "interrupted");
        if (ready > 0)
            return EXTFN_OK;
        if (ready < 0 && errno != EINTR && errno != EAGAIN)
            return cli_fail_os(err, errno, "wait for", "a descriptor");
    }
}
