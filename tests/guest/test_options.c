/* The command line of extfn-enter. SPDX-License-Identifier: MIT */
#include "guest/enter/options.h"
#include "support/unit.h"

#include <stdio.h>
#include <sys/resource.h>

static const char *read_line(const char *settings, const char *first_fd, xf_enter_options *ret)
{
    static char words[5][256];
    static char *argv[6];
    const char *const from[] = {"extfn-enter", settings, first_fd, "--", "/bin/true"};
    for (size_t i = 0; i < 5; i++) {
        (void)snprintf(words[i], sizeof(words[i]), "%s", from[i]);
        argv[i] = words[i];
    }
    return xf_enter_options_read(5, argv, ret);
}

/* Number of limits of that resource that are set to that value. */
static int count_set(const xf_enter_options *options, int resource, uint64_t value)
{
    int count = 0;
    for (size_t i = 0; i < XF_ENTER_LIMITS; i++) {
        const xf_enter_limit *limit = &options->limits[i];
        if (limit->is_set && limit->resource == resource && limit->value == value)
            count++;
    }
    return count;
}

static void every_key_names_its_limit(void **state)
{
    (void)state;
    const char *line = "data=1,as=2,nofile=3,fsize=4,nproc=5,stack=6,core=7,memlock=8,msgqueue=9,"
                       "sigpending=10";
    const int resources[] = {RLIMIT_DATA,     RLIMIT_AS,        RLIMIT_NOFILE, RLIMIT_FSIZE,
                             RLIMIT_NPROC,    RLIMIT_STACK,     RLIMIT_CORE,   RLIMIT_MEMLOCK,
                             RLIMIT_MSGQUEUE, RLIMIT_SIGPENDING};
    xf_enter_options options;
    assert_null(read_line(line, "8", &options));
    for (size_t i = 0; i < XF_ENTER_LIMITS; i++)
        assert_int_equal(count_set(&options, resources[i], i + 1), 1);
    assert_false(options.is_trusted);
}

static void only_the_named_limits_are_set(void **state)
{
    (void)state;
    xf_enter_options options;
    assert_null(read_line("nofile=18446744073709551615", "0", &options));
    assert_int_equal(count_set(&options, RLIMIT_NOFILE, UINT64_MAX), 1);
    for (size_t i = 0; i < XF_ENTER_LIMITS; i++)
        assert_int_equal(options.limits[i].is_set, options.limits[i].resource == RLIMIT_NOFILE);
    assert_int_equal(options.first_fd, 0);
    assert_string_equal(options.program[0], "/bin/true");
    assert_null(options.program[1]);
}

static void trusted_is_a_word_of_its_own(void **state)
{
    (void)state;
    xf_enter_options options;
    assert_null(read_line("trusted=1", "12", &options));
    assert_true(options.is_trusted);
    assert_int_equal(options.first_fd, 12);
    assert_null(read_line("trusted=0", "12", &options));
    assert_false(options.is_trusted);
    assert_non_null(read_line("trusted=2", "12", &options));
}

static void the_filter_is_there_or_in_a_descriptor(void **state)
{
    (void)state;
    xf_enter_options options;
    assert_null(read_line("data=1", "8", &options));
    assert_false(options.is_filtered);
    assert_null(read_line("filter=0,data=1", "8", &options));
    assert_true(options.is_filtered);
    assert_int_equal(options.filter_fd, 0);
    assert_null(read_line("data=1,filter=15", "8", &options));
    assert_true(options.is_filtered);
    assert_int_equal(options.filter_fd, 15);
    assert_non_null(read_line("filter=2147483648", "8", &options));
}

static void a_network_has_a_number(void **state)
{
    (void)state;
    xf_enter_options options;
    assert_null(read_line("data=1", "8", &options));
    assert_true(options.network == 0);
    assert_null(read_line("net=18446744073709551615,filter=0", "8", &options));
    assert_true(options.network == UINT64_MAX);
    assert_non_null(read_line("net=", "8", &options));
}

static void shown_paths_stand_before_the_mark(void **state)
{
    (void)state;
    char words[][8] = {"enter", "data=1", "8", "/usr", "/b", "--", "/bin/x", "--"};
    char *argv[9] = {0};
    for (size_t i = 0; i < 8; i++)
        argv[i] = words[i];
    xf_enter_options options;
    assert_null(xf_enter_options_read(8, argv, &options));
    assert_string_equal(options.shown[0], "/usr");
    assert_string_equal(options.shown[1], "/b");
    assert_null(options.shown[2]);
    assert_string_equal(options.program[0], "/bin/x");
    assert_string_equal(options.program[1], "--");
    assert_null(options.program[2]);
    assert_null(read_line("data=1", "8", &options));
    assert_null(options.shown[0]);
}

static void settings_that_are_not_understood_are_refused(void **state)
{
    (void)state;
    const char *wrong[] = {"",
                           "data",
                           "data=",
                           "data=x",
                           "data=-1",
                           "data= 1",
                           "data=1,",
                           ",data=1",
                           "dat=1",
                           "datas=1",
                           "DATA=1",
                           "=1",
                           "data=1;as=2",
                           "cpu=1",
                           "data=18446744073709551616",
                           "data=1,,as=2"};
    xf_enter_options options;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_non_null(read_line(wrong[i], "8", &options));
}

static void descriptors_that_are_none_are_refused(void **state)
{
    (void)state;
    xf_enter_options options;
    assert_non_null(read_line("data=1", "", &options));
    assert_non_null(read_line("data=1", "-1", &options));
    assert_non_null(read_line("data=1", "x", &options));
    assert_non_null(read_line("data=1", "2147483648", &options));
}

static void a_line_without_a_program_is_refused(void **state)
{
    (void)state;
    char name[] = "extfn-enter";
    char settings[] = "data=1";
    char first_fd[] = "8";
    char mark[] = "--";
    char *argv[] = {name, settings, first_fd, mark, NULL};
    char *unmarked[] = {name, settings, first_fd, first_fd, first_fd, NULL};
    xf_enter_options options;
    assert_non_null(xf_enter_options_read(4, argv, &options));
    assert_non_null(xf_enter_options_read(0, argv + 4, &options));
    assert_non_null(xf_enter_options_read(5, unmarked, &options));
}

static void its_name_is_the_last_component(void **state)
{
    (void)state;
    assert_true(xf_is_called("sh", "sh"));
    assert_true(xf_is_called("/bin/sh", "sh"));
    assert_false(xf_is_called("/bin/sh/", "sh"));
    assert_false(xf_is_called("/bin/bash", "sh"));
    assert_false(xf_is_called("", "sh"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_names_its_limit),
        cmocka_unit_test(only_the_named_limits_are_set),
        cmocka_unit_test(trusted_is_a_word_of_its_own),
        cmocka_unit_test(the_filter_is_there_or_in_a_descriptor),
        cmocka_unit_test(a_network_has_a_number),
        cmocka_unit_test(shown_paths_stand_before_the_mark),
        cmocka_unit_test(settings_that_are_not_understood_are_refused),
        cmocka_unit_test(descriptors_that_are_none_are_refused),
        cmocka_unit_test(a_line_without_a_program_is_refused),
        cmocka_unit_test(its_name_is_the_last_component),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
