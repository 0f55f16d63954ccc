#include "base/auto.h"
#include "base/clock.h"
#include "os/spawn.h"
#include "support/fds.h"
#include "support/oom.h"
#include "support/unit.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define SECOND INT64_C(1000000)

static extfn_status ask_shell(const char *script, int64_t timeout_us, size_t limit,
                              char **ret_stdout, extfn_error *err)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    const char *env[] = {"GREETING=hello", NULL};
    return xf_ask(argv, env, timeout_us, limit, ret_stdout, err);
}

static void the_answer_is_what_it_printed(void **state)
{
    (void)state;
    int before = xf_test_fd_count();
    XF_AUTO_FREE char *answer = NULL;
    assert_int_equal(ask_shell("echo $GREETING; echo noise >&2", 10 * SECOND, 100, &answer, NULL),
                     EXTFN_OK);
    assert_string_equal(answer, "hello\n");
    assert_int_equal(xf_test_fd_count(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void silence_is_an_empty_answer(void **state)
{
    (void)state;
    XF_AUTO_FREE char *answer = NULL;
    assert_int_equal(ask_shell(":", 10 * SECOND, 100, &answer, NULL), EXTFN_OK);
    assert_string_equal(answer, "");
}

static void an_exit_status_is_told_with_the_first_line_of_stderr(void **state)
{
    (void)state;
    char *answer = NULL;
    extfn_error err = {0};
    assert_int_equal(ask_shell("echo no license >&2; echo more >&2; exit 3", 10 * SECOND, 100,
                               &answer, &err),
                     EXTFN_EIO);
    assert_string_equal(err.message, "'/bin/sh': exit status 3: no license");
    assert_null(answer);
}

static void a_deadly_signal_is_told(void **state)
{
    (void)state;
    char *answer = NULL;
    extfn_error err = {0};
    assert_int_equal(ask_shell("kill -9 $$", 10 * SECOND, 100, &answer, &err), EXTFN_EIO);
    assert_string_equal(err.message, "'/bin/sh': died of signal 9: nothing on stderr");
}

static void assert_times_out(const char *script)
{
    int before = xf_test_fd_count();
    char *answer = NULL;
    extfn_error err = {0};
    int64_t start = xf_clock_now();
    assert_int_equal(ask_shell(script, SECOND / 5, 100, &answer, &err), EXTFN_EIO);
    assert_string_equal(err.message, "'/bin/sh': gave no answer in time");
    assert_true(xf_clock_now() - start < 5 * SECOND);
    assert_int_equal(xf_test_fd_count(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void silence_ends_at_the_deadline(void **state)
{
    (void)state;
    assert_times_out("sleep 1000");
    assert_times_out("exec >/dev/null 2>/dev/null; sleep 1000");
    assert_times_out("sleep 1000 & exit 0");
    assert_times_out("while :; do :; done");
}

static void a_flood_is_cut_off(void **state)
{
    (void)state;
    char *answer = NULL;
    extfn_error err = {0};
    assert_int_equal(ask_shell("while :; do echo flood; done", 10 * SECOND, 100, &answer, &err),
                     EXTFN_EIO);
    assert_string_equal(err.message, "'/bin/sh': answered with more than 100 bytes");
    XF_AUTO_FREE char *fitting = NULL;
    assert_int_equal(ask_shell("while [ $((n += 1)) -lt 9999 ]; do echo flood >&2; done; echo end",
                               10 * SECOND, 4, &fitting, NULL),
                     EXTFN_OK);
    assert_string_equal(fitting, "end\n");
}

static void a_missing_program_is_told(void **state)
{
    (void)state;
    int before = xf_test_fd_count();
    const char *argv[] = {"/nonexistent/python", NULL};
    char *answer = NULL;
    extfn_error err = {0};
    assert_int_equal(xf_ask(argv, argv + 1, SECOND, 100, &answer, &err), EXTFN_EIO);
    assert_int_equal(err.os_errno, ENOENT);
    assert_non_null(strstr(err.message, "No such file or directory"));
    assert_int_equal(xf_test_fd_count(), before);
}

static void ignored_sigchld_is_no_obstacle(void **state)
{
    (void)state;
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction former;
    assert_int_equal(sigaction(SIGCHLD, &ignore, &former), 0);
    XF_AUTO_FREE char *answer = NULL;
    extfn_status status = ask_shell("echo fine", 10 * SECOND, 100, &answer, NULL);
    assert_int_equal(sigaction(SIGCHLD, &former, NULL), 0);
    assert_int_equal(status, EXTFN_OK);
    assert_string_equal(answer, "fine\n");
}

static void ask_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    int before = xf_test_fd_count();
    XF_OOM_SWEEP(status, {
        XF_AUTO_FREE char *answer = NULL;
        status = ask_shell("echo hello", 10 * SECOND, 100, &answer, NULL);
    });
    assert_int_equal(xf_test_fd_count(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_what_it_printed),
        cmocka_unit_test(silence_is_an_empty_answer),
        cmocka_unit_test(an_exit_status_is_told_with_the_first_line_of_stderr),
        cmocka_unit_test(a_deadly_signal_is_told),
        cmocka_unit_test(silence_ends_at_the_deadline),
        cmocka_unit_test(a_flood_is_cut_off),
        cmocka_unit_test(a_missing_program_is_told),
        cmocka_unit_test(ignored_sigchld_is_no_obstacle),
        cmocka_unit_test(ask_survives_oom),
    };
    return cmocka_run_group_tests_name("ask", tests, NULL, NULL);
}
