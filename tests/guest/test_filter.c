/* The two filters together, evaluated for every system call of every architecture that a process
 * here could use, and compared with the tables in golden/. SPDX-License-Identifier: MIT */
#include "guest/bpf.h"
#include "guest/lib/seal.h"
#include "sandbox/filter/compile.h"
#include "sandbox/programs.h"
#include "support/golden.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/prctl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define PID 4711U
#define LAST_NUMBER 600 /* past all that have a name */
#define PAST_EVERY_NUMBER 2048U
#define X32 0x40000000U

static int number_of(const xf_filter_target *target, const char *name)
{
    return seccomp_syscall_resolve_name_arch(target->audit_arch, name);
}

static const struct machine {
    const char *name;
    uint32_t arch;
    xf_seal_machine seal;
    const char *golden;
} machines[] = {
    {"x86_64", AUDIT_ARCH_X86_64, XF_SEAL_X86_64, XF_TEST_SOURCE "/golden/filter-x86_64.txt"},
    {"aarch64", AUDIT_ARCH_AARCH64, XF_SEAL_AARCH64, XF_TEST_SOURCE "/golden/filter-aarch64.txt"},
};
#define MACHINE_COUNT (sizeof(machines) / sizeof(machines[0]))

static xf_filter_code codes[MACHINE_COUNT];
static struct sock_filter seals[MACHINE_COUNT][XF_SEAL_CODE_LIMIT];
static size_t seal_counts[MACHINE_COUNT];

static int compile_all(void **state)
{
    (void)state;
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        const xf_filter_target target = {.audit_arch = machines[m].arch, .number = number_of};
        char name[64];
        const char *problem = xf_filter_compile(&target, &codes[m], name);
        if (problem)
            fail_msg("%s: '%s' %s", machines[m].name, name, problem);
        seal_counts[m] = xf_seal_build(machines[m].seal, PID, seals[m], XF_SEAL_CODE_LIMIT);
    }
    return 0;
}

static struct seccomp_data call(uint32_t arch, uint32_t number, const uint64_t args[6])
{
    struct seccomp_data data = {.nr = (int)number, .arch = arch};
    memcpy(data.args, args, sizeof(data.args));
    return data;
}

static uint32_t first_answer(size_t m, const struct seccomp_data *data)
{
    return bpf_evaluate(codes[m].items, codes[m].count, data);
}

/* The kernel takes the graver of two answers; of two refusals that of the filter that came later.
 */
static uint32_t sealed_answer(size_t m, const struct seccomp_data *data)
{
    uint32_t first = first_answer(m, data);
    uint32_t late = bpf_evaluate(seals[m], seal_counts[m], data);
    bool is_first_graver =
        (int32_t)(first & SECCOMP_RET_ACTION_FULL) < (int32_t)(late & SECCOMP_RET_ACTION_FULL);
    return is_first_graver ? first : late;
}

/* ---- The golden tables ---- */

static const char *text_of(uint32_t answer)
{
    if (answer == SECCOMP_RET_ALLOW)
        return "allow";
    if (answer == SECCOMP_RET_KILL_PROCESS)
        return "kill";
    assert_int_equal(answer & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_ERRNO);
    const char *name = strerrorname_np((int)(answer & SECCOMP_RET_DATA));
    return name ? name : "?";
}

/* The first arguments, such that each rule is met by some. */
static const uint64_t probes[][4] = {
    {0},
    {1, 1, 1, 1},
    {PID},
    {UINT32_MAX, UINT32_MAX},
    {UINT64_MAX, UINT64_MAX, 0, UINT64_MAX},
    {CLONE_THREAD},
    {CLONE_NEWUSER},
    {AF_INET, SOCK_STREAM},
    {0, TCGETS},
    {0, TIOCSTI},
    {0, 0, 0, MAP_SHARED | MAP_ANONYMOUS},
    {0, 0, 0, MAP_GROWSDOWN},
    {PR_SET_NAME},
};
#define PROBE_COUNT (sizeof(probes) / sizeof(probes[0]))

/* `allow`, or `allow/EPERM` where it depends on the arguments, in order of appearance. */
static void describe(size_t m, uint32_t number,
                     uint32_t (*ask)(size_t, const struct seccomp_data *), char *ret_text,
                     size_t size)
{
    ret_text[0] = 0;
    for (size_t i = 0; i < PROBE_COUNT; i++) {
        const uint64_t args[6] = {probes[i][0], probes[i][1], probes[i][2], probes[i][3]};
        const struct seccomp_data data = call(machines[m].arch, number, args);
        const char *answer = text_of(ask(m, &data));
        if (strstr(ret_text, answer))
            continue;
        size_t used = strlen(ret_text);
        (void)snprintf(ret_text + used, size - used, "%s%s", used ? "/" : "", answer);
    }
}

/* The line of a call in the table; none for one that is unknown inside, with or without a name. */
static size_t put_line(size_t m, uint32_t number, char *to, size_t size)
{
    char first[96];
    char sealed[96];
    describe(m, number, first_answer, first, sizeof(first));
    describe(m, number, sealed_answer, sealed, sizeof(sealed));
    if (strcmp(first, "ENOSYS") == 0 && strcmp(sealed, "ENOSYS") == 0)
        return 0;
    char *name = seccomp_syscall_resolve_num_arch(machines[m].arch, (int)number);
    if (!name)
        fail_msg("%s: call %u has no name and is answered", machines[m].name, number);
    int written = snprintf(to, size, "%-4u %-24s %-24s %s\n", number, name, first, sealed);
    free(name);
    return (size_t)written;
}

static void every_call_has_the_answer_of_the_golden_table(void **state)
{
    (void)state;
    static char table[65536];
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        size_t used = (size_t)snprintf(table, sizeof(table), "%-4s %-24s %-24s %s\n%s\n", "#",
                                       "call", "first filter", "and sealed",
                                       "     all others               ENOSYS                   "
                                       "ENOSYS");
        for (uint32_t number = 0; number < LAST_NUMBER; number++)
            used += put_line(m, number, table + used, sizeof(table) - used);
        xf_test_golden(machines[m].golden, table);
    }
}

static const uint64_t no_args[6];

static void calls_past_the_last_are_unknown(void **state)
{
    (void)state;
    const uint32_t more[] = {X32,       X32 + 59,   X32 + 101,          X32 + 520,
                             INT32_MAX, UINT32_MAX, (uint32_t)INT32_MIN};
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        for (uint32_t number = LAST_NUMBER; number < PAST_EVERY_NUMBER; number++) {
            const struct seccomp_data data = call(machines[m].arch, number, no_args);
            assert_int_equal(first_answer(m, &data), SECCOMP_RET_ERRNO | ENOSYS);
        }
        for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
            const struct seccomp_data data = call(machines[m].arch, more[i], no_args);
            assert_int_equal(first_answer(m, &data), SECCOMP_RET_ERRNO | ENOSYS);
        }
    }
}

/* x32, the third binary interface of such a machine, differs by its numbers alone. */
static void numbers_of_x32_are_refused(void **state)
{
    (void)state;
    for (uint32_t number = X32; number < X32 + PAST_EVERY_NUMBER; number++) {
        const struct seccomp_data data = call(AUDIT_ARCH_X86_64, number, no_args);
        assert_int_equal(first_answer(0, &data), SECCOMP_RET_ERRNO | ENOSYS);
    }
}

static void every_call_of_another_architecture_is_killed(void **state)
{
    (void)state;
    const uint32_t foreign[] = {AUDIT_ARCH_I386, AUDIT_ARCH_ARM, AUDIT_ARCH_X86_64,
                                AUDIT_ARCH_AARCH64, 0};
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
            for (uint32_t number = 0; number < PAST_EVERY_NUMBER; number++) {
                const struct seccomp_data data = call(foreign[i], number, no_args);
                if (foreign[i] != machines[m].arch)
                    assert_int_equal(first_answer(m, &data), SECCOMP_RET_KILL_PROCESS);
            }
        }
    }
}

/* ---- What depends on the arguments ---- */

#define ALLOW SECCOMP_RET_ALLOW
#define KILL SECCOMP_RET_KILL_PROCESS
#define REFUSE(error) (SECCOMP_RET_ERRNO | (uint32_t)(error))
#define HIGH (UINT64_C(0xdeadbeef) << 32) /* what the kernel does not read */

static const struct {
    const char *call;
    uint64_t args[6];
    uint32_t answer;
} cases[] = {
    {"clone", {CLONE_VM | CLONE_THREAD}, ALLOW},
    {"clone", {17}, ALLOW},
    {"clone", {HIGH | 17}, ALLOW},
    {"clone", {CLONE_NEWUSER | 17}, KILL},
    {"clone", {HIGH | CLONE_NEWUSER}, KILL},
    {"clone", {CLONE_NEWNS}, KILL},
    {"clone", {CLONE_NEWPID}, KILL},
    {"clone", {CLONE_NEWNET}, KILL},
    {"clone", {CLONE_NEWIPC}, KILL},
    {"clone", {CLONE_NEWUTS}, KILL},
    {"clone", {CLONE_NEWCGROUP}, KILL},
    {"mmap", {0, 0, 0, MAP_PRIVATE | MAP_ANONYMOUS}, ALLOW},
    {"mmap", {0, 0, 0, MAP_SHARED}, ALLOW},
    {"mmap", {0, 0, 0, MAP_SHARED | MAP_ANONYMOUS}, REFUSE(ENOMEM)},
    {"mmap", {0, 0, 0, HIGH | MAP_SHARED | MAP_ANONYMOUS}, REFUSE(ENOMEM)},
    {"mmap", {0, 0, 0, MAP_SHARED_VALIDATE | MAP_ANONYMOUS}, REFUSE(ENOMEM)},
    {"mmap", {0, 0, 0, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN}, REFUSE(EPERM)},
    {"mmap", {0, 0, 0, HIGH | MAP_PRIVATE | MAP_GROWSDOWN | MAP_STACK}, REFUSE(EPERM)},
    {"socket", {AF_INET, SOCK_STREAM}, ALLOW},
    {"socket", {AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 6}, ALLOW},
    {"socket", {AF_INET, SOCK_DGRAM, 17}, ALLOW},
    {"socket", {HIGH | AF_INET6, HIGH | SOCK_DGRAM, HIGH}, ALLOW},
    {"socket", {AF_INET, SOCK_STREAM, 132}, REFUSE(EAFNOSUPPORT)},
    {"socket", {AF_INET, SOCK_STREAM, 262}, REFUSE(EAFNOSUPPORT)},
    {"socket", {AF_INET, SOCK_DGRAM, 1}, REFUSE(EAFNOSUPPORT)},
    {"socket", {AF_INET, SOCK_RAW, 255}, REFUSE(EAFNOSUPPORT)},
    {"socket", {AF_INET, SOCK_SEQPACKET}, REFUSE(EAFNOSUPPORT)},
    {"socket", {AF_UNIX, SOCK_STREAM}, REFUSE(EAFNOSUPPORT)},
    {"socket", {HIGH | AF_UNIX, SOCK_STREAM}, REFUSE(EAFNOSUPPORT)},
    {"socket", {AF_NETLINK, SOCK_RAW}, REFUSE(EAFNOSUPPORT)},
    {"socket", {AF_PACKET, SOCK_DGRAM}, REFUSE(EAFNOSUPPORT)},
    {"socket", {AF_ALG, SOCK_SEQPACKET}, REFUSE(EAFNOSUPPORT)},
    {"socket", {AF_VSOCK, SOCK_STREAM}, REFUSE(EAFNOSUPPORT)},
    {"ioctl", {0, TCGETS}, ALLOW},
    {"ioctl", {0, HIGH | FIONREAD}, ALLOW},
    {"ioctl", {0, TIOCSTI}, REFUSE(ENOTTY)},
    {"ioctl", {0, HIGH | TIOCSTI}, REFUSE(ENOTTY)},
    {"ioctl", {0, TIOCLINUX}, REFUSE(ENOTTY)},
    {"ioctl", {0, TIOCSCTTY}, REFUSE(ENOTTY)},
    {"fcntl", {0, F_GETFL}, ALLOW},
    {"fcntl", {0, F_DUPFD_CLOEXEC}, ALLOW},
    {"fcntl", {0, F_SETLK}, REFUSE(EPERM)},
    {"fcntl", {0, F_OFD_SETLK}, REFUSE(EPERM)},
    {"fcntl", {0, F_SETOWN}, REFUSE(EPERM)},
    {"fcntl", {0, F_SETLEASE}, REFUSE(EPERM)},
    {"fcntl", {0, F_SETPIPE_SZ}, REFUSE(EPERM)},
    {"fcntl", {0, HIGH | F_NOTIFY}, REFUSE(EPERM)},
    {"prctl", {PR_SET_NAME}, ALLOW},
    {"prctl", {PR_SET_DUMPABLE, 0}, ALLOW},
    {"prctl", {PR_SET_DUMPABLE, 1}, REFUSE(EPERM)},
    {"prctl", {PR_SET_SECCOMP, 2}, ALLOW},
    {"prctl", {PR_SET_SECCOMP, 1}, REFUSE(EPERM)},
    {"prctl", {PR_SET_PTRACER, PID}, REFUSE(EPERM)},
    {"prctl", {PR_SET_MM}, REFUSE(EPERM)},
    {"prctl", {PR_GET_TIMERSLACK}, REFUSE(EPERM)}, /* extfn-enter knows the filter by this */
    {"prlimit64", {0}, ALLOW},
    {"prlimit64", {HIGH}, ALLOW},
    {"prlimit64", {1}, REFUSE(EPERM)},
    {"seccomp", {SECCOMP_SET_MODE_FILTER, 0}, ALLOW},
    {"seccomp", {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC}, ALLOW},
    {"seccomp", {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER}, REFUSE(EPERM)},
    {"seccomp", {SECCOMP_GET_NOTIF_SIZES}, REFUSE(EPERM)},
    {"personality", {UINT32_MAX}, ALLOW},
    {"personality", {0x0040000}, REFUSE(EPERM)},
};

static void arguments_decide_by_their_low_half(void **state)
{
    (void)state;
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
            int number = seccomp_syscall_resolve_name_arch(machines[m].arch, cases[i].call);
            assert_true(number >= 0);
            const struct seccomp_data data =
                call(machines[m].arch, (uint32_t)number, cases[i].args);
            uint32_t answer = first_answer(m, &data);
            if (answer != cases[i].answer)
                fail_msg("%s, case %zu, %s: %s", machines[m].name, i, cases[i].call,
                         text_of(answer));
        }
    }
}

static void the_library_has_the_filter_of_its_machine(void **state)
{
    (void)state;
#if defined(__x86_64__)
    const xf_filter_code *own = &codes[0];
#else
    const xf_filter_code *own = &codes[1];
#endif
    assert_int_equal(xf_program_filter_size, own->count * sizeof(own->items[0]));
    assert_memory_equal(xf_program_filter, own->items, xf_program_filter_size);
}

static void every_row_says_who_needs_it_and_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < xf_filter_rule_count; i++) {
        const xf_filter_rule *rule = &xf_filter_rules[i];
        if ((rule->action == SECCOMP_RET_ALLOW) != (rule->user != NULL))
            fail_msg("row %zu, '%s': allowed for nobody, or refused for somebody", i, rule->calls);
        assert_true(rule->reason && rule->reason[0]);
        assert_true(rule->tests[0].mask == 0 || !strchr(rule->calls, ' '));
    }
}

/* What only the other one, or nobody any more, has a number for; the newer calls beside them do the
 * same. A name that went missing here by mistake would be refused there without a word. */
static const char *const lacking[MACHINE_COUNT] = {
    "",
    "uselib _sysctl create_module get_kernel_syms query_module iopl ioperm modify_ldt dup2 pipe "
    "open stat lstat access readlink getdents mkdir rmdir unlink rename chmod symlink link poll "
    "select epoll_create epoll_wait eventfd fork vfork arch_prctl pause alarm getpgrp time ",
};

static void what_a_machine_lacks_is_known(void **state)
{
    (void)state;
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        char found[1024] = "";
        size_t used = 0;
        for (size_t i = 0; i < xf_filter_rule_count; i++) {
            for (const char *at = xf_filter_rules[i].calls; *at; at += *at == ' ') {
                char name[64] = "";
                size_t size = strcspn(at, " ");
                memcpy(name, at, size);
                at += size;
                if (seccomp_syscall_resolve_name_arch(machines[m].arch, name) < 0)
                    used += (size_t)snprintf(found + used, sizeof(found) - used, "%s ", name);
            }
        }
        assert_string_equal(found, lacking[m]);
    }
}

static int know_nothing(const xf_filter_target *target, const char *name)
{
    (void)target;
    (void)name;
    return XF_FILTER_UNKNOWN;
}

static int take_all_for_one(const xf_filter_target *target, const char *name)
{
    (void)target;
    (void)name;
    return 7;
}

static void a_table_that_is_wrong_is_not_compiled(void **state)
{
    (void)state;
    static xf_filter_code code;
    char name[64];
    xf_filter_target target = {.audit_arch = AUDIT_ARCH_X86_64, .number = know_nothing};
    assert_string_equal(xf_filter_compile(&target, &code, name), "is unknown to libseccomp");
    assert_string_equal(name, "ptrace");
    target.number = take_all_for_one;
    assert_string_equal(xf_filter_compile(&target, &code, name), "has a row after its last one");
    assert_string_equal(name, "process_vm_readv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_has_the_answer_of_the_golden_table),
        cmocka_unit_test(calls_past_the_last_are_unknown),
        cmocka_unit_test(numbers_of_x32_are_refused),
        cmocka_unit_test(every_call_of_another_architecture_is_killed),
        cmocka_unit_test(arguments_decide_by_their_low_half),
        cmocka_unit_test(the_library_has_the_filter_of_its_machine),
        cmocka_unit_test(every_row_says_who_needs_it_and_why),
        cmocka_unit_test(what_a_machine_lacks_is_known),
        cmocka_unit_test(a_table_that_is_wrong_is_not_compiled),
    };
    return cmocka_run_group_tests_name("filter", tests, compile_all, NULL);
}
