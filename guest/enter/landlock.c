#include "guest/enter/landlock.h"

#include "base/kernel.h"
#include "base/layers.h"
#include "guest/enter/loader.h"
#include "wire/proof.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's interface: our headers may be older than the kernel that we run on. The numbers of
 * the calls are the same on every architecture. */
#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446
#define RULE_PATH_BENEATH 1

#define VERSION_REFER 2
#define VERSION_TRUNCATE 3
#define VERSION_IOCTL 5

enum access {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_CHAR = 1 << 6,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    MAKE_SOCK = 1 << 9,
    MAKE_FIFO = 1 << 10,
    MAKE_BLOCK = 1 << 11,
    MAKE_SYM = 1 << 12,
    REFER = 1 << 13,
    TRUNCATE = 1 << 14,
    IOCTL_DEV = 1 << 15,

    ALWAYS_THERE = (1 << 13) - 1,
    TO_READ = READ_FILE | READ_DIR,
    /* No device, socket or pipe is made, and nothing that was written is executed. */
    TO_USE = TO_READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM |
             REFER | TRUNCATE,
    FOR_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV,
};

enum { TCP_BIND_AND_CONNECT = 3, ABSTRACT_SOCKETS_AND_SIGNALS = 3 };

typedef struct ruleset {
    uint64_t files;
    uint64_t network; /* from XF_LANDLOCK_NETWORK on */
    uint64_t scopes;  /* from XF_LANDLOCK_SCOPES on */
} ruleset;

typedef struct path_rule {
    uint64_t access;
    int32_t folder;
} __attribute__((packed)) path_rule;

static uint64_t handled_files(int version)
{
    uint64_t handled = ALWAYS_THERE;
    handled |= version >= VERSION_REFER ? REFER : 0;
    handled |= version >= VERSION_TRUNCATE ? TRUNCATE : 0;
    return handled | (version >= VERSION_IOCTL ? IOCTL_DEV : 0);
}

static size_t size_of_ruleset(int version)
{
    if (version >= XF_LANDLOCK_SCOPES)
        return sizeof(ruleset);
    return version >= XF_LANDLOCK_NETWORK ? offsetof(ruleset, scopes) : offsetof(ruleset, network);
}

/* A file takes fewer rights than a folder. */
static uint64_t fitting(int fd, uint64_t access)
{
    struct stat found;
    bool is_folder = fstat(fd, &found) == 0 && S_ISDIR(found.st_mode);
    return is_folder ? access : access & FOR_A_FILE;
}

static bool allow(int rules, const char *path, uint64_t access)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == EACCES || errno == ENOTDIR; /* nor can a body open it */
    const path_rule rule = {.access = fitting(fd, access), .folder = fd};
    bool is_added = syscall(CALL_ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0U) == 0;
    (void)close(fd);
    return is_added;
}

static bool allow_all(int rules, uint64_t handled, char *const shown[], const char *program,
                      const char *stub)
{
    char loader[XF_LOADER_SIZE];
    for (size_t i = 0; shown[i]; i++) {
        if (!allow(rules, shown[i], TO_READ))
            return false;
    }
    if (xf_loader_of(program, loader) && !allow(rules, loader, EXECUTE | READ_FILE))
        return false;
    return allow(rules, "/tmp", TO_USE & handled) && allow(rules, program, EXECUTE | READ_FILE) &&
           allow(rules, stub, EXECUTE | READ_FILE);
}

bool xf_landlock_open(char *const shown[], const char *program, const char *stub,
                      xf_landlock *ret_landlock)
{
    int version = xf_has_layer(XF_WITH_LANDLOCK) ? xf_kernel_landlock_version() : 0;
    bool is_for_files = shown[0] != NULL;
    *ret_landlock = (xf_landlock){.fd = -1, .layers = xf_landlock_layers(version, is_for_files)};
    if (ret_landlock->layers == 0)
        return true;
    const ruleset rules = {
        .files = is_for_files ? handled_files(version) : 0,
        .network = TCP_BIND_AND_CONNECT,
        .scopes = ABSTRACT_SOCKETS_AND_SIGNALS,
    };
    ret_landlock->fd = (int)syscall(CALL_CREATE_RULESET, &rules, size_of_ruleset(version), 0U);
    if (ret_landlock->fd < 0)
        return false;
    return !is_for_files || allow_all(ret_landlock->fd, rules.files, shown, program, stub);
}

bool xf_landlock_enforce(const xf_landlock *landlock)
{
    return landlock->fd < 0 || syscall(CALL_RESTRICT_SELF, landlock->fd, 0U) == 0;
}
