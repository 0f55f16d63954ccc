/* Starts the real interpreters in the real sandbox, with a program that looks around in place of
 * the driver. */
#include "base/auto.h"
#include "lang/language.h"
#include "os/fd.h"
#include "os/spawn.h"
#include "sandbox/find.h"
#include "support/require.h"
#include "support/tree.h"

#include <sys/wait.h>

#define SEARCH_PATH "/usr/local/bin:/usr/bin:/bin"
#define FD_COUNT (XF_FD_DATA + XF_PLAN_FILE_LIMIT)

typedef struct run {
    char out[8192];
    char err[4096];
    int status;
} run;

static size_t read_file(const char *path, char *text, size_t size)
{
    FILE *in = fopen(path, "re");
    assert_non_null(in);
    size_t read = fread(text, 1, size, in);
    assert_int_equal(fclose(in), 0);
    return read;
}

static void read_all(int fd, char *text, size_t size)
{
    size_t done = 0;
    ssize_t more = 1;
    while (more > 0 && done < size - 1) {
        more = read(fd, text + done, size - 1 - done);
        done += more > 0 ? (size_t)more : 0;
    }
    text[done] = 0;
    (void)close(fd);
}

/* The plan's strings as argv and env. */
static void split(const xf_launch *launch, char *argv[64], char *env[64])
{
    xf_plan plan;
    memcpy(&plan, launch->bytes.data, sizeof(plan));
    char *at = launch->bytes.data + sizeof(plan);
    assert_true(plan.argc < 64 && plan.envc < 64);
    for (size_t i = 0; i < plan.argc + plan.envc; i++) {
        char **slot = i < plan.argc ? &argv[i] : &env[i - plan.argc];
        *slot = at;
        at += strlen(at) + 1;
    }
    argv[plan.argc] = NULL;
    env[plan.envc] = NULL;
}

/* As the supervisor would: descriptors in their places, then argv[0]. */
static void execute(const xf_launch *launch, run *ret_run)
{
    int ends[6];
    for (int i = 0; i < 6; i += 2)
        assert_int_equal(xf_pipe_open(&ends[i], &ends[i + 1], NULL), EXTFN_OK);
    int fds[FD_COUNT] = {ends[0], ends[3], ends[5]};
    for (int i = 3; i < XF_FD_DATA; i++)
        fds[i] = ends[0];
    XF_AUTO_CLOSE int status_fd = -1;
    assert_int_equal(xf_memfd_open("status", 0, &status_fd, NULL), EXTFN_OK);
    fds[XF_FD_STATUS] = status_fd;
    for (size_t i = 0; i < launch->file_count; i++) {
        const xf_plan_file *file = &launch->files[i];
        assert_int_equal(xf_memfd_with("f", file->data, file->size, &fds[XF_FD_DATA + i], NULL),
                         EXTFN_OK);
    }
    size_t fd_count = XF_FD_DATA + launch->file_count;
    char *argv[64];
    char *env[64];
    split(launch, argv, env);
    pid_t pid;
    assert_int_equal(xf_spawn(argv[0], argv, env, fds, fd_count, &pid, NULL), EXTFN_OK);
    for (size_t i = XF_FD_DATA; i < fd_count; i++)
        (void)close(fds[i]);
    for (int i = 0; i < 6; i++) {
        if (i != 2 && i != 4)
            (void)close(ends[i]);
    }
    read_all(ends[2], ret_run->out, sizeof(ret_run->out));
    read_all(ends[4], ret_run->err, sizeof(ret_run->err));
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    xf_enter_ready ready = {0};
    xf_enter_exit end = {.wait_status = -1};
    ret_run->status = -1;
    if (pread(status_fd, &ready, sizeof(ready), 0) == sizeof(ready) &&
        pread(status_fd, &end, sizeof(end), sizeof(ready)) == sizeof(end))
        ret_run->status = end.wait_status;
    if (ret_run->status != 0)
        print_message("# %s\n", ret_run->err);
}

static void look(extfn_language id, const xf_language_options *options, xf_confinement confinement,
                 const char *script, run *ret_run)
{
    static char text[8192];
    XF_AUTO_FREE char *bwrap = NULL;
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    if (confinement == XF_CONFINED)
        assert_int_equal(xf_bwrap_find(SEARCH_PATH, &bwrap, NULL), EXTFN_OK);
    assert_int_equal(xf_language_get(id)->locate(options, &runtime, NULL), EXTFN_OK);
    const xf_policy policy = {
        .confinement = confinement,
        .bwrap_path = bwrap,
        .memory_bytes = UINT64_C(1) << 30,
        .tmp_bytes = UINT64_C(64) << 20,
    };
    const xf_plan_file driver = {.place = "/b/script",
                                 .data = text,
                                 .size = read_file(script, text, sizeof(text))};
    assert_int_equal(xf_launch_build(&policy, &runtime, &driver, &launch, NULL), EXTFN_OK);
    execute(&launch, ret_run);
}

/* The text after `key ` in the line that begins with it. */
static void assert_line(const run *done, const char *line)
{
    char wanted[512];
    (void)snprintf(wanted, sizeof(wanted), "\n%s\n", line);
    char padded[sizeof(done->out) + 2];
    (void)snprintf(padded, sizeof(padded), "\n%s", done->out);
    if (!strstr(padded, wanted))
        print_message("# '%s' is not in:\n%s", line, done->out);
    assert_non_null(strstr(padded, wanted));
}

static bool has_bwrap(void)
{
    XF_AUTO_FREE char *path = NULL;
    return xf_bwrap_find(SEARCH_PATH, &path, NULL) == EXTFN_OK;
}

static bool has_python(void)
{
    return access("/usr/bin/python3", X_OK) == 0;
}

static const xf_language_options plain = {.interpreter = NULL};

static void a_confined_python_sees_itself_alone(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("bwrap", has_bwrap());
    XF_TEST_REQUIRE("python", has_python());
    static run done;
    look(EXTFN_PYTHON, &plain, XF_CONFINED, XF_TEST_SOURCE "/lang/look.py", &done);
    assert_int_equal(done.status, 0);
    assert_line(&done, "root b etc home lib lib64 tmp usr");
    assert_line(&done, "home");
    assert_line(&done, "tmp");
    assert_line(&done, "cwd /tmp");
    assert_line(&done, "ids 65534 65534");
    assert_line(&done, "name extfn");
    assert_line(&done, "environment HOME LC_ALL MALLOC_ARENA_MAX MKL_NUM_THREADS OMP_NUM_THREADS "
                       "OPENBLAS_NUM_THREADS PATH PWD PYTHONHASHSEED TZ");
    assert_line(&done, "arguments /b/script /b/extfn-guest.so");
    assert_line(&done, "hash True 0");
    assert_line(&done, "write Read-only file system");
    assert_string_equal(done.err, "");
}

static void a_virtual_environment_starts_with_its_packages(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("bwrap", has_bwrap());
    XF_TEST_REQUIRE("python", has_python());
    xf_test_tree tree = xf_test_tree_new();
    const char *venv = xf_test_path(&tree, "/venv");
    const char *const argv[] = {"/usr/bin/python3", "-m", "venv", "--copies",
                                "--without-pip",    venv, NULL};
    XF_AUTO_FREE char *said = NULL;
    assert_int_equal(xf_ask(argv, argv + 6, INT64_C(60000000), 65536, &said, NULL), EXTFN_OK);
    xf_language_options options = {.interpreter = xf_test_path(&tree, "/venv/bin/python3")};
    static run done;
    look(EXTFN_PYTHON, &options, XF_CONFINED, XF_TEST_SOURCE "/lang/look.py", &done);
    assert_int_equal(done.status, 0);
    assert_line(&done, "home");
    char site[128];
    (void)snprintf(site, sizeof(site), "packages %s/lib/python3", venv);
    assert_non_null(strstr(done.out, site));
    assert_string_equal(done.err, "");
    xf_test_tree_free(&tree);
}

static void an_unconfined_python_starts_by_descriptor(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("python", has_python());
    static run done;
    static const xf_confinement kinds[] = {XF_UNCONFINED, XF_TRUSTED};
    for (size_t i = 0; i < 2; i++) {
        look(EXTFN_PYTHON, &plain, kinds[i], XF_TEST_SOURCE "/lang/look.py", &done);
        assert_int_equal(done.status, 0);
        assert_line(&done, "arguments /proc/self/fd/14 /proc/self/fd/13");
        assert_line(&done, "environment HOME LC_ALL MALLOC_ARENA_MAX MKL_NUM_THREADS "
                           "OMP_NUM_THREADS OPENBLAS_NUM_THREADS PATH PYTHONHASHSEED TZ");
    }
}

static void a_confined_r_has_its_default_packages(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("bwrap", has_bwrap());
    XF_TEST_REQUIRE("r", access("/usr/lib/R/bin/exec/R", X_OK) == 0);
    static run done;
    look(EXTFN_R, &plain, XF_CONFINED, XF_TEST_SOURCE "/lang/look.R", &done);
    assert_int_equal(done.status, 0);
    assert_line(&done, "search .GlobalEnv package:stats package:graphics package:grDevices "
                       "package:utils package:datasets package:methods Autoloads package:base ");
    assert_line(&done, "root b bin etc home lib lib64 tmp usr ");
    assert_line(&done, "solve 0.25 ");
    assert_line(&done, "fit 2 ");
    assert_line(&done, "arguments /b/extfn-guest.so ");
    assert_line(&done, "warnings 0 ");
    assert_string_equal(done.err, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_confined_python_sees_itself_alone),
        cmocka_unit_test(a_virtual_environment_starts_with_its_packages),
        cmocka_unit_test(an_unconfined_python_starts_by_descriptor),
        cmocka_unit_test(a_confined_r_has_its_default_packages),
    };
    return cmocka_run_group_tests_name("start", tests, NULL, NULL);
}
