#include "base/auto.h"
#include "base/buf.h"
#include "os/fd.h"
#include "os/spawn.h"
#include "support/fds.h"
#include "support/temporary.h"
#include "support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* 3 is the folder that the shell looks into. */
#define FIRST_THREE "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n"

/* Spoils the calling process before it spawns; that is a forked one, so the harness stays whole. */
typedef void break_fn(void);

static extfn_status spawn_shell(int out, const char *script, pid_t *ret_pid, extfn_error *err)
{
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, xf_strdup(script), NULL};
    char *env[] = {(char[]){"ONLY=this"}, NULL};
    XF_AUTO_CLOSE int in_read = -1;
    XF_AUTO_CLOSE int in_write = -1;
    XF_TRY(xf_pipe_open(&in_read, &in_write, err));
    return xf_spawn("/bin/sh", argv, env, (int[]){in_read, out, out}, 3, ret_pid, err);
}

static void run_shell(int out, const char *script)
{
    pid_t pid = -1;
    extfn_error err = {0};
    if (spawn_shell(out, script, &pid, &err) != EXTFN_OK)
        (void)!write(out, err.message, strlen(err.message));
    xf_child_reap(pid);
}

static char *said_by(const char *script, break_fn *break_host)
{
    int read_end = -1;
    int write_end = -1;
    assert_int_equal(xf_pipe_open(&read_end, &write_end, NULL), EXTFN_OK);
    pid_t pid = fork();
    if (pid == 0) {
        if (break_host)
            break_host();
        run_shell(write_end, script);
        _exit(0);
    }
    (void)close(write_end);
    static char text[8192];
    size_t size = 0;
    ssize_t more;
    while ((more = read(read_end, text + size, sizeof(text) - 1 - size)) > 0)
        size += (size_t)more;
    text[size] = 0;
    (void)close(read_end);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return text;
}

static void the_child_has_only_its_descriptors_environment_and_place(void **state)
{
    (void)state;
    assert_string_equal(said_by("echo /proc/self/fd/*; pwd; set -- $(env); echo $1", NULL),
                        FIRST_THREE "/\nONLY=this\n");
}

static void leave_descriptors_open(void)
{
    for (int i = 0; i < 5; i++)
        (void)open("/", O_RDONLY | O_DIRECTORY); // NOLINT: not close-on-exec, as hosts do
}

static void descriptors_of_the_host_do_not_leak(void **state)
{
    (void)state;
    assert_string_equal(said_by("echo /proc/self/fd/*", leave_descriptors_open), FIRST_THREE);
}

static void close_stdio(void)
{
    for (int i = 0; i < 3; i++)
        (void)close(i);
}

static void closed_stdio_is_no_obstacle(void **state)
{
    (void)state;
    assert_string_equal(said_by("cat; echo /proc/self/fd/*", close_stdio), FIRST_THREE);
}

static void spoil_signals(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGCHLD, &ignore, NULL);
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGTERM, &ignore, NULL);
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, NULL);
}

static void signals_are_as_new(void **state)
{
    (void)state;
    /* glibc itself ignores its signals 32 and 33 in a spawned child. */
    assert_string_equal(said_by("grep -cE '^Sig(Blk|Ign):.0000000[01][08]0000000$'"
                                " /proc/self/status",
                                spoil_signals),
                        "2\n");
}

static void delete_own_folder(void)
{
    char folder[TEMPORARY_SIZE];
    if (!temporary_folder(folder, sizeof(folder), "/tmp") || chdir(folder) != 0 ||
        rmdir(folder) != 0)
        _exit(1);
}

static void a_deleted_working_directory_is_no_obstacle(void **state)
{
    (void)state;
    assert_string_equal(said_by("pwd", delete_own_folder), "/\n");
}

static void the_child_leads_its_own_session(void **state)
{
    (void)state;
    const char *said = said_by("read -r pid name state parent group session rest </proc/$$/stat;"
                               "[ $pid = $group ] && [ $pid = $session ] && echo leads",
                               NULL);
    assert_string_equal(said, "leads\n");
}

static void a_program_may_be_one_of_the_descriptors(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int program = open("/bin/true", O_RDONLY | O_CLOEXEC);
    assert_true(program > 2);
    char *argv[] = {(char[]){"true"}, NULL};
    pid_t pid;
    assert_int_equal(xf_spawn("/proc/self/fd/1", argv, argv + 1, (int[]){program, program}, 2, &pid,
                              NULL),
                     EXTFN_OK);
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    xf_child_reap(pid); /* already reaped: returns */
}

static void descriptors_may_stand_in_each_other_s_place(void **state)
{
    (void)state;
    int fds[20];
    for (int i = 0; i < 20; i += 2)
        assert_int_equal(xf_pipe_open(&fds[i], &fds[i + 1], NULL), EXTFN_OK);
    int reversed[20];
    for (int i = 0; i < 20; i++)
        reversed[i] = fds[19 - i];
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"echo a >&0; echo b >&2"}, NULL};
    pid_t pid;
    assert_int_equal(xf_spawn("/bin/sh", argv, argv + 3, reversed, 20, &pid, NULL), EXTFN_OK);
    xf_child_reap(pid);
    char text[3] = {0};
    assert_int_equal(read(fds[18], text, 2), 2);
    assert_string_equal(text, "a\n");
    assert_int_equal(read(fds[16], text, 2), 2);
    assert_string_equal(text, "b\n");
    for (int i = 0; i < 20; i++)
        (void)close(fds[i]);
}

static void a_failing_exec_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    int before = xf_test_fd_count();
    char *argv[] = {(char[]){"x"}, NULL};
    pid_t pid = -1;
    extfn_error err = {0};
    assert_int_equal(xf_spawn("/nonexistent/x", argv, argv + 1, NULL, 0, &pid, &err), EXTFN_EIO);
    assert_int_equal(err.os_errno, ENOENT);
    assert_string_equal(err.message, "start '/nonexistent/x': No such file or directory");
    assert_int_equal(pid, -1);
    assert_int_equal(xf_spawn("/etc/passwd", argv, argv + 1, NULL, 0, &pid, &err), EXTFN_EIO);
    assert_int_equal(err.os_errno, EACCES);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(xf_test_fd_count(), before);
}

static void bad_descriptors_are_refused(void **state)
{
    (void)state;
    char *argv[] = {(char[]){"true"}, NULL};
    pid_t pid;
    extfn_error err = {0};
    assert_int_equal(xf_spawn("/bin/true", argv, argv + 1, (int[]){-1}, 1, &pid, &err), EXTFN_EIO);
    assert_int_equal(err.os_errno, EBADF);
    const int many[65] = {0};
    assert_int_equal(xf_spawn("/bin/true", argv, argv + 1, many, 65, &pid, &err), EXTFN_EINVAL);
}

static void allow_few_descriptors(void)
{
    const struct rlimit limit = {.rlim_cur = 24, .rlim_max = 24};
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static void few_descriptors_are_enough(void **state)
{
    (void)state;
    assert_string_equal(said_by("echo done", allow_few_descriptors), "done\n");
}

/* `argument` on failure, else NULL. */
static void *spawn_often(void *argument)
{
    char *argv[] = {(char[]){"true"}, NULL};
    for (int i = 0; i < 20; i++) {
        pid_t pid;
        if (xf_spawn("/bin/true", argv, argv + 1, NULL, 0, &pid, NULL) != EXTFN_OK)
            return argument;
        int status = -1;
        if (waitpid(pid, &status, 0) != pid || status != 0)
            return argument;
    }
    return NULL;
}

static void threads_spawn_at_once(void **state)
{
    (void)state;
    int before = xf_test_fd_count();
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, spawn_often, threads), 0);
    for (int i = 0; i < 4; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(xf_test_fd_count(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_child_has_only_its_descriptors_environment_and_place),
        cmocka_unit_test(descriptors_of_the_host_do_not_leak),
        cmocka_unit_test(closed_stdio_is_no_obstacle),
        cmocka_unit_test(signals_are_as_new),
        cmocka_unit_test(a_deleted_working_directory_is_no_obstacle),
        cmocka_unit_test(the_child_leads_its_own_session),
        cmocka_unit_test(a_program_may_be_one_of_the_descriptors),
        cmocka_unit_test(descriptors_may_stand_in_each_other_s_place),
        cmocka_unit_test(a_failing_exec_is_an_error_and_leaves_nothing),
        cmocka_unit_test(bad_descriptors_are_refused),
        cmocka_unit_test(few_descriptors_are_enough),
        cmocka_unit_test(threads_spawn_at_once),
    };
    return cmocka_run_group_tests_name("spawn", tests, NULL, NULL);
}
