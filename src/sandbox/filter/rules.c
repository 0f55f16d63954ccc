#include "sandbox/filter/rules.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define ALLOW SECCOMP_RET_ALLOW
#define KILL SECCOMP_RET_KILL_PROCESS
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))

#define ALL "all languages"
#define ENTER "extfn-enter"

#define LOW UINT32_MAX
#define IS(argument, value)                                                                        \
    {                                                                                              \
        (argument), LOW, (uint32_t)(value)                                                         \
    }
#define HAS(argument, mask, value)                                                                 \
    {                                                                                              \
        (argument), (uint32_t)(mask), (uint32_t)(value)                                            \
    }

/* CLONE_NEWTIME lies among the bits of the exit signal; clone() knows no such flag. */
#define NAMESPACES                                                                                 \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |  \
     CLONE_NEWNET)
#define SOCKET_TYPE (~(uint32_t)(SOCK_NONBLOCK | SOCK_CLOEXEC))
#define INET_FAMILIES (~(uint32_t)(AF_INET ^ AF_INET6)) /* the two differ in one bit */
_Static_assert(((AF_INET ^ AF_INET6) & ((AF_INET ^ AF_INET6) - 1)) == 0, "one bit");
#define TCP 6
#define UDP 17
#define MAPPING (MAP_GROWSDOWN | MAP_ANONYMOUS | MAP_SHARED)

/* Call, what is asked of its arguments, answer, who needs it, why. */
const xf_filter_rule xf_filter_rules[] = {
    /* ---- No program here has a use for these: they are tried by attacks alone ---- */
    {"ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd pidfd_send_signal kcmp "
     "process_madvise move_pages migrate_pages",
     {{0}},
     KILL,
     NULL,
     "a hand on other processes"},
    {"mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick "
     "mount_setattr open_by_handle_at name_to_handle_at uselib quotactl quotactl_fd swapon swapoff",
     {{0}},
     KILL,
     NULL,
     "another view of files"},
    {"unshare setns", {{0}}, KILL, NULL, "another namespace, and with it all its privileges"},
    {"keyctl add_key request_key", {{0}}, KILL, NULL, "keyrings outlive the sandbox"},
    {"bpf perf_event_open userfaultfd memfd_secret fanotify_init fanotify_mark lookup_dcookie "
     "nfsservctl _sysctl",
     {{0}},
     KILL,
     NULL,
     "parts of the kernel with many holes in their past"},
    {"kexec_load kexec_file_load init_module finit_module delete_module create_module "
     "get_kernel_syms query_module reboot acct syslog iopl ioperm modify_ldt vhangup "
     "settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname",
     {{0}},
     KILL,
     NULL,
     "the machine itself"},

    /* ---- Files: which ones there are is bubblewrap's and Landlock's affair ---- */
    {"read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range dup dup2 dup3 "
     "pipe pipe2 open openat stat fstat lstat newfstatat statx access faccessat faccessat2 readlink "
     "readlinkat getdents getdents64 getcwd chdir fchdir statfs fstatfs fadvise64",
     {{0}},
     ALLOW,
     ALL,
     "files and descriptors"},
    {"mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 ftruncate truncate fallocate "
     "fsync fdatasync umask chmod fchmod fchmodat utimensat symlink symlinkat link linkat "
     "copy_file_range sendfile",
     {{0}},
     ALLOW,
     ALL,
     "files in /tmp"},
    {"getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr "
     "removexattr lremovexattr fremovexattr",
     {{0}},
     REFUSE(EOPNOTSUPP),
     NULL,
     "shutil.copy2 goes on after this answer and no other"},
    {"fcntl",
     {IS(1, F_DUPFD)},
     ALLOW,
     ALL,
     "descriptors; no locks, which other sandboxes could see"},
    {"fcntl", {IS(1, F_DUPFD_CLOEXEC)}, ALLOW, ALL, "descriptors"},
    {"fcntl", {IS(1, F_GETFD)}, ALLOW, ALL, "descriptors"},
    {"fcntl", {IS(1, F_SETFD)}, ALLOW, ALL, "descriptors"},
    {"fcntl", {IS(1, F_GETFL)}, ALLOW, ALL, "descriptors"},
    {"fcntl", {IS(1, F_SETFL)}, ALLOW, ALL, "descriptors"},
    {"fcntl", {{0}}, REFUSE(EPERM), NULL, "locks, leases, owners of signals, seals, pipe sizes"},
    {"ioctl", {IS(1, TCGETS)}, ALLOW, ALL, "is this a terminal?"},
    {"ioctl", {IS(1, TIOCGWINSZ)}, ALLOW, ALL, "its width"},
    {"ioctl", {IS(1, TIOCGPGRP)}, ALLOW, "R, Julia", "its foreground group"},
    {"ioctl", {IS(1, FIONREAD)}, ALLOW, "R, Julia", "bytes that wait"},
    {"ioctl", {IS(1, FIONBIO)}, ALLOW, "Python, Julia", "blocking or not"},
    {"ioctl", {IS(1, FIOCLEX)}, ALLOW, "Python, Julia", "close on exec"},
    {"ioctl", {IS(1, FIONCLEX)}, ALLOW, "Python, Julia", "close on exec"},
    {"ioctl", {{0}}, REFUSE(ENOTTY), NULL, "TIOCSTI, TIOCLINUX and all drivers"},
    {"poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait "
     "epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime signalfd4",
     {{0}},
     ALLOW,
     "Python, R, Julia",
     "event loops"},

    /* ---- Memory: nothing that the limits of the process do not count ---- */
    {"mmap", {HAS(3, MAP_GROWSDOWN, MAP_GROWSDOWN)}, REFUSE(EPERM), NULL, "no limit counts it"},
    {"mmap", {HAS(3, MAPPING, MAP_ANONYMOUS | MAP_SHARED)}, REFUSE(ENOMEM), NULL, "nor this"},
    {"mmap", {{0}}, ALLOW, ALL, "memory"},
    {"munmap mremap mprotect madvise brk msync mincore mlock munlock pkey_alloc pkey_free "
     "pkey_mprotect",
     {{0}},
     ALLOW,
     ALL,
     "memory"},

    /* ---- Threads and processes: the late filter leaves threads alone ---- */
    {"clone", {HAS(0, NAMESPACES, 0)}, ALLOW, ALL, "threads; a process in extfn-enter"},
    {"clone", {{0}}, KILL, NULL, "another namespace"},
    {"clone3",
     {{0}},
     REFUSE(ENOSYS),
     NULL,
     "its flags lie in memory; libraries fall back to clone"},
    {"fork vfork execve wait4 waitid", {{0}}, ALLOW, ENTER, "the interpreter is started"},
    {"exit exit_group futex set_robust_list get_robust_list rseq set_tid_address arch_prctl "
     "membarrier sched_yield sched_getaffinity sched_getparam sched_getscheduler "
     "sched_get_priority_max sched_get_priority_min getpriority",
     {{0}},
     ALLOW,
     ALL,
     "threads"},
    {"setsid setpgid", {{0}}, ALLOW, ENTER, "until the late filter"},
    {"setrlimit getrlimit", {{0}}, ALLOW, ENTER, "limits, which can only be lowered"},
    {"prlimit64", {IS(0, 0)}, ALLOW, ALL, "the own limits"},
    {"prlimit64", {{0}}, REFUSE(EPERM), NULL, "those of others"},
    {"prctl",
     {IS(0, PR_SET_NO_NEW_PRIVS)},
     ALLOW,
     ENTER,
     "needed for Landlock and the late filter"},
    {"prctl", {IS(0, PR_GET_NO_NEW_PRIVS)}, ALLOW, ENTER, "the same"},
    {"prctl", {IS(0, PR_SET_PDEATHSIG)}, ALLOW, ENTER, "an interpreter ends with its parent"},
    {"prctl", {IS(0, PR_SET_DUMPABLE), IS(1, 0)}, ALLOW, ENTER, "hides extfn-enter from a body"},
    {"prctl", {IS(0, PR_GET_DUMPABLE)}, ALLOW, ALL, "the C library asks"},
    {"prctl", {IS(0, PR_SET_NAME)}, ALLOW, ALL, "names of threads"},
    {"prctl", {IS(0, PR_GET_NAME)}, ALLOW, ALL, "names of threads"},
    {"prctl", {IS(0, PR_SET_VMA)}, ALLOW, ALL, "names of memory, by malloc"},
    {"prctl", {IS(0, PR_SET_SECCOMP), IS(1, SECCOMP_MODE_FILTER)}, ALLOW, ENTER, "late filter"},
    {"prctl", {{0}}, REFUSE(EPERM), NULL, "who may trace, what survives, speculation"},
    {"seccomp",
     {IS(0, SECCOMP_SET_MODE_FILTER), HAS(1, ~SECCOMP_FILTER_FLAG_TSYNC, 0)},
     ALLOW,
     ALL,
     "the late filter"},
    {"seccomp", {{0}}, REFUSE(EPERM), NULL, "no listener"},
    {"landlock_create_ruleset landlock_add_rule landlock_restrict_self",
     {{0}},
     ALLOW,
     ENTER,
     "files, once more; the late filter ends it"},
    {"personality", {IS(0, UINT32_MAX)}, ALLOW, ALL, "a question"},
    {"personality", {{0}}, REFUSE(EPERM), NULL, "addresses that can be guessed"},

    /* ---- Signals: to whom, is told by the late filter, which knows the process ---- */
    {"rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait "
     "rt_sigqueueinfo sigaltstack kill tkill tgkill pause alarm setitimer getitimer restart_syscall",
     {{0}},
     ALLOW,
     ALL,
     "signals of the own process"},

    /* ---- Questions and time ---- */
    {"gettid getpid getppid getpgid getpgrp getsid getuid geteuid getgid getegid getresuid "
     "getresgid getgroups capget",
     {{0}},
     ALLOW,
     ALL,
     "who am I?"},
    {"clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage "
     "sysinfo uname getrandom getcpu",
     {{0}},
     ALLOW,
     ALL,
     "time and chance"},

    /* ---- Sockets: one that leads nowhere can be made, because programs look for the network so
     * and want to be told that it cannot be reached ---- */
    {"socket",
     {HAS(0, INET_FAMILIES, AF_INET &AF_INET6), HAS(1, SOCKET_TYPE, SOCK_STREAM), IS(2, 0)},
     ALLOW,
     "Python, R",
     "a dead socket"},
    {"socket",
     {HAS(0, INET_FAMILIES, AF_INET &AF_INET6), HAS(1, SOCKET_TYPE, SOCK_STREAM), IS(2, TCP)},
     ALLOW,
     "Python, R",
     "a dead socket"},
    {"socket",
     {HAS(0, INET_FAMILIES, AF_INET &AF_INET6), HAS(1, SOCKET_TYPE, SOCK_DGRAM), IS(2, 0)},
     ALLOW,
     "Python, R",
     "a dead socket"},
    {"socket",
     {HAS(0, INET_FAMILIES, AF_INET &AF_INET6), HAS(1, SOCKET_TYPE, SOCK_DGRAM), IS(2, UDP)},
     ALLOW,
     "Python, R",
     "a dead socket"},
    {"socket", {{0}}, REFUSE(EAFNOSUPPORT), NULL, "local, vsock, netlink, raw ... sockets"},
    {"shutdown recvmsg recvfrom getsockname getsockopt",
     {{0}},
     ALLOW,
     "Python, R",
     "a dead socket is asked and closed"},
    {"connect sendto sendmsg sendmmsg", {{0}}, REFUSE(ENETUNREACH), NULL, "there is no network"},
    {"bind listen accept accept4 setsockopt getpeername socketpair recvmmsg",
     {{0}},
     REFUSE(EPERM),
     NULL,
     "all else about sockets"},
};
const size_t xf_filter_rule_count = sizeof(xf_filter_rules) / sizeof(xf_filter_rules[0]);
