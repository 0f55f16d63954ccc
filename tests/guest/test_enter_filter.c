/* How extfn-enter sees whether the first filter holds: each filter in a child of its own.
 * SPDX-License-Identifier: MIT */
#include "guest/enter/filter.h"
#include "support/unit.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN_FORCE = 1, KILLS = 2, NOT_LOADED = 8 };

#define NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define UNLESS(number, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, (skipped))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))

static xf_filter allows = {.code = {ANSWER(SECCOMP_RET_ALLOW)}, .count = 1};
static xf_filter refuses = {.code = {NUMBER, UNLESS(SYS_prctl, 1),
                                     ANSWER(SECCOMP_RET_ERRNO | EPERM), UNLESS(SYS_unshare, 1),
                                     ANSWER(SECCOMP_RET_ERRNO | EPERM), ANSWER(SECCOMP_RET_ALLOW)},
                            .count = 6};
static xf_filter kills = {.code = {NUMBER, UNLESS(SYS_prctl, 1), ANSWER(SECCOMP_RET_ERRNO | EPERM),
                                   UNLESS(SYS_unshare, 1), ANSWER(SECCOMP_RET_KILL_PROCESS),
                                   ANSWER(SECCOMP_RET_ALLOW)},
                          .count = 6};

/* What is seen of it; NULL: there is none. */
static int look_at(xf_filter *given)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (given && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !xf_filter_load(given)))
            _exit(NOT_LOADED);
        _exit((xf_filter_is_in_force() ? IN_FORCE : 0) | (xf_filter_kills() ? KILLS : 0));
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_filter_is_seen_by_its_answers(void **state)
{
    (void)state;
    assert_int_equal(look_at(NULL), 0);
    assert_int_equal(look_at(&allows), 0);
    assert_int_equal(look_at(&refuses), IN_FORCE);
    assert_int_equal(look_at(&kills), IN_FORCE | KILLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_filter_is_seen_by_its_answers),
    };
    return cmocka_run_group_tests_name("enter_filter", tests, NULL, NULL);
}
