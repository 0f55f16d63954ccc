#include "seal.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>

/* When a rule refuses. Arguments are compared by their low 32 bits: the kernel reads no more. */
typedef enum condition {
    ALWAYS,
    UNLESS_THREAD,  /* first argument lacks CLONE_THREAD */
    UNLESS_SELF,    /* first argument is not the own process */
    UNLESS_COUNTED, /* fourth argument has MAP_SHARED and MAP_ANONYMOUS */
} condition;

typedef struct seal_rule {
    int numbers[2]; /* by xf_seal_machine; -1: no such call there */
    condition when;
    uint32_t error;
} seal_rule;

static const seal_rule rules[] = {
    /* no other program, no other process */
    {{59, 221}, ALWAYS, EPERM},        /* execve */
    {{322, 281}, ALWAYS, EPERM},       /* execveat */
    {{57, -1}, ALWAYS, EPERM},         /* fork */
    {{58, -1}, ALWAYS, EPERM},         /* vfork */
    {{56, 220}, UNLESS_THREAD, EPERM}, /* clone */
    {{435, 435}, ALWAYS, ENOSYS},      /* clone3: its flags lie in memory; libraries fall back */
    {{112, 157}, ALWAYS, EPERM},       /* setsid */
    {{109, 154}, ALWAYS, EPERM},       /* setpgid */
    /* no signal to others */
    {{62, 129}, ALWAYS, EPERM},       /* kill */
    {{200, 130}, ALWAYS, EPERM},      /* tkill */
    {{234, 131}, UNLESS_SELF, EPERM}, /* tgkill */
    {{129, 138}, UNLESS_SELF, EPERM}, /* rt_sigqueueinfo */
    {{297, 240}, UNLESS_SELF, EPERM}, /* rt_tgsigqueueinfo */
    {{424, 424}, ALWAYS, EPERM},      /* pidfd_send_signal */
    /* no hand on others, should the first filter be missing */
    {{101, 117}, ALWAYS, EPERM}, /* ptrace */
    {{310, 270}, ALWAYS, EPERM}, /* process_vm_readv */
    {{311, 271}, ALWAYS, EPERM}, /* process_vm_writev */
    {{438, 438}, ALWAYS, EPERM}, /* pidfd_getfd */
    /* no change of what confines it, no kernel memory by rule sets */
    {{157, 167}, ALWAYS, EPERM}, /* prctl */
    {{317, 277}, ALWAYS, EPERM}, /* seccomp */
    {{444, 444}, ALWAYS, EPERM}, /* landlock_create_ruleset */
    {{445, 445}, ALWAYS, EPERM}, /* landlock_add_rule */
    {{446, 446}, ALWAYS, EPERM}, /* landlock_restrict_self */
    {{53, 199}, ALWAYS, EPERM},  /* socketpair */
    /* no memory that the process's limits do not count */
    {{319, 279}, ALWAYS, ENOSYS},       /* memfd_create */
    {{447, 447}, ALWAYS, ENOSYS},       /* memfd_secret */
    {{29, 194}, ALWAYS, ENOSYS},        /* shmget */
    {{68, 186}, ALWAYS, ENOSYS},        /* msgget */
    {{9, 222}, UNLESS_COUNTED, ENOMEM}, /* mmap */
};
#define RULE_COUNT (sizeof(rules) / sizeof(rules[0]))

static const uint32_t audit_arches[] = {
    [XF_SEAL_X86_64] = AUDIT_ARCH_X86_64,
    [XF_SEAL_AARCH64] = AUDIT_ARCH_AARCH64,
};

#define X32_NUMBERS 0x40000000U /* x86-64: from here on the calls of another binary interface */

#define FIELD(name) ((uint32_t)offsetof(struct seccomp_data, name))
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the low half of an argument is read at its start"
#endif

typedef struct program {
    struct sock_filter *code;
    size_t count;
    size_t capacity;
} program;

static void emit(program *out, struct sock_filter instruction)
{
    if (out->count < out->capacity)
        out->code[out->count] = instruction;
    out->count++;
}

static void emit_load(program *out, uint32_t offset)
{
    emit(out, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

static void emit_return(program *out, uint32_t action)
{
    emit(out, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Goes on at the next instruction if the claim holds, else `skipped` further. */
static void emit_if(program *out, uint16_t comparison, uint32_t value, uint8_t skipped)
{
    const uint16_t code = (uint16_t)(BPF_JMP | comparison | BPF_K);
    emit(out, (struct sock_filter)BPF_JUMP(code, value, 0, skipped));
}

/* The accumulator holds the number of the call, before and, where the rule does not match, after.
 */
static void emit_rule(program *out, const seal_rule *rule, uint32_t number, uint32_t pid)
{
    const uint32_t refuse = SECCOMP_RET_ERRNO | rule->error;
    if (rule->when == ALWAYS) {
        emit_if(out, BPF_JEQ, number, 1);
        emit_return(out, refuse);
        return;
    }
    if (rule->when == UNLESS_COUNTED) {
        emit_if(out, BPF_JEQ, number, 5);
        emit_load(out, FIELD(args[3]));
        emit_if(out, BPF_JSET, MAP_ANONYMOUS, 2);
        emit_if(out, BPF_JSET, MAP_SHARED, 1); /* a bit of MAP_SHARED_VALIDATE too */
        emit_return(out, refuse);
        emit_return(out, SECCOMP_RET_ALLOW);
        return;
    }
    bool is_self = rule->when == UNLESS_SELF;
    emit_if(out, BPF_JEQ, number, 4);
    emit_load(out, FIELD(args[0]));
    emit_if(out, is_self ? BPF_JEQ : BPF_JSET, is_self ? pid : CLONE_THREAD, 1);
    emit_return(out, SECCOMP_RET_ALLOW);
    emit_return(out, refuse);
}

size_t xf_seal_build(xf_seal_machine machine, uint32_t pid, struct sock_filter *code,
                     size_t capacity)
{
    program out = {.code = code, .capacity = capacity};
    emit_load(&out, FIELD(arch));
    emit(&out,
         (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, audit_arches[machine], 1, 0));
    emit_return(&out, SECCOMP_RET_KILL_PROCESS);
    emit_load(&out, FIELD(nr));
    if (machine == XF_SEAL_X86_64) {
        emit_if(&out, BPF_JGE, X32_NUMBERS, 1);
        emit_return(&out, SECCOMP_RET_ERRNO | ENOSYS);
    }
    for (size_t i = 0; i < RULE_COUNT; i++) {
        int number = rules[i].numbers[machine];
        if (number >= 0)
            emit_rule(&out, &rules[i], (uint32_t)number, pid);
    }
    emit_return(&out, SECCOMP_RET_ALLOW);
    return out.count <= capacity ? out.count : 0;
}
