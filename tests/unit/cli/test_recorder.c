/* Files of records. SPDX-License-Identifier: MIT */
#include "cli/recorder.h"
#include "support/temporary.h"
#include "support/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct folder {
    char path[64];
    int fd;
} folder;

static folder folder_open(void)
{
    folder made;
    assert_non_null(temporary_folder(made.path, sizeof(made.path), "/tmp"));
    made.fd = open(made.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(made.fd >= 0);
    return made;
}

/* Removes what is in it; returns how many there were. */
static int folder_clear(folder *made)
{
    DIR *list = fdopendir(made->fd);
    assert_non_null(list);
    int count = 0;
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            assert_int_equal(unlinkat(made->fd, entry->d_name, 0), 0);
            count++;
        }
    }
    (void)closedir(list);
    assert_int_equal(rmdir(made->path), 0);
    return count;
}

static void a_file_is_for_its_owner_alone_and_whole(void **state)
{
    (void)state;
    folder made = folder_open();
    extfn_error err = {0};
    assert_int_equal(cli_record_write(made.fd, "a.json", "{}\n", 3, &err), EXTFN_OK);
    struct stat info;
    assert_int_equal(fstatat(made.fd, "a.json", &info, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(info.st_mode, S_IFREG | 0600);
    assert_int_equal(info.st_size, 3);
    assert_int_equal(folder_clear(&made), 1);
}

static void a_link_under_its_name_is_replaced_and_not_followed(void **state)
{
    (void)state;
    folder made = folder_open();
    extfn_error err = {0};
    assert_int_equal(cli_record_write(made.fd, "target", "old", 3, &err), EXTFN_OK);
    assert_int_equal(symlinkat("target", made.fd, "a.json"), 0);
    assert_int_equal(cli_record_write(made.fd, "a.json", "longer", 6, &err), EXTFN_OK);
    struct stat info;
    assert_int_equal(fstatat(made.fd, "target", &info, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(info.st_size, 3);
    assert_int_equal(fstatat(made.fd, "a.json", &info, AT_SYMLINK_NOFOLLOW), 0);
    assert_true(S_ISREG(info.st_mode));
    assert_int_equal(folder_clear(&made), 2);
}

static void what_lies_where_it_is_written_is_left_alone(void **state)
{
    (void)state;
    folder made = folder_open();
    char temporary[64];
    (void)snprintf(temporary, sizeof(temporary), ".a.json.%ld.tmp", (long)getpid());
    assert_int_equal(symlinkat("elsewhere", made.fd, temporary), 0);
    extfn_error err = {0};
    assert_int_equal(cli_record_write(made.fd, "a.json", "{}", 2, &err), EXTFN_EIO);
    assert_int_equal(faccessat(made.fd, "elsewhere", F_OK, 0), -1);
    assert_int_equal(folder_clear(&made), 1);
}

static void a_file_that_cannot_be_put_in_place_leaves_nothing(void **state)
{
    (void)state;
    folder made = folder_open();
    extfn_error err = {0};
    assert_int_equal(mkdirat(made.fd, "a.json", 0700), 0);
    assert_int_equal(cli_record_write(made.fd, "a.json", "{}", 2, &err), EXTFN_EIO);
    assert_string_equal(err.message, "write 'a.json': Is a directory");
    assert_int_equal(unlinkat(made.fd, "a.json", AT_REMOVEDIR), 0);
    assert_int_equal(folder_clear(&made), 0);
}

static void a_directory_is_made_and_must_be_one(void **state)
{
    (void)state;
    folder made = folder_open();
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/new", made.path);
    cli_recorder recorder = CLI_RECORDER_CLOSED;
    extfn_error err = {0};
    assert_int_equal(cli_recorder_open(path, NULL, &recorder, &err), EXTFN_OK);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode, S_IFDIR | 0700);
    cli_recorder_close(&recorder);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(cli_record_write(made.fd, "new", "x", 1, &err), EXTFN_OK);
    assert_int_equal(cli_recorder_open(path, NULL, &recorder, &err), EXTFN_EIO);
    assert_int_equal(recorder.directory_fd, -1);
    assert_int_equal(folder_clear(&made), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_for_its_owner_alone_and_whole),
        cmocka_unit_test(a_link_under_its_name_is_replaced_and_not_followed),
        cmocka_unit_test(what_lies_where_it_is_written_is_left_alone),
        cmocka_unit_test(a_file_that_cannot_be_put_in_place_leaves_nothing),
        cmocka_unit_test(a_directory_is_made_and_must_be_one),
    };
    return cmocka_run_group_tests_name("recorder", tests, NULL, NULL);
}
