/* Reading the plan. SPDX-License-Identifier: MIT */
#include "guest/supervise/plan.h"
#include "support/unit.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char strings[] = "/bin/cat\0--\0\0A=1\0B="; /* the last NUL is the literal's own */

typedef struct input {
    xf_plan plan;
    char strings[sizeof(strings)];
} input;

static input valid_input(void)
{
    input made = {.plan = {.magic = XF_WIRE_MAGIC,
                           .version = XF_WIRE_VERSION,
                           .uid_first = 1000,
                           .uid_count = 10,
                           .argc = 3,
                           .envc = 2,
                           .strings_size = sizeof(strings),
                           .file_count = 2,
                           .start_limit_us = 30}};
    memcpy(made.strings, strings, sizeof(strings));
    return made;
}

static size_t input_size(void)
{
    return offsetof(input, strings) + sizeof(strings);
}

static int read_input(input *from)
{
    xf_task task;
    return xf_task_read((char *)from, input_size(), &task);
}

static void a_plan_is_taken_apart(void **state)
{
    (void)state;
    input made = valid_input();
    xf_task task;
    assert_int_equal(xf_task_read((char *)&made, input_size(), &task), 0);
    assert_string_equal(task.argv[0], "/bin/cat");
    assert_string_equal(task.argv[1], "--");
    assert_string_equal(task.argv[2], "");
    assert_null(task.argv[3]);
    assert_string_equal(task.envp[0], "A=1");
    assert_string_equal(task.envp[1], "B=");
    assert_null(task.envp[2]);
    assert_int_equal(task.plan.start_limit_us, 30);
}

static void an_empty_environment_is_fine(void **state)
{
    (void)state;
    input made = valid_input();
    made.plan.argc = 5;
    made.plan.envc = 0;
    xf_task task;
    assert_int_equal(xf_task_read((char *)&made, input_size(), &task), 0);
    assert_null(task.envp[0]);
}

static void the_last_string_may_be_a_folder(void **state)
{
    (void)state;
    input made = valid_input();
    xf_task task;
    assert_int_equal(xf_task_read((char *)&made, input_size(), &task), 0);
    assert_null(task.group[0]);
    made.plan.envc = 1;
    made.plan.has_group = 1;
    assert_int_equal(xf_task_read((char *)&made, input_size(), &task), 0);
    assert_null(task.envp[1]);
    assert_string_equal(task.group[0], "B=");
}

static void a_plan_that_is_cut_is_refused(void **state)
{
    (void)state;
    for (size_t size = 0; size < input_size(); size++) {
        input made = valid_input();
        xf_task task;
        if (size >= sizeof(xf_plan))
            made.plan.strings_size = (uint32_t)(size - sizeof(xf_plan));
        assert_int_equal(xf_task_read((char *)&made, size, &task), EPROTO);
    }
}

static const struct {
    size_t field;
    uint32_t bad;
} wrong_headers[] = {
    {offsetof(xf_plan, magic), 1},
    {offsetof(xf_plan, version), XF_WIRE_VERSION + 1},
    {offsetof(xf_plan, argc), 0},
    {offsetof(xf_plan, argc), 2},
    {offsetof(xf_plan, argc), 4},
    {offsetof(xf_plan, argc), UINT32_MAX},
    {offsetof(xf_plan, envc), UINT32_MAX},
    {offsetof(xf_plan, strings_size), sizeof(strings) + 1},
    {offsetof(xf_plan, file_count), XF_PLAN_FILES_LIMIT + 1},
    {offsetof(xf_plan, has_group), 1},
    {offsetof(xf_plan, has_group), 2},
    /* a range of uids is without root and does not wrap around */
    {offsetof(xf_plan, uid_first), 0},
    {offsetof(xf_plan, uid_first), UINT32_MAX - 9},
    {offsetof(xf_plan, uid_count), UINT32_MAX - 1000},
};

static void a_wrong_header_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(wrong_headers) / sizeof(wrong_headers[0]); i++) {
        input made = valid_input();
        memcpy((char *)&made.plan + wrong_headers[i].field, &wrong_headers[i].bad,
               sizeof(wrong_headers[i].bad));
        assert_int_equal(read_input(&made), EPROTO);
    }
}

static void a_relative_command_is_refused(void **state)
{
    (void)state;
    input made = valid_input();
    made.strings[0] = 'x';
    assert_int_equal(read_input(&made), EPROTO);
}

static void too_many_strings_are_refused(void **state)
{
    (void)state;
    static struct {
        xf_plan plan;
        char strings[XF_PLAN_STRINGS_LIMIT + 2];
    } made;
    memset(made.strings, 0, sizeof(made.strings));
    made.plan = valid_input().plan;
    made.plan.argc = XF_PLAN_STRINGS_LIMIT;
    made.plan.envc = 1;
    made.plan.strings_size = XF_PLAN_STRINGS_LIMIT + 1;
    xf_task task;
    assert_int_equal(xf_task_read((char *)&made, sizeof(xf_plan) + made.plan.strings_size, &task),
                     EPROTO);
}

static void a_memfd_is_read(void **state)
{
    (void)state;
    input made = valid_input();
    xf_task task;
    int fd = memfd_create("plan", MFD_CLOEXEC);
    assert_int_equal(xf_task_open(fd, &task), EPROTO);
    assert_int_equal(write(fd, &made, input_size()), input_size());
    assert_int_equal(xf_task_open(fd, &task), 0);
    assert_string_equal(task.argv[0], "/bin/cat");
    (void)munmap(task.argv[0] - sizeof(xf_plan), input_size());
    assert_int_equal(ftruncate(fd, XF_PLAN_SIZE_LIMIT + 1), 0);
    assert_int_equal(xf_task_open(fd, &task), EPROTO);
    close(fd);
    assert_int_equal(xf_task_open(-1, &task), EBADF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_taken_apart),
        cmocka_unit_test(an_empty_environment_is_fine),
        cmocka_unit_test(the_last_string_may_be_a_folder),
        cmocka_unit_test(a_plan_that_is_cut_is_refused),
        cmocka_unit_test(a_wrong_header_is_refused),
        cmocka_unit_test(a_relative_command_is_refused),
        cmocka_unit_test(too_many_strings_are_refused),
        cmocka_unit_test(a_memfd_is_read),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
