#include "base/auto.h"
#include "os/fd.h"
#include "support/fds.h"
#include "support/process.h"
#include "support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void assert_is_private(int fd)
{
    assert_true(fd > 2);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
}

static void a_pipe_carries_bytes(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int read_end = -1;
    XF_AUTO_CLOSE int write_end = -1;
    assert_int_equal(xf_pipe_open(&read_end, &write_end, NULL), EXTFN_OK);
    assert_is_private(read_end);
    assert_is_private(write_end);
    assert_int_equal(write(write_end, "x", 1), 1);
    char byte = 0;
    assert_int_equal(read(read_end, &byte, 1), 1);
    assert_int_equal(byte, 'x');
}

static void closed_stdio_is_never_taken(void **state)
{
    (void)state;
    int saved[3];
    for (int i = 0; i < 3; i++) {
        saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
        (void)close(i);
    }
    int fds[5] = {-1, -1, -1, -1, -1};
    extfn_status statuses[] = {
        xf_pipe_open(&fds[0], &fds[1], NULL),
        xf_memfd_open("a", 1, &fds[2], NULL),
        xf_memfd_with("b", "b", 1, &fds[3], NULL),
        xf_pidfd_open_self(&fds[4], NULL),
    };
    bool is_free = fcntl(0, F_GETFD) < 0 && fcntl(1, F_GETFD) < 0 && fcntl(2, F_GETFD) < 0;
    for (int i = 0; i < 3; i++) {
        if (saved[i] >= 0) {
            (void)dup2(saved[i], i);
            (void)close(saved[i]);
        }
    }
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(statuses[i], EXTFN_OK);
    assert_true(is_free);
    for (size_t i = 0; i < 5; i++) {
        assert_is_private(fds[i]);
        (void)close(fds[i]);
    }
}

static void a_filled_memfd_reads_from_its_start_and_cannot_change(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int fd = -1;
    assert_int_equal(xf_memfd_with("file", "abc", 3, &fd, NULL), EXTFN_OK);
    char data[8] = {0};
    assert_int_equal(read(fd, data, sizeof(data)), 3);
    assert_string_equal(data, "abc");
    assert_int_equal(pwrite(fd, "x", 1, 0), -1);
    assert_int_equal(ftruncate(fd, 0), -1);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
}

static void an_open_memfd_has_its_size(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int fd = -1;
    assert_int_equal(xf_memfd_open("map", 8192, &fd, NULL), EXTFN_OK);
    struct stat found;
    assert_int_equal(fstat(fd, &found), 0);
    assert_int_equal(found.st_size, 8192);
}

static void a_sealed_request_map_is_written_only_through_older_maps(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int fd = -1;
    assert_int_equal(xf_memfd_open("map", 4096, &fd, NULL), EXTFN_OK);
    char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(map, MAP_FAILED);
    assert_int_equal(xf_memfd_seal(fd, true, NULL), EXTFN_OK);
    map[0] = 'x';
    char byte = 0;
    assert_int_equal(pread(fd, &byte, 1, 0), 1);
    assert_int_equal(byte, 'x');
    assert_int_equal(pwrite(fd, "y", 1, 0), -1);
    assert_ptr_equal(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
    assert_int_equal(munmap(map, 4096), 0);
}

static void a_sealed_reply_map_is_written_but_not_resized(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int fd = -1;
    assert_int_equal(xf_memfd_open("map", 4096, &fd, NULL), EXTFN_OK);
    assert_int_equal(xf_memfd_seal(fd, false, NULL), EXTFN_OK);
    assert_int_equal(pwrite(fd, "y", 1, 0), 1);
    assert_int_equal(ftruncate(fd, 0), -1);
    assert_int_equal(ftruncate(fd, 8192), -1);
    extfn_error err = {0};
    assert_int_equal(xf_memfd_seal(fd, true, &err), EXTFN_EIO);
    assert_int_equal(err.os_errno, EPERM);
}

static void a_nonblocking_read_returns_at_once(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int read_end = -1;
    XF_AUTO_CLOSE int write_end = -1;
    assert_int_equal(xf_pipe_open(&read_end, &write_end, NULL), EXTFN_OK);
    assert_int_equal(xf_fd_set_nonblocking(read_end, NULL), EXTFN_OK);
    char byte;
    assert_int_equal(read(read_end, &byte, 1), -1);
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(xf_fd_set_nonblocking(-1, NULL), EXTFN_EIO);
}

static void the_own_pidfd_is_quiet(void **state)
{
    (void)state;
    XF_AUTO_CLOSE int fd = -1;
    assert_int_equal(xf_pidfd_open_self(&fd, NULL), EXTFN_OK);
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&polled, 1, 0), 0);
}

static void make_under_a_limit_of_sizes(void *context)
{
    (void)context;
    const struct rlimit limit = {.rlim_cur = 4096, .rlim_max = 4096};
    int fd = -1;
    extfn_error err = {0};
    char data[8192] = {0};
    bool is_right = setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
                    xf_memfd_open("test", 4096, &fd, &err) == EXTFN_OK &&
                    xf_memfd_open("test", 4097, &fd, &err) == EXTFN_EIO &&
                    xf_memfd_with("test", data, sizeof(data), &fd, &err) == EXTFN_EIO &&
                    err.os_errno == EFBIG;
    _exit(is_right ? 7 : 1);
}

static void a_limit_of_file_sizes_is_an_error_and_no_signal(void **state)
{
    (void)state;
    assert_int_equal(test_in_child(make_under_a_limit_of_sizes, NULL), 7);
}

static void failures_leave_no_descriptor(void **state)
{
    (void)state;
    int before = xf_test_fd_count();
    int fd = -1;
    assert_int_equal(xf_memfd_open("too big", SIZE_MAX, &fd, NULL), EXTFN_EIO);
    assert_int_equal(xf_pidfd_open(-1, &fd, NULL), EXTFN_EIO);
    assert_int_equal(fd, -1);
    assert_int_equal(xf_test_fd_count(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_carries_bytes),
        cmocka_unit_test(closed_stdio_is_never_taken),
        cmocka_unit_test(a_filled_memfd_reads_from_its_start_and_cannot_change),
        cmocka_unit_test(an_open_memfd_has_its_size),
        cmocka_unit_test(a_sealed_request_map_is_written_only_through_older_maps),
        cmocka_unit_test(a_sealed_reply_map_is_written_but_not_resized),
        cmocka_unit_test(a_nonblocking_read_returns_at_once),
        cmocka_unit_test(the_own_pidfd_is_quiet),
        cmocka_unit_test(a_limit_of_file_sizes_is_an_error_and_no_signal),
        cmocka_unit_test(failures_leave_no_descriptor),
    };
    return cmocka_run_group_tests_name("fd", tests, NULL, NULL);
}
