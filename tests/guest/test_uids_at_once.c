/* Supervisors that start together look for uids in the same range. SPDX-License-Identifier: MIT */
#include "guest/supervise/uid.h"

#include "support/require.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST 61300U
#define SEEKERS 8U /* and as many uids */
#define ROUNDS 60

static bool is_root(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(geteuid() == 0 && setresuid(FIRST, FIRST, FIRST) == 0 ? 0 : 1);
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* Starts to look when `start` is closed, tells its uid, and keeps it until `end` is closed. */
static void seek(const int start[2], const int end[2], int told)
{
    (void)close(start[1]);
    (void)close(end[1]);
    char byte;
    (void)!read(start[0], &byte, 1);
    bool is_dropped = false;
    bool is_right = xf_uid_drop(FIRST, SEEKERS, &is_dropped) == 0 && is_dropped;
    uint32_t uid = is_right ? getuid() : 0;
    (void)!write(told, &uid, sizeof(uid));
    (void)!read(end[0], &byte, 1);
    _exit(0);
}

/* Returns a set of uids above FIRST. */
static uint32_t let_all_seek(void)
{
    int start[2];
    int end[2];
    int told[2];
    assert_int_equal(pipe(start) | pipe(end) | pipe(told), 0);
    pid_t seekers[SEEKERS];
    for (size_t i = 0; i < SEEKERS; i++) {
        seekers[i] = fork();
        assert_true(seekers[i] >= 0);
        if (seekers[i] == 0)
            seek(start, end, told[1]);
    }
    (void)close(start[1]);
    uint32_t found = 0;
    for (size_t i = 0; i < SEEKERS; i++) {
        uint32_t uid = 0;
        assert_int_equal(read(told[0], &uid, sizeof(uid)), sizeof(uid));
        found |= uid >= FIRST && uid < FIRST + SEEKERS ? 1U << (uid - FIRST) : 0;
    }
    (void)close(end[1]);
    for (size_t i = 0; i < SEEKERS; i++)
        assert_int_equal(waitpid(seekers[i], NULL, 0), seekers[i]);
    const int fds[] = {start[0], end[0], told[0], told[1]};
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
        (void)close(fds[i]);
    return found;
}

/* Each tries uids that others have, and takes none of them away. */
static void as_many_as_there_are_uids_all_have_one(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("root", is_root());
    for (int round = 0; round < ROUNDS; round++)
        assert_int_equal(let_all_seek(), (1U << SEEKERS) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_as_there_are_uids_all_have_one)};
    return cmocka_run_group_tests_name("uids_at_once", tests, NULL, NULL);
}
