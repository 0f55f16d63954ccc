#include "rig.h"

#include "support/groups.h"
#include "support/unit.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FD_COUNT (XF_FD_DATA + 2)
#define SAFE_FD 100 /* above all that the supervisor is given */

uint64_t rig_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Moves a descriptor out of the way. */
static int lift(int fd)
{
    assert_true(fd >= 0);
    int lifted = fcntl(fd, F_DUPFD_CLOEXEC, SAFE_FD);
    assert_true(lifted >= 0);
    close(fd);
    return lifted;
}

static void make_pipe(int *ret_read, int *ret_write)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    *ret_read = lift(ends[0]);
    *ret_write = lift(ends[1]);
}

static int make_map(const char *name, void **ret_bytes)
{
    int fd = lift(memfd_create(name, MFD_CLOEXEC));
    assert_int_equal(ftruncate(fd, XF_MAP_SIZE), 0);
    *ret_bytes = mmap(NULL, XF_MAP_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(*ret_bytes != MAP_FAILED);
    return fd;
}

static uint32_t append(char *to, size_t *used, const char *const *strings, size_t limit)
{
    uint32_t count = 0;
    for (; count < limit && strings[count]; count++) {
        size_t size = strlen(strings[count]) + 1;
        memcpy(to + *used, strings[count], size);
        *used += size;
    }
    return count;
}

static int make_plan(const rig *it, const rig_options *options)
{
    char strings[4096];
    size_t used = 0;
    const char *settings = options->settings ? options->settings : "nofile=64";
    const char *usual[] = {RIG_ENTER, settings, "14", "--", RIG_VICTIM, NULL};
    const char *mark[] = {it->mark, NULL};
    xf_plan plan = {.magic = options->has_bad_plan ? 0 : XF_WIRE_MAGIC,
                    .version = XF_WIRE_VERSION,
                    .uid_first = options->uid_first,
                    .uid_count = options->uid_count,
                    .file_count = 2,
                    .start_limit_us = options->start_limit_us ? options->start_limit_us : 60000000,
                    .memory_limit = options->memory_limit,
                    .group_memory = 1U << 30,
                    .group_tasks = 64,
                    .tmp_file_limit = options->tmp_file_limit};
    plan.argc = append(strings, &used, options->argv[0] ? options->argv : usual, 40);
    plan.argc += append(strings, &used, options->act, 3) + append(strings, &used, mark, 1);
    plan.envc = append(strings, &used, options->env, 4);
    const char *group[] = {options->group ? options->group : groups_top(), NULL};
    plan.has_group = append(strings, &used, group, 1);
    plan.strings_size = (uint32_t)used;
    int fd = lift(memfd_create("plan", MFD_CLOEXEC));
    assert_int_equal(write(fd, &plan, sizeof(plan)), sizeof(plan));
    assert_int_equal(write(fd, strings, used), used);
    return fd;
}

static int open_program(const char *variable)
{
    const char *path = getenv(variable);
    return lift(open(path ? path : "", O_RDONLY | O_CLOEXEC));
}

static bool write_map(pid_t process, const char *file, const char *text)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)process, file);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0;
}

/* The maps are written from outside: only there one has the right to map more than oneself. */
static void enter_user_namespace(const char *id_map)
{
    pid_t process = getpid();
    int gate[2];
    if (pipe2(gate, O_CLOEXEC) != 0)
        _exit(122);
    pid_t helper = fork();
    if (helper == 0) {
        char byte;
        bool is_open = read(gate[0], &byte, 1) == 1;
        bool is_alone = geteuid() != 0 || strstr(id_map, " 1\n");
        _exit(is_open && (!is_alone || write_map(process, "setgroups", "deny")) &&
                      write_map(process, "uid_map", id_map) && write_map(process, "gid_map", id_map)
                  ? 0
                  : 1);
    }
    int status = -1;
    if (unshare(CLONE_NEWUSER) != 0 || write(gate[1], "x", 1) != 1 ||
        waitpid(helper, &status, 0) != helper || status != 0 || setresuid(0, 0, 0) != 0)
        _exit(123);
}

/* In the child; a stray descriptor shows that the supervisor keeps none. */
static void become_supervisor(const int *fds, const char *id_map)
{
    if (id_map)
        enter_user_namespace(id_map);
    for (int i = 0; i < FD_COUNT; i++) {
        if (dup2(fds[i], i) != i)
            _exit(120);
    }
    (void)dup2(fds[0], FD_COUNT + 3);
    char name[] = "extfn-supervise";
    char *const argv[] = {name, NULL};
    char *const envp[] = {NULL};
    (void)execve(getenv("EXTFN_TEST_SUPERVISE"), argv, envp);
    _exit(121);
}

void rig_start(rig *it, const rig_options *options)
{
    static int number;
    *it = (rig){0};
    (void)snprintf(it->mark, sizeof(it->mark), "extfn-test-%d-%d-mark", (int)getpid(), ++number);
    int fds[FD_COUNT];
    make_pipe(&fds[XF_FD_STDIN], &it->stdin_end);
    make_pipe(&it->stdout_end, &fds[XF_FD_STDOUT]);
    make_pipe(&it->stderr_end, &fds[XF_FD_STDERR]);
    make_pipe(&fds[XF_FD_REQUEST_PIPE], &it->request_end);
    make_pipe(&it->reply_end, &fds[XF_FD_REPLY_PIPE]);
    make_pipe(&it->report_end, &fds[XF_FD_REPORT]);
    make_pipe(&fds[XF_FD_LIFELINE], &it->lifeline_end);
    void *request;
    void *reply;
    fds[XF_FD_REQUEST_MAP] = make_map("request", &request);
    fds[XF_FD_REPLY_MAP] = make_map("reply", &reply);
    it->header = request;
    it->statuses = (unsigned char *)reply + XF_MAP_START;
    fds[XF_FD_HOST_PIDFD] = options->host_pidfd
                                ? fcntl(options->host_pidfd, F_DUPFD_CLOEXEC, SAFE_FD)
                                : lift((int)syscall(SYS_pidfd_open, getpid(), 0));
    fds[XF_FD_PLAN] = make_plan(it, options);
    fds[XF_FD_REPLY_PEEK] = fcntl(it->reply_end, F_DUPFD_CLOEXEC, SAFE_FD);
    fds[XF_FD_DATA] = open_program("EXTFN_TEST_ENTER");
    fds[XF_FD_DATA + 1] = open_program("EXTFN_TEST_VICTIM");
    it->supervisor = fork();
    assert_true(it->supervisor >= 0);
    if (it->supervisor == 0)
        become_supervisor(fds, options->id_map);
    for (int i = 0; i < FD_COUNT; i++)
        close(fds[i]);
}

void rig_call(rig *it, uint32_t call, uint32_t row_count, uint64_t limit_us)
{
    it->header->limit_us = limit_us;
    it->header->row_count = row_count;
    it->header->is_setup = 0;
    __atomic_store_n(&it->header->call, call, __ATOMIC_RELEASE);
    __atomic_store_n(&it->header->is_active, 1, __ATOMIC_RELEASE);
}

void rig_command(const rig *it, char command)
{
    assert_int_equal(write(it->lifeline_end, &command, 1), 1);
}

bool rig_is_readable(int fd, int timeout_ms)
{
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    return poll(&wait, 1, timeout_ms) == 1;
}

void rig_read_line(const rig *it, char *ret_line, size_t size)
{
    for (size_t used = 0;; used++) {
        assert_true(used < size);
        if (!rig_is_readable(it->stdout_end, RIG_DEADLINE_MS))
            fail_msg("no line on stdout in time");
        if (read(it->stdout_end, ret_line + used, 1) != 1)
            fail_msg("stdout ended before its line");
        if (ret_line[used] == '\n') {
            ret_line[used] = '\0';
            return;
        }
    }
}

pid_t rig_read_up(const rig *it)
{
    char line[64];
    rig_read_line(it, line, sizeof(line));
    assert_memory_equal(line, "up ", 3);
    return (pid_t)strtol(line + 3, NULL, 10);
}

static bool has_mark(const char *pid, const char *mark)
{
    char path[64];
    char line[8192];
    (void)snprintf(path, sizeof(path), "/proc/%.20s/cmdline", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? 0 : read(fd, line, sizeof(line));
    if (fd >= 0)
        close(fd);
    return size > 0 && memmem(line, (size_t)size, mark, strlen(mark));
}

int rig_count(const rig *it)
{
    DIR *proc = opendir("/proc");
    assert_non_null(proc);
    int count = 0;
    for (struct dirent *entry = readdir(proc); entry; entry = readdir(proc)) {
        if (isdigit((unsigned char)entry->d_name[0]) && has_mark(entry->d_name, it->mark))
            count++;
    }
    closedir(proc);
    return count;
}

static void expect_end(rig *it)
{
    char byte;
    const int ends[] = {it->report_end, it->stdout_end, it->stderr_end, it->reply_end};
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        do {
            assert_true(rig_is_readable(ends[i], RIG_DEADLINE_MS));
        } while (read(ends[i], &byte, 1) == 1);
    }
    assert_int_equal(rig_count(it), 0);
    const int open_ends[] = {it->stdin_end, it->stdout_end, it->stderr_end,  it->request_end,
                             it->reply_end, it->report_end, it->lifeline_end};
    for (size_t i = 0; i < sizeof(open_ends) / sizeof(open_ends[0]); i++) {
        if (open_ends[i] >= 0)
            close(open_ends[i]);
    }
    munmap(it->header, XF_MAP_SIZE);
    munmap(it->statuses - XF_MAP_START, XF_MAP_SIZE);
}

pid_t rig_child_of(pid_t pid)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *list = fopen(path, "re");
    int child = 0;
    if (list && fscanf(list, "%d", &child) != 1)
        child = 0;
    if (list)
        (void)fclose(list);
    return child;
}

xf_report rig_finish(rig *it)
{
    xf_report report;
    if (!rig_is_readable(it->report_end, RIG_DEADLINE_MS))
        fail_msg("no report in time");
    assert_int_equal(read(it->report_end, &report, sizeof(report)), sizeof(report));
    assert_int_equal(rig_count(it), 0);
    assert_int_equal(groups_count(it->supervisor), 0);
    assert_int_equal(report.magic, XF_WIRE_MAGIC);
    assert_int_equal(report.version, XF_WIRE_VERSION);
    int status;
    assert_int_equal(waitpid(it->supervisor, &status, 0), it->supervisor);
    assert_true(WIFEXITED(status));
    expect_end(it);
    return report;
}

void rig_finish_killed(rig *it)
{
    xf_report report = {0};
    ssize_t size = read(it->report_end, &report, sizeof(report));
    assert_true(size == 0 || size == sizeof(report));
    if (size > 0 && report.cause != XF_CAUSE_STOPPED)
        assert_int_equal(report.cause, XF_CAUSE_BROKEN);
    expect_end(it);
}

void rig_finish_silently(rig *it)
{
    char byte;
    assert_true(rig_is_readable(it->report_end, RIG_DEADLINE_MS));
    assert_int_equal(read(it->report_end, &byte, 1), 0);
    assert_int_equal(groups_count(it->supervisor), 0);
    expect_end(it);
}

void rig_need(const char *what, bool is_there)
{
    const char *required = getenv("EXTFN_TEST_REQUIRE");
    if (is_there)
        return;
    if (required && strstr(required, what))
        fail_msg("%s is required and missing", what);
    print_message("# needs %s\n", what);
    skip();
}
