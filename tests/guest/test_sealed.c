/* The late filter at work: children that load the library, seal themselves and try what must fail.
 * SPDX-License-Identifier: MIT */
#include "support/unit.h"
#include "wire/wire.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*seal_fn)(void);

/* What the late filter alone holds. */
#define SEALED                                                                                     \
    (XF_READY_SEALED | (XF_PROOF_FORK | XF_PROOF_EXECUTE | XF_PROOF_SIGNAL | XF_PROOF_CHANGE |     \
                        XF_PROOF_SHARED_MEMORY)                                                    \
                           << XF_PROOF_SHIFT)

static seal_fn load(void)
{
    void *library = dlopen(getenv("EXTFN_TEST_GUEST"), RTLD_NOW);
    void *symbol = library ? dlsym(library, "xf_guest_seal") : NULL;
    seal_fn seal;
    memcpy(&seal, &symbol, sizeof(seal)); /* ISO C knows no cast for this */
    return seal;
}

/* Runs `act` in a sealed child; the wait status of it. `act` returns 0 for success. */
static int run_sealed(int (*act)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        seal_fn seal = load();
        _exit(seal && seal() == SEALED ? act() : 99);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static int refuses(long result, int expected)
{
    return result == -1 && errno == expected ? 0 : 1;
}

/* Bad pointers: should a call be let through, it fails in another way and does no harm. */
static int start_processes(void)
{
    return refuses(syscall(SYS_execve, 8, 8, 8), EPERM) |
           refuses(syscall(SYS_execveat, -1, 8, 8, 8, 0), EPERM) | refuses(fork(), EPERM) |
           refuses(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0), EPERM) |
           refuses(syscall(SYS_clone3, 8, 8), ENOSYS);
}

static int signal_others(void)
{
    return refuses(kill(getppid(), 0), EPERM) | refuses(kill(0, 0), EPERM) |
           refuses(kill(-1, 0), EPERM) |
           refuses(syscall(SYS_tgkill, getppid(), getppid(), 0), EPERM) |
           refuses(syscall(SYS_tkill, getppid(), 0), EPERM) |
           refuses(syscall(SYS_rt_sigqueueinfo, getppid(), 0, 8), EPERM);
}

static int change_confinement(void)
{
    int pair[2];
    return refuses(prctl(PR_SET_PDEATHSIG, 0), EPERM) |
           refuses(syscall(SYS_seccomp, 1, 0, 8), EPERM) | refuses(setsid(), EPERM) |
           refuses(setpgid(0, 0), EPERM) |
           refuses(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), EPERM);
}

static void *return_argument(void *argument)
{
    return argument;
}

static int use_threads(void)
{
    pthread_t thread;
    int argument;
    void *result = NULL;
    if (pthread_create(&thread, NULL, return_argument, &argument) != 0)
        return 1;
    return pthread_join(thread, &result) == 0 && result == &argument ? 0 : 1;
}

static int abort_itself(void)
{
    abort();
}

static void processes_cannot_be_started(void **state)
{
    (void)state;
    assert_int_equal(run_sealed(start_processes), 0);
}

static void others_cannot_be_signalled(void **state)
{
    (void)state;
    assert_int_equal(run_sealed(signal_others), 0);
}

static void the_confinement_cannot_be_changed(void **state)
{
    (void)state;
    assert_int_equal(run_sealed(change_confinement), 0);
}

static void threads_go_on_working(void **state)
{
    (void)state;
    assert_int_equal(run_sealed(use_threads), 0);
}

static void a_process_can_still_abort(void **state)
{
    (void)state;
    int status = run_sealed(abort_itself);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static int gate[2];

static void *fork_when_told(void *result)
{
    char byte;
    if (read(gate[0], &byte, 1) == 1)
        *(int *)result = refuses(fork(), EPERM);
    return NULL;
}

/* Returns 0 when a thread that ran before the seal cannot fork after it. */
static int seal_beside_a_thread(void)
{
    int result = 1;
    pthread_t thread;
    seal_fn seal = load();
    if (!seal || pipe(gate) != 0 || pthread_create(&thread, NULL, fork_when_told, &result) != 0)
        return 99;
    if (seal() != SEALED || write(gate[1], "x", 1) != 1 || pthread_join(thread, NULL) != 0)
        return 98;
    return result;
}

static void threads_that_ran_before_are_sealed_too(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(seal_beside_a_thread());
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_cannot_be_started),
        cmocka_unit_test(others_cannot_be_signalled),
        cmocka_unit_test(the_confinement_cannot_be_changed),
        cmocka_unit_test(threads_go_on_working),
        cmocka_unit_test(a_process_can_still_abort),
        cmocka_unit_test(threads_that_ran_before_are_sealed_too),
    };
    return cmocka_run_group_tests_name("sealed", tests, NULL, NULL);
}
