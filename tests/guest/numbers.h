/* Numbers of system calls as the kernel's own headers have them, to compare the late filter with.
 * SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_GUEST_NUMBERS_H
#define XF_TESTS_GUEST_NUMBERS_H

#include <stdint.h>

/* X(name, refusal, when): what the late filter refuses. */
#define SEALED_CALLS(X)                                                                            \
    X(execve, EPERM, ALWAYS)                                                                       \
    X(execveat, EPERM, ALWAYS)                                                                     \
    X(fork, EPERM, ALWAYS)                                                                         \
    X(vfork, EPERM, ALWAYS)                                                                        \
    X(clone, EPERM, UNLESS_THREAD)                                                                 \
    X(clone3, ENOSYS, ALWAYS)                                                                      \
    X(setsid, EPERM, ALWAYS)                                                                       \
    X(setpgid, EPERM, ALWAYS)                                                                      \
    X(kill, EPERM, ALWAYS)                                                                         \
    X(tkill, EPERM, ALWAYS)                                                                        \
    X(tgkill, EPERM, UNLESS_SELF)                                                                  \
    X(rt_sigqueueinfo, EPERM, UNLESS_SELF)                                                         \
    X(rt_tgsigqueueinfo, EPERM, UNLESS_SELF)                                                       \
    X(pidfd_send_signal, EPERM, ALWAYS)                                                            \
    X(ptrace, EPERM, ALWAYS)                                                                       \
    X(process_vm_readv, EPERM, ALWAYS)                                                             \
    X(process_vm_writev, EPERM, ALWAYS)                                                            \
    X(pidfd_getfd, EPERM, ALWAYS)                                                                  \
    X(prctl, EPERM, ALWAYS)                                                                        \
    X(seccomp, EPERM, ALWAYS)                                                                      \
    X(landlock_create_ruleset, EPERM, ALWAYS)                                                      \
    X(landlock_add_rule, EPERM, ALWAYS)                                                            \
    X(landlock_restrict_self, EPERM, ALWAYS)                                                       \
    X(socketpair, EPERM, ALWAYS)                                                                   \
    X(memfd_create, ENOSYS, ALWAYS)                                                                \
    X(memfd_secret, ENOSYS, ALWAYS)                                                                \
    X(shmget, ENOSYS, ALWAYS)                                                                      \
    X(msgget, ENOSYS, ALWAYS)                                                                      \
    X(mmap, ENOMEM, UNLESS_COUNTED)

enum sealed_call {
#define X(name, refusal, when) SEALED_##name,
    SEALED_CALLS(X)
#undef X
        SEALED_COUNT
};

/* -1: no such call there. Generic: the numbers of aarch64 and of most younger architectures. */
extern const int numbers_native[SEALED_COUNT];
extern const int numbers_generic[SEALED_COUNT];

#endif
