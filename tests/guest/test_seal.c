/* The late filter, evaluated for every system call of both architectures without loading it.
 * SPDX-License-Identifier: MIT */
#include "guest/bpf.h"
#include "guest/lib/seal.h"
#include "guest/numbers.h"
#include "support/unit.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#define PID 4711U
#define PAST_EVERY_NUMBER 1024U

typedef enum when { ALWAYS, UNLESS_THREAD, UNLESS_SELF, UNLESS_COUNTED } when;

typedef struct expectation {
    const char *name;
    uint32_t refusal;
    when condition;
} expectation;

static const expectation expectations[SEALED_COUNT] = {
#define X(name, refusal, when) [SEALED_##name] = {#name, refusal, when},
    SEALED_CALLS(X)
#undef X
};

static const struct machine {
    xf_seal_machine machine;
    uint32_t arch;
    const int *numbers;
} machines[] = {
#if defined(__x86_64__)
    {XF_SEAL_X86_64, AUDIT_ARCH_X86_64, numbers_native},
#endif
    {XF_SEAL_AARCH64, AUDIT_ARCH_AARCH64, numbers_generic},
};
#define MACHINE_COUNT (sizeof(machines) / sizeof(machines[0]))

typedef struct filter {
    struct sock_filter code[XF_SEAL_CODE_LIMIT];
    size_t count;
} filter;

static filter build(xf_seal_machine machine)
{
    filter made = {0};
    made.count = xf_seal_build(machine, PID, made.code, XF_SEAL_CODE_LIMIT);
    assert_true(made.count > 0);
    return made;
}

static uint32_t ask(const filter *of, uint32_t arch, uint32_t number, uint64_t argument)
{
    const struct seccomp_data data = {.nr = (int)number,
                                      .arch = arch,
                                      .args = {argument, UINT64_MAX, UINT64_MAX, argument}};
    return bpf_evaluate(of->code, of->count, &data);
}

static const expectation *find(const struct machine *machine, uint32_t number)
{
    for (size_t i = 0; i < SEALED_COUNT; i++) {
        if (machine->numbers[i] >= 0 && (uint32_t)machine->numbers[i] == number)
            return &expectations[i];
    }
    return NULL;
}

/* An argument that each condition refuses. */
static uint64_t refused_argument(const expectation *expected)
{
    if (expected->condition == UNLESS_COUNTED)
        return MAP_SHARED | MAP_ANONYMOUS;
    return expected->condition == UNLESS_SELF ? PID + 1 : (uint64_t) ~(uint32_t)CLONE_THREAD;
}

static void every_number_has_its_answer(void **state)
{
    (void)state;
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        const filter made = build(machines[m].machine);
        for (uint32_t number = 0; number < PAST_EVERY_NUMBER; number++) {
            const expectation *expected = find(&machines[m], number);
            uint64_t argument = expected ? refused_argument(expected) : 0;
            uint32_t answer = ask(&made, machines[m].arch, number, argument);
            uint32_t wanted = expected ? SECCOMP_RET_ERRNO | expected->refusal : SECCOMP_RET_ALLOW;
            if (answer != wanted)
                fail_msg("machine %zu, call %u: %x instead of %x", m, number, answer, wanted);
        }
    }
}

static void every_expectation_was_met_on_each_machine(void **state)
{
    (void)state;
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        for (size_t i = 0; i < SEALED_COUNT; i++) {
            bool is_old = strcmp(expectations[i].name, "fork") == 0 ||
                          strcmp(expectations[i].name, "vfork") == 0;
            if (machines[m].machine == XF_SEAL_X86_64 || !is_old)
                assert_true(machines[m].numbers[i] >= 0);
        }
    }
}

/* `call` is answered with ALLOW exactly for the arguments that its condition names. */
static void check_argument(enum sealed_call call, uint64_t argument, bool is_allowed, int refusal)
{
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        const filter made = build(machines[m].machine);
        uint32_t number = (uint32_t)machines[m].numbers[call];
        uint32_t answer = ask(&made, machines[m].arch, number, argument);
        assert_int_equal(answer,
                         is_allowed ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | (uint32_t)refusal);
    }
}

static void clone_makes_threads_only(void **state)
{
    (void)state;
    check_argument(SEALED_clone, CLONE_THREAD | CLONE_VM | CLONE_SIGHAND, true, EPERM);
    check_argument(SEALED_clone, 17, false, EPERM);
    check_argument(SEALED_clone, CLONE_VM | CLONE_VFORK, false, EPERM);
    check_argument(SEALED_clone, 0, false, EPERM);
}

static void signals_go_to_the_own_process_only(void **state)
{
    (void)state;
    const enum sealed_call calls[] = {SEALED_tgkill, SEALED_rt_sigqueueinfo,
                                      SEALED_rt_tgsigqueueinfo};
    for (size_t i = 0; i < 3; i++) {
        check_argument(calls[i], PID, true, EPERM);
        check_argument(calls[i], 1, false, EPERM);
        check_argument(calls[i], 0, false, EPERM);
        check_argument(calls[i], UINT32_MAX, false, EPERM);
    }
}

static void shared_memory_needs_a_file(void **state)
{
    (void)state;
    check_argument(SEALED_mmap, MAP_PRIVATE | MAP_ANONYMOUS, true, ENOMEM);
    check_argument(SEALED_mmap, MAP_SHARED, true, ENOMEM);
    check_argument(SEALED_mmap, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, false, ENOMEM);
    check_argument(SEALED_mmap, MAP_SHARED_VALIDATE | MAP_ANONYMOUS, false, ENOMEM);
}

/* The kernel reads an int: what stands above it changes nothing. */
static void arguments_are_compared_by_their_low_half(void **state)
{
    (void)state;
    const uint64_t high = UINT64_C(0xdeadbeef) << 32;
    check_argument(SEALED_tgkill, high | PID, true, EPERM);
    check_argument(SEALED_tgkill, high | 1, false, EPERM);
    check_argument(SEALED_clone, high | CLONE_THREAD, true, EPERM);
    check_argument(SEALED_clone, (uint64_t)CLONE_THREAD << 32, false, EPERM);
}

static void another_architecture_is_killed(void **state)
{
    (void)state;
    const uint32_t foreign[] = {AUDIT_ARCH_I386, AUDIT_ARCH_ARM, AUDIT_ARCH_PPC64LE, 0};
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        const filter made = build(machines[m].machine);
        for (size_t i = 0; i < 4; i++) {
            for (uint32_t number = 0; number < PAST_EVERY_NUMBER; number++)
                assert_int_equal(ask(&made, foreign[i], number, 0), SECCOMP_RET_KILL_PROCESS);
        }
        uint32_t other =
            machines[m].arch == AUDIT_ARCH_X86_64 ? AUDIT_ARCH_AARCH64 : AUDIT_ARCH_X86_64;
        assert_int_equal(ask(&made, other, 0, 0), SECCOMP_RET_KILL_PROCESS);
    }
}

static void numbers_of_x32_are_refused(void **state)
{
    (void)state;
    const filter made = build(XF_SEAL_X86_64);
    for (uint32_t number = 0; number < PAST_EVERY_NUMBER; number++) {
        uint32_t answer = ask(&made, AUDIT_ARCH_X86_64, 0x40000000U + number, CLONE_THREAD);
        assert_int_equal(answer, SECCOMP_RET_ERRNO | ENOSYS);
    }
    assert_int_equal(ask(&made, AUDIT_ARCH_X86_64, UINT32_MAX, 0), SECCOMP_RET_ERRNO | ENOSYS);
}

static void a_filter_that_does_not_fit_is_not_made(void **state)
{
    (void)state;
    struct sock_filter code[XF_SEAL_CODE_LIMIT];
    size_t count = xf_seal_build(XF_SEAL_X86_64, PID, code, XF_SEAL_CODE_LIMIT);
    assert_int_equal(xf_seal_build(XF_SEAL_X86_64, PID, code, count), count);
    for (size_t capacity = 0; capacity < count; capacity++)
        assert_int_equal(xf_seal_build(XF_SEAL_X86_64, PID, code, capacity), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_its_answer),
        cmocka_unit_test(every_expectation_was_met_on_each_machine),
        cmocka_unit_test(clone_makes_threads_only),
        cmocka_unit_test(signals_go_to_the_own_process_only),
        cmocka_unit_test(shared_memory_needs_a_file),
        cmocka_unit_test(arguments_are_compared_by_their_low_half),
        cmocka_unit_test(another_architecture_is_killed),
        cmocka_unit_test(numbers_of_x32_are_refused),
        cmocka_unit_test(a_filter_that_does_not_fit_is_not_made),
    };
    return cmocka_run_group_tests_name("seal", tests, NULL, NULL);
}
