/* Output files that appear whole or not at all, and inputs. SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"
#include "cli/io.h"
#include "support/temporary.h"
#include "support/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int make_directory(void **state)
{
    static char path[TEMPORARY_SIZE];
    *state = temporary_folder(path, sizeof(path), "/tmp");
    return *state ? 0 : -1;
}

static int remove_directory(void **state)
{
    DIR *directory = opendir(*state);
    const struct dirent *entry = NULL;
    while (directory && (entry = readdir(directory)) != NULL)
        (void)unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        (void)closedir(directory);
    return rmdir(*state);
}

static const char *path_of(void **state, const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof(path), "%s/%s", (const char *)*state, name);
    return path;
}

static size_t count_files(void **state)
{
    DIR *directory = opendir(*state);
    assert_non_null(directory);
    size_t count = 0;
    const struct dirent *entry = NULL;
    while ((entry = readdir(directory)) != NULL)
        count += entry->d_name[0] != '.' || strncmp(entry->d_name, ".extfn", 6) == 0;
    (void)closedir(directory);
    return count;
}

static void assert_content(const char *path, const char *content)
{
    CLI_AUTO(cli_input_close) cli_input input = {0};
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    extfn_error err = {0};
    assert_int_equal(cli_input_open(path, &input, &err), EXTFN_OK);
    assert_int_equal(cli_input_read_all(&input, 1000, &text, &err), EXTFN_OK);
    assert_string_equal(text.data, content);
}

static void write_file(const char *path, const char *content)
{
    CLI_AUTO(cli_output_close) cli_output output = {.fd = -1, .directory_fd = -1};
    extfn_error err = {0};
    assert_int_equal(cli_output_create(path, &output, &err), EXTFN_OK);
    assert_int_equal(cli_output_write_text(&output, content, &err), EXTFN_OK);
    assert_int_equal(cli_output_commit(&output, &err), EXTFN_OK);
}

static void a_file_appears_when_it_is_committed(void **state)
{
    const char *path = path_of(state, "out");
    CLI_AUTO(cli_output_close) cli_output output = {.fd = -1, .directory_fd = -1};
    extfn_error err = {0};
    assert_int_equal(cli_output_create(path, &output, &err), EXTFN_OK);
    assert_int_equal(cli_output_write_text(&output, "content", &err), EXTFN_OK);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(cli_output_commit(&output, &err), EXTFN_OK);
    assert_content(path, "content");
    assert_int_equal(count_files(state), 1);
}

static void nothing_is_left_of_what_was_not_committed(void **state)
{
    const char *path = path_of(state, "out");
    cli_output output = {.fd = -1, .directory_fd = -1};
    extfn_error err = {0};
    assert_int_equal(cli_output_create(path, &output, &err), EXTFN_OK);
    assert_int_equal(cli_output_write_text(&output, "content", &err), EXTFN_OK);
    assert_true(count_files(state) <= 1); /* where it must have a name */
    cli_output_close(&output);
    assert_int_equal(count_files(state), 0);
}

static void a_name_of_the_temporary_file_that_is_taken_is_passed_over(void **state)
{
    char name[64];
    (void)snprintf(name, sizeof(name), ".extfn-%ld-0.tmp", (long)getpid());
    write_file(path_of(state, name), "other");
    write_file(path_of(state, "out"), "content");
    assert_content(path_of(state, "out"), "content");
    assert_content(path_of(state, name), "other");
    assert_int_equal(count_files(state), 2);
}

/* From here on files without a name cannot be made: as on a file system that has none. */
static void forbid_files_without_a_name(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof(code) / sizeof(code[0]), .filter = code};
    assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static void where_files_need_a_name_it_is_the_same(void **state)
{
    forbid_files_without_a_name();
    a_file_appears_when_it_is_committed(state);
    write_file(path_of(state, "out"), "again");
    assert_content(path_of(state, "out"), "again");
    assert_int_equal(unlink(path_of(state, "out")), 0);
    nothing_is_left_of_what_was_not_committed(state);
    a_name_of_the_temporary_file_that_is_taken_is_passed_over(state);
}

static void a_former_file_is_replaced_and_its_mode_kept(void **state)
{
    const char *path = path_of(state, "out");
    write_file(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    write_file(path, "new");
    assert_content(path, "new");
    struct stat info = {0};
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void a_link_stays_a_link(void **state)
{
    char target[128];
    (void)snprintf(target, sizeof(target), "%s", path_of(state, "target"));
    write_file(target, "old");
    const char *path = path_of(state, "link");
    assert_int_equal(symlink("target", path), 0);
    write_file(path, "new");
    struct stat info = {0};
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_content(target, "new");
}

static void a_device_is_written_and_not_replaced(void **state)
{
    (void)state;
    write_file("/dev/null", "gone");
    struct stat info = {0};
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

static void places_that_cannot_be_written_are_named(void **state)
{
    cli_output output = {.fd = -1, .directory_fd = -1};
    extfn_error err = {0};
    assert_int_equal(cli_output_create(*state, &output, &err), EXTFN_EIO);
    assert_non_null(strstr(err.message, "Is a directory"));
    assert_int_equal(cli_output_create("/nonexistent/out", &output, &err), EXTFN_EIO);
    assert_non_null(strstr(err.message, "No such file or directory"));
    char name[300];
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_int_equal(cli_output_create(name, &output, &err), EXTFN_EIO);
    assert_non_null(strstr(err.message, "File name too long"));
    assert_int_equal(cli_output_create("/dev/full", &output, &err), EXTFN_OK);
    assert_int_equal(cli_output_write_text(&output, "x", &err), EXTFN_OK);
    assert_int_equal(cli_output_commit(&output, &err), EXTFN_EIO);
    assert_string_equal(err.message, "write '/dev/full': No space left on device");
    cli_output_close(&output);
}

static void long_content_is_written_on_the_way(void **state)
{
    static char piece[100000];
    memset(piece, 'x', sizeof(piece));
    const char *path = path_of(state, "out");
    CLI_AUTO(cli_output_close) cli_output output = {.fd = -1, .directory_fd = -1};
    extfn_error err = {0};
    assert_int_equal(cli_output_create(path, &output, &err), EXTFN_OK);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(cli_output_write(&output, piece, i % 2 ? 1000 : 100000, &err), EXTFN_OK);
    assert_true(output.pending.capacity < 300000);
    assert_int_equal(cli_output_commit(&output, &err), EXTFN_OK);
    struct stat info = {0};
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_size, 500 * 101000);
}

static void an_input_over_the_limit_is_refused(void **state)
{
    const char *path = path_of(state, "in");
    write_file(path, "12345");
    CLI_AUTO(cli_input_close) cli_input input = {0};
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    extfn_error err = {0};
    assert_int_equal(cli_input_open(path, &input, &err), EXTFN_OK);
    assert_int_equal(cli_input_read_all(&input, 4, &text, &err), EXTFN_EINVAL);
}

static void an_input_that_is_not_there_is_named(void **state)
{
    cli_input input = {0};
    extfn_error err = {0};
    assert_int_equal(cli_input_open(path_of(state, "none"), &input, &err), EXTFN_EIO);
    assert_non_null(strstr(err.message, "/none': No such file or directory"));
}

#define WITH_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DIRECTORY(a_file_appears_when_it_is_committed),
        WITH_DIRECTORY(nothing_is_left_of_what_was_not_committed),
        WITH_DIRECTORY(a_former_file_is_replaced_and_its_mode_kept),
        WITH_DIRECTORY(a_link_stays_a_link),
        WITH_DIRECTORY(a_device_is_written_and_not_replaced),
        WITH_DIRECTORY(places_that_cannot_be_written_are_named),
        WITH_DIRECTORY(long_content_is_written_on_the_way),
        WITH_DIRECTORY(an_input_over_the_limit_is_refused),
        WITH_DIRECTORY(an_input_that_is_not_there_is_named),
        WITH_DIRECTORY(a_name_of_the_temporary_file_that_is_taken_is_passed_over),
        WITH_DIRECTORY(where_files_need_a_name_it_is_the_same), /* the last: for the process */
    };
    return cmocka_run_group_tests_name("cli/output", tests, NULL, NULL);
}
