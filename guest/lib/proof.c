#include "proof.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define SANDBOX_UID 65534
#define LAST_OF_OURS                                                                               \
    2 /* bubblewrap's first process and extfn-enter, in a namespace of their own                   \
       */
#define ENORMOUS (UINT64_C(1) << 46)

/* What an attempt gives when it succeeds. */
#define GOT_THROUGH 0

/* ---- Landlock ---- */

static int signal_enter(void)
{
    return kill(getppid(), 0) == 0 ? GOT_THROUGH : errno;
}

static int list_root(void)
{
    int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    (void)close(fd);
    return GOT_THROUGH;
}

/* ---- Bubblewrap ---- */

/* O_PATH: that is the view's affair alone, Landlock does not ask. The host needs /proc to start a
 * worker, so the first is always there. */
static int see_host(void)
{
    static const char *const files[] = {"/proc/self/stat", "/etc/passwd", "/etc/group"};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        int fd = open(files[i], O_PATH | O_CLOEXEC);
        if (fd >= 0)
            (void)close(fd);
        if (fd >= 0 || (errno != ENOENT && errno != ENOTDIR))
            return GOT_THROUGH;
    }
    return ENOENT;
}

static int write_root(void)
{
    return access("/", W_OK) == 0 ? GOT_THROUGH : errno;
}

/* Not tried by writing, which would take long. */
static int fill_tmp(void)
{
    struct statfs found;
    struct rlimit file;
    if (statfs("/tmp", &found) != 0 || getrlimit(RLIMIT_FSIZE, &file) != 0)
        return errno;
    bool has_size = found.f_type == TMPFS_MAGIC && found.f_blocks > 0;
    bool is_small = has_size && file.rlim_cur != RLIM_INFINITY &&
                    (uint64_t)found.f_blocks <= file.rlim_cur / (uint64_t)found.f_bsize;
    return is_small ? ENOSPC : GOT_THROUGH;
}

static int see_processes(void)
{
    return getppid() <= LAST_OF_OURS ? ESRCH : GOT_THROUGH;
}

static int share_session(void)
{
    pid_t leader = getsid(0); /* 0: one outside of the namespace */
    return leader > 0 && leader <= LAST_OF_OURS ? EPERM : GOT_THROUGH;
}

static int be_privileged(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capget, &head, sets) != 0)
        return GOT_THROUGH;
    uint32_t any = sets[0].permitted | sets[1].permitted | sets[0].effective | sets[1].effective;
    return any == 0 && getuid() == SANDBOX_UID ? EPERM : GOT_THROUGH;
}

/* ---- Limits ---- */

static int take_memory(void)
{
    void *memory = mmap(NULL, ENORMOUS, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return errno;
    (void)munmap(memory, ENORMOUS);
    return GOT_THROUGH;
}

/* ---- The first filter: without it each of these gets as far as a descriptor that is none ---- */

static int reach_network(void)
{
    return connect(-1, NULL, 0) == 0 ? GOT_THROUGH : errno;
}

static int make_local_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    (void)close(fd);
    return GOT_THROUGH;
}

static int type_into_terminal(void)
{
    return ioctl(-1, TIOCSTI, NULL) == 0 ? GOT_THROUGH : errno;
}

/* ---- The late filter: without it each of these is refused for its arguments, or does nothing ----
 */

static int start_process(void)
{
    return syscall(SYS_clone, CLONE_SIGHAND, 0, 0, 0, 0) == 0 ? GOT_THROUGH : errno;
}

static int start_program(void)
{
    return syscall(SYS_execve, 8, 8, 8) == 0 ? GOT_THROUGH : errno;
}

static int signal_itself(void)
{
    return kill(getpid(), 0) == 0 ? GOT_THROUGH : errno;
}

static int ask_about_itself(void)
{
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0 ? GOT_THROUGH : errno;
}

static int share_memory(void)
{
    void *memory = mmap(NULL, 1, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return errno;
    (void)munmap(memory, 1);
    return GOT_THROUGH;
}

static const struct {
    uint32_t bit;
    xf_proof_time time;
    int (*attempt)(void); /* GOT_THROUGH or an errno */
    int held;             /* the errno that is given where the layer holds, and nowhere else */
} attempts[] = {
    {XF_PROOF_SCOPES, XF_PROOF_BEFORE_SEAL, signal_enter, EPERM},
    {XF_PROOF_FILES, XF_PROOF_AFTER_SEAL, list_root, EACCES},
    {XF_PROOF_VIEW, XF_PROOF_AFTER_SEAL, see_host, ENOENT},
    {XF_PROOF_READ_ONLY, XF_PROOF_AFTER_SEAL, write_root, EROFS},
    {XF_PROOF_TMP, XF_PROOF_AFTER_SEAL, fill_tmp, ENOSPC},
    {XF_PROOF_PROCESSES, XF_PROOF_AFTER_SEAL, see_processes, ESRCH},
    {XF_PROOF_SESSION, XF_PROOF_AFTER_SEAL, share_session, EPERM},
    {XF_PROOF_USER, XF_PROOF_AFTER_SEAL, be_privileged, EPERM},
    {XF_PROOF_MEMORY, XF_PROOF_AFTER_SEAL, take_memory, ENOMEM},
    {XF_PROOF_CONNECT, XF_PROOF_AFTER_SEAL, reach_network, ENETUNREACH},
    {XF_PROOF_LOCAL_SOCKET, XF_PROOF_AFTER_SEAL, make_local_socket, EAFNOSUPPORT},
    {XF_PROOF_TERMINAL, XF_PROOF_AFTER_SEAL, type_into_terminal, ENOTTY},
    {XF_PROOF_FORK, XF_PROOF_AFTER_SEAL, start_process, EPERM},
    {XF_PROOF_EXECUTE, XF_PROOF_AFTER_SEAL, start_program, EPERM},
    {XF_PROOF_SIGNAL, XF_PROOF_AFTER_SEAL, signal_itself, EPERM},
    {XF_PROOF_CHANGE, XF_PROOF_AFTER_SEAL, ask_about_itself, EPERM},
    {XF_PROOF_SHARED_MEMORY, XF_PROOF_AFTER_SEAL, share_memory, ENOMEM},
};

uint32_t xf_proof_try(xf_proof_time time)
{
    uint32_t held = 0;
    for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
        if (attempts[i].time == time && attempts[i].attempt() == attempts[i].held)
            held |= attempts[i].bit;
    }
    return held;
}

void xf_proof_insist(uint32_t held)
{
    const size_t size = XF_MAP_START + sizeof(xf_setup);
    unsigned char *map = mmap(NULL, size, PROT_READ, MAP_SHARED, XF_FD_REQUEST_MAP, 0);
    if (map == MAP_FAILED)
        return; /* no driver of ours: nobody asks */
    const xf_request_header *header = (const void *)map;
    const xf_setup *setup = (const void *)(map + XF_MAP_START);
    const xf_frame ready = {
        .magic = XF_WIRE_MAGIC,
        .version = XF_WIRE_VERSION,
        .type = XF_FRAME_READY,
        .call = header->call,
        .row_count = 1,
        .detail = XF_READY_SEALED | held << XF_PROOF_SHIFT,
    };
    if (setup->flags >> XF_PROOF_SHIFT & ~held) {
        (void)!write(XF_FD_REPLY_PIPE, &ready, sizeof(ready));
        _exit(0);
    }
    (void)munmap(map, size);
}
