/* Interpreters and packages that the operator names. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"
#include "support/temporary.h"

#include <ftw.h>
#include <glob.h>
#include <sys/stat.h>

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

static void make_venv(void *directory)
{
    (void)execl("/usr/bin/python3", "/usr/bin/python3", "-m", "venv", "--without-pip",
                (char *)directory, (char *)NULL);
    _exit(127);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A virtual environment outside /usr with a module of its own. */
static void a_virtual_environment_runs_with_its_packages(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    char directory[TEMPORARY_SIZE];
    assert_non_null(temporary_folder(directory, sizeof(directory), "/var/tmp"));
    assert_int_equal(chmod(directory, 0755), 0);
    bool has_venv = test_in_child(make_venv, directory) == 0;
    char python[128];
    (void)snprintf(python, sizeof(python), "%s/bin/python3", directory);
    const extfn_host_options options = {.interpreters = {[EXTFN_PYTHON] = python}};
    if (has_venv) {
        char pattern[256];
        (void)snprintf(pattern, sizeof(pattern), "%s/lib/python3*/site-packages", directory);
        glob_t found;
        assert_int_equal(glob(pattern, GLOB_ONLYDIR, NULL, &found), 0);
        char path[512];
        (void)snprintf(path, sizeof(path), "%s/mine.py", found.gl_pathv[0]);
        globfree(&found);
        write_file(path, "def answer():\n    return 42\n");
        test_result answer =
            test_run(&options, EXTFN_PYTHON, "->N", "import mine\nresult = mine.answer()", 10);
        ASSERT_NUMBER(answer, 42.0);
        test_result_clear(&answer);
    }
    (void)nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    XF_TEST_REQUIRE("python", has_venv);
}

static void numpy_is_there_when_the_operator_names_its_directory(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    XF_TEST_REQUIRE("python", access("/usr/lib/python3/dist-packages/numpy", F_OK) == 0);
    test_result without =
        test_run(NULL, EXTFN_PYTHON, "->T", "import numpy\nresult = numpy.__name__", 20);
    ASSERT_FAILS(without, EXTFN_ERUNTIME, "ModuleNotFoundError: No module named 'numpy' (line 1)");
    test_result_clear(&without);

    const extfn_host_options options = {
        .packages = {[EXTFN_PYTHON] = "/usr/lib/python3/dist-packages"}};
    test_result scalar = test_run(&options, EXTFN_PYTHON, "->N",
                                  "import numpy\nresult = numpy.float32(0.5) + numpy.int64(2)", 20);
    ASSERT_NUMBER(scalar, 2.5);
    test_result_clear(&scalar);

    extfn_host *host = test_host(&options);
    extfn_function *function =
        test_function(EXTFN_PYTHON, "N(x)->Nv",
                      "assert type(x).__name__ == 'ndarray'\nresult = x * 2 + 1");
    static double numbers[10000];
    for (int i = 0; i < 10000; i++)
        numbers[i] = i;
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new_numbers(numbers, 10000, &column, NULL), EXTFN_OK);
    const extfn_column *columns[] = {column};
    extfn_column *result = NULL;
    extfn_error err = {0};
    if (extfn_host_apply(host, function, columns, 1, 10000, NULL, &result, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(extfn_column_error_count(result), 0);
    for (int i = 0; i < 10000; i++)
        assert_true(extfn_column_numbers(result)[i] == 2 * i + 1);
    extfn_column_free(result);
    extfn_column_free(column);
    extfn_function_unref(function);
    extfn_host_free(host);
}

/* Julia by a link from elsewhere, with a folder of packages. */
static void a_julia_that_is_named_runs_with_its_packages(void **state)
{
    (void)state;
    REQUIRE_JULIA();
    char directory[TEMPORARY_SIZE];
    assert_non_null(temporary_folder(directory, sizeof(directory), "/var/tmp"));
    assert_int_equal(chmod(directory, 0755), 0);
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/Mine.jl", directory);
    write_file(path, "module Mine\nanswer() = 42\nend\n");
    (void)snprintf(path, sizeof(path), "%s/julia", directory);
    bool is_local = access("/usr/local/bin/julia", X_OK) == 0;
    const char *real = is_local ? "/usr/local/bin/julia" : "/usr/bin/julia";
    assert_int_equal(symlink(real, path), 0);
    const extfn_host_options options = {.interpreters = {[EXTFN_JULIA] = path},
                                        .packages = {[EXTFN_JULIA] = directory}};
    test_result answer =
        test_run(&options, EXTFN_JULIA, "->N", "using Mine\nresult = Mine.answer()", 30);
    (void)nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    ASSERT_NUMBER(answer, 42.0);
    test_result_clear(&answer);
}

static void an_interpreter_that_is_none_is_told(void **state)
{
    (void)state;
    REQUIRE_BWRAP();
    static const char *const paths[] = {"/usr/bin/true", "/etc/passwd", "/usr/bin", "relative"};
    static const extfn_language languages[] = {EXTFN_PYTHON, EXTFN_JULIA};
    for (size_t i = 0; i < 2 * sizeof(paths) / sizeof(paths[0]); i++) {
        const extfn_language language = languages[i % 2];
        extfn_host_options options = {0};
        options.interpreters[language] = paths[i / 2];
        test_result result = test_run(&options, language, "->N", "result = 1", 10);
        if (result.status != EXTFN_EUNAVAILABLE && result.status != EXTFN_EINVAL)
            fail_msg("%s: %s", paths[i / 2], result.err.message);
        test_result_clear(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_virtual_environment_runs_with_its_packages),
        cmocka_unit_test(numpy_is_there_when_the_operator_names_its_directory),
        cmocka_unit_test(a_julia_that_is_named_runs_with_its_packages),
        cmocka_unit_test(an_interpreter_that_is_none_is_told),
    };
    return cmocka_run_group_tests_name("interpreters", tests, NULL, NULL);
}
