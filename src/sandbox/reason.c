#include "sandbox/find.h"

#include "base/text.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct complaint {
    const char *sign; /* in bubblewrap's first line */
    const char *more; /* there as well, or NULL */
    const char *reason;
    const char *advice;
} complaint;

#define FORBIDDEN "the system forbids bubblewrap a user namespace (AppArmor)"
#define ALLOW_APPARMOR                                                                             \
    "give bwrap an AppArmor profile with 'userns', or set the sysctl "                             \
    "kernel.apparmor_restrict_unprivileged_userns to 0"
#define ALLOW_USERNS                                                                               \
    "set the sysctl kernel.unprivileged_userns_clone to 1 and user.max_user_namespaces above 0, "  \
    "or let this container's profile of system calls allow unshare"

#define ALLOW_MOUNTS                                                                               \
    "run it under an AppArmor profile that allows mount (--security-opt apparmor=unconfined)"
#define ALLOW_MEMFDS                                                                               \
    "; let this container's profile of system calls allow it, and set the sysctl "                 \
    "vm.memfd_noexec to 0"

#define NO_WRAPPER "use the bubblewrap of the system's package, without a wrapper around it"
#define NOT_BUBBLEWRAP "what is called bwrap here is not bubblewrap"

#define UNREACHED "Can't find source path"
#define DENIED "Permission denied"

/* The first one that fits is taken. */
static const complaint complaints[] = {
    {"setting up uid map", "Permission denied", FORBIDDEN, ALLOW_APPARMOR},
    {"loopback: Failed RTM_NEWADDR", NULL, FORBIDDEN, ALLOW_APPARMOR},
    {"Failed to make / slave", NULL, "this container forbids to mount", ALLOW_MOUNTS},
    {"Failed to mount tmpfs", NULL, "this container forbids to mount", ALLOW_MOUNTS},
    {"No permissions to creat", NULL, "user namespaces are switched off", ALLOW_USERNS},
    {"(ENOSPC)", NULL, "user namespaces are used up or switched off", ALLOW_USERNS},
    {"No space left on device", NULL, "user namespaces are used up or switched off", ALLOW_USERNS},
    {"max_user_namespaces", NULL, "this container shows no writable /proc/sys",
     "run it with an unmasked /proc"},
    {"Can't mount proc", NULL, "this container masks parts of /proc",
     "run it with an unmasked /proc"},
    {"Can't read /proc/sys/", NULL, "this container masks parts of /proc",
     "run it with an unmasked /proc"},
    {"Unexpected capabilities", NULL, "this process has capabilities, and bubblewrap wants none",
     "start it without ambient capabilities"},
    {"system call filtering", NULL, "this kernel has no system call filters",
     "take one with CONFIG_SECCOMP_FILTER"},
    {"the system call filter", NULL, "the first system call filter does not hold here", NO_WRAPPER},
    {"the network is the host's", NULL, "the network namespace does not hold here", NO_WRAPPER},
    {"error while loading shared libraries", NULL, "bubblewrap lacks a library",
     "install the package bubblewrap again"},
    {"nknown option", NULL, "this bubblewrap is too old", "install bubblewrap 0.8 or newer"},
    {UNREACHED, DENIED,
     "the user that sandboxes run as cannot reach a path of the interpreter or of its packages",
     "make it and the folders above it readable for all users, or name others"},
    {UNREACHED, NULL, "a path that the interpreter needs is gone",
     "install the interpreter again, or name another one"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LINE_SIZE 400

/* The first line, as one piece of printable text. */
static void take_line(const char *data, size_t size, char ret_line[LINE_SIZE])
{
    const char *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t kept = end ? (size_t)(end - data) : size;
    kept = kept < LINE_SIZE ? kept : LINE_SIZE - 1;
    bool is_text = xf_utf8_is_valid(data, kept);
    for (size_t i = 0; i < kept; i++) {
        bool is_ascii = data[i] >= ' ' && data[i] < 127;
        bool is_shown = is_ascii || (is_text && (data[i] & 0x80));
        ret_line[i] = '?';
        if (is_shown)
            ret_line[i] = data[i];
    }
    ret_line[kept] = 0;
}

static bool fits(const complaint *row, const char *line)
{
    return strstr(line, row->sign) && (!row->more || strstr(line, row->more));
}

static bool begins_with(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

static extfn_status refuse(const char *reason, const char *line, const char *advice,
                           extfn_error *err)
{
    return xf_fail(err, EXTFN_ESANDBOX, "sandbox unavailable: %s (%s); %s", reason, line, advice);
}

static extfn_status mark(extfn_status status, int os_errno, extfn_error *err)
{
    if (err)
        err->os_errno = os_errno;
    return status;
}

/* Of bubblewrap, or of extfn-enter (11 is EAGAIN). */
static bool is_about_processes(const char *line)
{
    return strstr(line, "Resource temporarily unavailable") ||
           strstr(line, "ends nobody: errno 11");
}

/* Whether the user that sandboxes run as, ours unless we are root, may not go through. */
static bool is_closed(const char *folder)
{
    struct stat info;
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
        return false;
    bool is_ours = info.st_uid == geteuid() && info.st_uid != 0;
    return !(info.st_mode & (is_ours ? S_IXUSR : S_IXOTH));
}

/* Cuts the path behind the first folder on its way that is closed; false when none is. */
static bool cut_at_closed(char *path)
{
    for (size_t at = 1 + strcspn(path + 1, "/"); path[at]; at += 1 + strcspn(path + at + 1, "/")) {
        path[at] = '\0';
        if (is_closed(path))
            return true;
        path[at] = '/';
    }
    return false;
}

/* False where the line tells of no path, or the modes of its folders do not tell which one. */
static bool find_closed(const char *line, char ret_folder[LINE_SIZE])
{
    const char *path = strstr(line, UNREACHED " /");
    const char *end = path ? strstr(path, ": " DENIED) : NULL;
    if (!end)
        return false;
    path += strlen(UNREACHED " ");
    memcpy(ret_folder, path, (size_t)(end - path));
    ret_folder[end - path] = '\0';
    return cut_at_closed(ret_folder);
}

extfn_status xf_sandbox_reason(const char *bwrap_stderr, size_t size, extfn_error *err)
{
    char line[LINE_SIZE];
    take_line(bwrap_stderr, size, line);
    if (is_about_processes(line)) {
        extfn_status status = refuse("the user that sandboxes run as has too many processes", line,
                                     "raise its limit (ulimit -u)", err);
        return mark(status, EAGAIN, err);
    }
    char folder[LINE_SIZE];
    if (find_closed(line, folder)) {
        return xf_fail(err, EXTFN_ESANDBOX,
                       "sandbox unavailable: the user that sandboxes run as may not enter %s (%s); "
                       "let all users enter it (chmod o+x), or name an interpreter and packages "
                       "that lie elsewhere",
                       folder, line);
    }
    for (size_t i = 0; i < COUNT(complaints); i++) {
        const complaint *row = &complaints[i];
        if (fits(row, line))
            return refuse(row->reason, line, row->advice, err);
    }
    if (begins_with(line, "extfn-enter: "))
        return refuse("the sandbox could not be completed", line, "see 'extfn doctor'", err);
    if (line[0] && !begins_with(line, "bwrap: "))
        return refuse(NOT_BUBBLEWRAP, line, NO_WRAPPER, err);
    if (line[0])
        return refuse("bubblewrap did not start", line, "see 'extfn doctor'", err);
    extfn_status status =
        refuse("bubblewrap did not start", "without a word", "see 'extfn doctor'", err);
    return mark(status, EINTR, err);
}

extfn_status xf_sandbox_killed(int signal_number, extfn_error *err)
{
    extfn_status status =
        xf_fail(err, EXTFN_ESANDBOX,
                "sandbox unavailable: bubblewrap was killed by signal %d while it "
                "started; try again",
                signal_number);
    return mark(status, EINTR, err);
}

extfn_status xf_sandbox_hollow(const char *what, extfn_error *err)
{
    return refuse(NOT_BUBBLEWRAP, what, NO_WRAPPER, err);
}

/* The limits have their advice already. */
extfn_status xf_sandbox_shortage(const extfn_error *failure, extfn_error *err)
{
    static const struct {
        int os_errno;
        const char *advice;
    } rows[] = {
        {EMFILE, ""},          {ENFILE, ""},           {EAGAIN, ""},           {EFBIG, ""},
        {EPERM, ALLOW_MEMFDS}, {EACCES, ALLOW_MEMFDS}, {ENOSYS, ALLOW_MEMFDS},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (failure->os_errno != rows[i].os_errno)
            continue;
        extfn_status status = xf_fail(err, EXTFN_ESANDBOX, "sandbox unavailable: %s%s",
                                      failure->message, rows[i].advice);
        return mark(status, failure->os_errno, err);
    }
    if (err)
        *err = *failure;
    return failure->status;
}
