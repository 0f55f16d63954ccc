#include "victim.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

static int number(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

_Noreturn static void hang(void)
{
    for (;;)
        pause();
}

static int act_exit(const char *status)
{
    return number(status);
}

static int act_signal(const char *which)
{
    (void)raise(number(which));
    return 101;
}

static int act_hang(const char *unused)
{
    (void)unused;
    dprintf(1, "up %d\n", (int)getpid());
    hang();
}

static int act_stop(const char *unused)
{
    (void)unused;
    dprintf(1, "up %d\n", (int)getpid());
    (void)raise(SIGSTOP);
    hang();
}

/* Says one byte on the reply pipe, as a driver that has answered. */
static int act_answer(const char *unused)
{
    (void)!write(4, "a", 1);
    return act_hang(unused);
}

static void ignore_signals(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    for (int which = 1; which < 65; which++)
        (void)sigaction(which, &ignore, NULL);
}

/* A daemon by the book, deaf to signals. Its parent ends when the daemon is up. */
static int act_daemon(const char *unused)
{
    (void)unused;
    int up[2];
    if (pipe(up) != 0)
        return 102;
    if (fork() == 0) {
        (void)setsid();
        if (fork() != 0)
            _exit(0);
        ignore_signals();
        dprintf(1, "up %d\n", (int)getpid());
        (void)!write(up[1], "u", 1);
        hang();
    }
    char byte;
    return read(up[0], &byte, 1) == 1 ? 0 : 103;
}

/* `count` descendants, each the child of the one before, each in a session of its own. */
static int act_chain(const char *count)
{
    int left = number(count);
    while (left > 0 && fork() == 0) {
        ignore_signals();
        (void)setsid();
        left--;
    }
    if (left == 0)
        dprintf(1, "up %d\n", (int)getpid());
    hang();
}

static int act_fds(const char *unused)
{
    (void)unused;
    for (int fd = 0; fd < 1024; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            dprintf(1, "%d ", fd);
    }
    dprintf(1, "\n");
    return 0;
}

/* Has ARGUMENT bytes resident at once. */
static int eat_and_wait(const char *bytes, int protection)
{
    size_t size = strtoul(bytes, NULL, 10);
    char *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
        return 104;
    memset(memory, 1, size);
    if (mprotect(memory, size, protection) != 0)
        return 106;
    dprintf(1, "ate\n");
    char byte;
    return read(0, &byte, 1) == 0 ? 0 : 105; /* until the host closes our stdin */
}

static int act_eat(const char *bytes)
{
    return eat_and_wait(bytes, PROT_READ | PROT_WRITE);
}

static int act_hoard(const char *bytes)
{
    return eat_and_wait(bytes, PROT_READ);
}

/* Fills ARGUMENT bytes of the reply map, and has it mapped no more. */
static int act_soil(const char *bytes)
{
    size_t size = strtoul(bytes, NULL, 10);
    char *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, 6, 0);
    if (map == MAP_FAILED)
        return 110;
    memset(map, 1, size);
    (void)munmap(map, size);
    return act_hang(bytes);
}

/* Who we are; stays until stdin ends. */
static int act_who(const char *unused)
{
    (void)unused;
    dprintf(1, "uid %d %d gid %d %d groups %d nnp %d sid %d\n", (int)getuid(), (int)geteuid(),
            (int)getgid(), (int)getegid(), getgroups(0, NULL),
            prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), getsid(0) != getpid());
    char byte;
    return read(0, &byte, 1) == 0 ? 0 : 105;
}

static int error_of(long result)
{
    int failure = result < 0 ? errno : 0;
    if (result > 2)
        (void)close((int)result);
    return failure;
}

static int error_of_executing(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        (void)execl(path, path, (char *)NULL);
        _exit(errno);
    }
    int status = -1;
    (void)waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What comes of reaching for a path, for the parent and for the network: numbers of errors. */
static int act_reach(const char *path)
{
    const struct sockaddr_in nowhere = {.sin_family = AF_INET};
    int inet = socket(AF_INET, SOCK_STREAM, 0);
    dprintf(1, "read %d write %d execute %d make %d signal %d bind %d\n",
            error_of(open(path, O_RDONLY | O_CLOEXEC)), error_of(open(path, O_WRONLY | O_CLOEXEC)),
            error_of_executing(path), error_of(mkfifo("/tmp/extfn-test-fifo", 0600)),
            error_of(kill(getppid(), 0)),
            error_of(bind(inet, (const struct sockaddr *)&nowhere, sizeof(nowhere))));
    (void)unlink("/tmp/extfn-test-fifo");
    return 0;
}

static int act_limits(const char *unused)
{
    (void)unused;
    const int resources[] = {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_STACK};
    for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++) {
        struct rlimit limit = {0};
        (void)getrlimit((__rlimit_resource_t)resources[i], &limit);
        dprintf(1, "%llu:%llu ", (unsigned long long)limit.rlim_cur,
                (unsigned long long)limit.rlim_max);
    }
    dprintf(1, "\n");
    return 0;
}

/* Blocked or ignored signals, the working directory, the umask, the environment. */
static int act_world(const char *unused)
{
    (void)unused;
    sigset_t blocked;
    (void)sigprocmask(SIG_BLOCK, NULL, &blocked);
    int odd = 0;
    for (int which = 1; which < 65; which++) {
        struct sigaction action = {0};
        (void)sigaction(which, NULL, &action);
        odd += action.sa_handler != SIG_DFL || sigismember(&blocked, which) == 1;
    }
    char directory[64] = "?";
    (void)!getcwd(directory, sizeof(directory));
    mode_t mask = umask(0);
    dprintf(1, "signals %d cwd %s umask %o env", odd, directory, (unsigned)mask);
    for (char **entry = environ; *entry; entry++)
        dprintf(1, " %s", *entry);
    dprintf(1, "\n");
    return 0;
}

/* Until the supervisor, which does it meanwhile, has bounded /tmp. */
static bool is_bounded(int file_count)
{
    struct statfs now = {0};
    for (int i = 0; i < 10000; i++) {
        if (statfs("/tmp", &now) == 0 && now.f_files == (fsfilcnt_t)file_count + 1)
            return true;
        (void)poll(NULL, 0, 1);
    }
    return false;
}

/* Makes files until it is refused. */
static int act_litter(const char *limit)
{
    int count = 0;
    if (!is_bounded(number(limit)))
        return 107;
    for (;; count++) {
        char path[32];
        (void)snprintf(path, sizeof(path), "/tmp/%d", count);
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            break;
        (void)close(fd);
    }
    dprintf(1, "%d files, then %s\n", count, strerrorname_np(errno));
    return 0;
}

#define TMP_FILES 50 /* as test_scratch.c bounds them */

/* Writes to ARGUMENT mapped bytes of a file in /tmp that has none, or so many,
 * though not all need to fit. */
static int write_mapped(const char *bytes, bool is_cut)
{
    if (!is_bounded(TMP_FILES)) /* it has yet to look at /tmp */
        return 107;
    size_t size = strtoul(bytes, NULL, 10);
    int fd = open("/tmp/mapped", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, is_cut ? 0 : (off_t)size) != 0)
        return 108;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return 109;
    memset(memory, 1, size);
    return 0;
}

static int act_map(const char *bytes)
{
    return write_mapped(bytes, false);
}

static int act_cut(const char *bytes)
{
    return write_mapped(bytes, true);
}

static const struct {
    const char *name;
    victim_act act;
} acts[] = {
    {"litter", act_litter}, {"map", act_map},       {"cut", act_cut},     {"answer", act_answer},
    {"chain", act_chain},   {"daemon", act_daemon}, {"eat", act_eat},     {"exit", act_exit},
    {"fds", act_fds},       {"hang", act_hang},     {"hoard", act_hoard}, {"limits", act_limits},
    {"reach", act_reach},   {"signal", act_signal}, {"stop", act_stop},   {"who", act_who},
    {"soil", act_soil},     {"world", act_world},
};

victim_act victim_find_act(const char *name)
{
    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
        if (strcmp(acts[i].name, name) == 0)
            return acts[i].act;
    }
    return NULL;
}
