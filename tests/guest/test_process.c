/* A program's knowledge of its own process. SPDX-License-Identifier: MIT */
#include "guest/common/process.h"
#include "support/unit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST 200

/* Exit status of a child that closes: 0 when FIRST - 1 stays open and the ones from FIRST on do
 * not. */
static int close_in_child(void (*close_from)(int))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit limit = {.rlim_cur = 256, .rlim_max = 256};
        bool is_ready = setrlimit(RLIMIT_NOFILE, &limit) == 0 && dup2(0, FIRST - 1) >= 0 &&
                        dup2(0, FIRST) >= 0 && dup2(0, 255) >= 0;
        close_from(FIRST);
        bool is_right =
            fcntl(FIRST - 1, F_GETFD) >= 0 && fcntl(FIRST, F_GETFD) < 0 && fcntl(255, F_GETFD) < 0;
        _exit(is_ready && is_right ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void both_ways_of_closing_close_the_same(void **state)
{
    (void)state;
    assert_int_equal(close_in_child(xf_close_from), 0);
    assert_int_equal(close_in_child(xf_close_each_from), 0);
}

static void writing_tells_failure(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_true(xf_write(ends[1], "abc", 3));
    char read_back[4];
    assert_int_equal(read(ends[0], read_back, sizeof(read_back)), 3);
    assert_false(xf_write(ends[0], "abc", 3));
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_of_closing_close_the_same),
        cmocka_unit_test(writing_tells_failure),
    };
    return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
