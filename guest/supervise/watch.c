#include "guest/supervise/watch.h"

#include "guest/common/process.h"

#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define XF_MEMORY_TICK_US 100000U

static uint32_t fail(xf_watch *watch, int os_errno)
{
    watch->os_errno = os_errno;
    return XF_CAUSE_BROKEN;
}

/* Before any body: the interpreter has yet to be executed, or has just been. */
static void look_after_tmp(xf_watch *watch)
{
    if (watch->tmp_file_limit == 0 || watch->has_scratch || !xf_status_is_ready(&watch->status))
        return;
    watch->scratch = xf_scratch_open(watch->reaper.command, watch->tmp_file_limit);
    watch->has_scratch = true;
}

/* Reads what there is; at the end of file the descriptor is given up. */
static uint32_t on_status(xf_watch *watch)
{
    unsigned char bytes[64];
    ssize_t size = read(watch->status_fd, bytes, sizeof(bytes));
    if (size < 0)
        return errno == EAGAIN || errno == EINTR ? XF_CAUSE_NONE : fail(watch, errno);
    if (size == 0) {
        (void)close(watch->status_fd);
        watch->status_fd = -1;
        return XF_CAUSE_NONE;
    }
    xf_status_add(&watch->status, bytes, (size_t)size);
    if (watch->status.is_broken)
        return fail(watch, EPROTO);
    look_after_tmp(watch);
    xf_enter_exit end;
    if (!xf_status_get_exit(&watch->status, &end))
        return XF_CAUSE_NONE;
    return end.wait_status == -1 ? XF_CAUSE_NO_INTERPRETER : XF_CAUSE_EXITED;
}

/* The last words of a dead command may still lie in the pipe. */
static uint32_t on_child(xf_watch *watch)
{
    struct signalfd_siginfo drained;
    (void)!read(watch->reaper.signal_fd, &drained, sizeof(drained));
    (void)xf_reap(&watch->reaper);
    if (!watch->reaper.is_command_gone)
        return XF_CAUSE_NONE;
    uint32_t cause = watch->status_fd >= 0 ? on_status(watch) : XF_CAUSE_NONE;
    if (cause != XF_CAUSE_NONE)
        return cause;
    return xf_status_is_ready(&watch->status) ? XF_CAUSE_LOST : XF_CAUSE_NO_SANDBOX;
}

/* All that it has and that is not the kernel's. */
static uint64_t kept_memory(const xf_watch *watch, const xf_usage *usage)
{
    uint64_t files = watch->has_scratch ? xf_scratch_size(&watch->scratch) : 0;
    return usage->own_memory + xf_maps_memory(&watch->maps) + files;
}

static void tell_usage(xf_watch *watch, bool is_to_settle)
{
    const xf_usage usage = xf_usage_of_tree(watch->reaper.command);
    if (is_to_settle && watch->memory_limit > 0)
        watch->idle_memory = xf_idle_settle(watch->memory_limit, kept_memory(watch, &usage));
    const xf_report report = {.magic = XF_WIRE_MAGIC,
                              .version = XF_WIRE_VERSION,
                              .cause = XF_CAUSE_LIVES,
                              .peak_memory = usage.peak_memory,
                              .cpu_us = usage.cpu_us,
                              .idle_memory = watch->idle_memory};
    (void)xf_write(XF_FD_REPORT, &report, sizeof(report));
}

/* XF_COMMAND_LOOK needs no more than to have woken us: the clock is looked at after every event. */
static uint32_t on_lifeline(xf_watch *watch)
{
    char commands[64];
    ssize_t size = read(XF_FD_LIFELINE, commands, sizeof(commands));
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
        return XF_CAUSE_NONE;
    if (size <= 0)
        return XF_CAUSE_HOST_GONE;
    for (ssize_t i = 0; i < size; i++) {
        if (commands[i] == XF_COMMAND_STOP)
            return XF_CAUSE_STOPPED;
        if (commands[i] == XF_COMMAND_MEASURE || commands[i] == XF_COMMAND_SETTLE)
            tell_usage(watch, commands[i] == XF_COMMAND_SETTLE);
    }
    return XF_CAUSE_NONE;
}

static uint32_t on_host_end(xf_watch *watch)
{
    (void)watch;
    return XF_CAUSE_HOST_GONE;
}

static uint32_t on_guard_end(xf_watch *watch)
{
    return fail(watch, EOWNERDEAD);
}

enum { SOURCE_STATUS, SOURCE_CHILD, SOURCE_LIFELINE, SOURCE_HOST, SOURCE_GUARD, SOURCE_COUNT };

/* In the order in which they count when several are ready. */
static uint32_t (*const handlers[SOURCE_COUNT])(xf_watch *) = {
    [SOURCE_STATUS] = on_status, [SOURCE_CHILD] = on_child,     [SOURCE_LIFELINE] = on_lifeline,
    [SOURCE_HOST] = on_host_end, [SOURCE_GUARD] = on_guard_end,
};

static uint32_t wait_and_handle(xf_watch *watch, uint64_t wait_us)
{
    struct pollfd sources[SOURCE_COUNT] = {
        [SOURCE_STATUS] = {.fd = watch->status_fd, .events = POLLIN},
        [SOURCE_CHILD] = {.fd = watch->reaper.signal_fd, .events = POLLIN},
        [SOURCE_LIFELINE] = {.fd = XF_FD_LIFELINE, .events = POLLIN},
        [SOURCE_HOST] = {.fd = XF_FD_HOST_PIDFD, .events = POLLIN},
        [SOURCE_GUARD] = {.fd = watch->guard_fd, .events = POLLIN},
    };
    int ready = poll(sources, SOURCE_COUNT, (int)((wait_us + 999) / 1000));
    if (ready < 0 && errno != EINTR)
        return fail(watch, errno);
    uint32_t cause = XF_CAUSE_NONE;
    for (int i = 0; ready > 0 && i < SOURCE_COUNT && cause == XF_CAUSE_NONE; i++) {
        if (sources[i].revents)
            cause = handlers[i](watch);
    }
    return cause;
}

static uint32_t judge_idle(xf_watch *watch, const xf_observation *seen)
{
    bool is_idle = watch->clock.was_set_up && !seen->is_active;
    bool is_due = xf_idle_is_due(&watch->idle, is_idle, seen->call, seen->now_us);
    if (xf_idle_is_over(&watch->idle, seen->now_us, watch->idle_limit_us))
        return XF_CAUSE_IDLE;
    if (!is_due)
        return XF_CAUSE_NONE;
    xf_usage used = xf_usage_of_tree(watch->reaper.command);
    if (xf_idle_judge(&watch->idle, seen->now_us, used.cpu_us))
        return XF_CAUSE_RESTLESS;
    bool has_grown = watch->idle_memory > 0 && kept_memory(watch, &used) > watch->idle_memory;
    return has_grown ? XF_CAUSE_IDLE : XF_CAUSE_NONE;
}

/* Not when the host has just begun its next call: what it used is then that call's. */
static uint32_t look_at_idle(xf_watch *watch, const xf_observation *seen)
{
    uint32_t cause = judge_idle(watch, seen);
    bool is_idle = cause != XF_CAUSE_NONE && !xf_maps_look(&watch->maps, seen->now_us).is_active;
    return is_idle ? cause : XF_CAUSE_NONE;
}

/* RLIMIT_DATA counts what a process can write: memory that it fills and then makes read-only, and
 * its first stack, moved, escape it. So what it really has is looked at while a call is under way.
 */
static uint32_t look_at_sizes(xf_watch *watch, const xf_observation *seen)
{
    if (watch->memory_limit == 0 || !seen->is_active || seen->now_us < watch->memory_next_us)
        return XF_CAUSE_NONE;
    watch->memory_next_us = seen->now_us + XF_MEMORY_TICK_US;
    if (watch->has_scratch && !watch->scratch.is_bounded &&
        xf_scratch_is_crowded(&watch->scratch, watch->tmp_file_limit))
        return XF_CAUSE_FILES;
    bool is_too_large = xf_usage_of_tree(watch->reaper.command).own_memory > watch->memory_limit;
    return is_too_large ? XF_CAUSE_MEMORY : XF_CAUSE_NONE;
}

static uint64_t shorter_wait(const xf_watch *watch, const xf_observation *seen, uint64_t wait_us)
{
    bool is_watched = watch->memory_limit > 0 && seen->is_active;
    return is_watched && wait_us > XF_MEMORY_TICK_US ? XF_MEMORY_TICK_US : wait_us;
}

uint32_t xf_watch_run(xf_watch *watch)
{
    for (;;) {
        xf_observation seen = xf_maps_look(&watch->maps, xf_now_us());
        bool is_in_row = seen.is_active && !seen.is_setup && !seen.is_answered;
        seen.is_awaited =
            xf_output_is_awaited(&watch->output, is_in_row, watch->reaper.command, seen.now_us);
        xf_verdict verdict = xf_clock_judge(&watch->clock, &seen);
        if (verdict.cause != XF_CAUSE_NONE)
            return verdict.cause;
        uint32_t cause = look_at_idle(watch, &seen);
        if (cause == XF_CAUSE_NONE)
            cause = look_at_sizes(watch, &seen);
        if (cause != XF_CAUSE_NONE)
            return cause;
        cause = wait_and_handle(watch, shorter_wait(watch, &seen, verdict.wait_us));
        if (cause != XF_CAUSE_NONE)
            return cause;
    }
}

void xf_watch_measure(xf_watch *watch)
{
    if (!watch->reaper.is_command_gone)
        watch->living = xf_usage_of_tree(watch->reaper.command);
    watch->is_tmp_full = watch->has_scratch && xf_scratch_is_full(&watch->scratch);
    if (watch->has_scratch)
        xf_scratch_close(&watch->scratch);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

xf_report xf_watch_report(const xf_watch *watch, uint32_t cause)
{
    xf_report report = {
        .magic = XF_WIRE_MAGIC,
        .version = XF_WIRE_VERSION,
        .cause = cause,
        .call = watch->maps.request ? watch->maps.request->call : 0,
        .peak_memory = larger(watch->reaper.usage.peak_memory, watch->living.peak_memory),
        .cpu_us = larger(watch->reaper.usage.cpu_us, watch->living.cpu_us),
        .os_errno = watch->os_errno,
        .layers = watch->layers | xf_status_layers(&watch->status),
        .is_ready = xf_status_is_ready(&watch->status),
        .is_tmp_full = watch->is_tmp_full,
    };
    xf_enter_exit end;
    if (xf_status_get_exit(&watch->status, &end)) {
        /* What was measured is what is around the interpreter. */
        report.peak_memory = larger(end.peak_memory, watch->living.peak_memory);
        report.cpu_us = larger(report.cpu_us, watch->living.cpu_us + end.cpu_us);
        if (cause == XF_CAUSE_EXITED)
            report.wait_status = end.wait_status;
        if (cause == XF_CAUSE_NO_INTERPRETER)
            report.os_errno = end.os_errno;
    } else if (cause == XF_CAUSE_LOST || cause == XF_CAUSE_NO_SANDBOX) {
        report.wait_status = xf_status_unwrap(watch->reaper.command_status);
    }
    if (cause == XF_CAUSE_NO_SANDBOX)
        report.os_errno = *watch->exec_errno;
    return report;
}
