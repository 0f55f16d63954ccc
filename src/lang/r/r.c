#include "lang/languages.h"

#include "base/auto.h"
#include "lang/driver_r.h"
#include "lang/find.h"
#include "os/spawn.h"

#include <assert.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OLDEST_MAJOR 4
#define BASE_MEMORY (UINT64_C(64) << 20)
#define ASK_TIMEOUT_US 10000000
#define ASK_LIMIT 4096

static const char *const places[] = {"/usr/local/bin/R", "/usr/bin/R", NULL};

#define SYSTEM_R "/usr/bin/R"
#define SYSTEM_HOME "/usr/lib/R"

/* Folders that distributions take out of R's home, as R's start script names them. */
typedef struct folder {
    const char *name;
    const char *in_home;
    const char *elsewhere[3];
} folder;

static const folder folders[] = {
    {"R_SHARE_DIR", "share", {"/usr/share/R/share", "/usr/share/R", NULL}},
    {"R_INCLUDE_DIR", "include", {"/usr/share/R/include", "/usr/include/R", NULL}},
    {"R_DOC_DIR", "doc", {"/usr/share/R/doc", "/usr/share/doc/R", NULL}},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static extfn_status take_home(const char *answer, char **ret_home, extfn_error *err)
{
    XF_AUTO_FREE char *home = xf_strdup(answer);
    if (!home)
        return xf_fail_oom(err);
    home[strcspn(home, "\n")] = 0;
    if (home[0] != '/' || !xf_path_is_folder(home) || xf_path_is_too_wide(home))
        return xf_fail(err, EXTFN_EIO, "'%s' is not the home of R", home);
    *ret_home = XF_STEAL(home);
    return EXTFN_OK;
}

static extfn_status ask_home(const char *path, char **ret_home, extfn_error *err)
{
    if (strcmp(path, SYSTEM_R) == 0 && xf_path_is_file(SYSTEM_HOME "/bin/exec/R"))
        return take_home(SYSTEM_HOME, ret_home, err);
    const char *const argv[] = {path, "RHOME", NULL};
    static const char *const env[] = {"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", NULL};
    XF_AUTO_FREE char *answer = NULL;
    XF_TRY(xf_ask(argv, env, ASK_TIMEOUT_US, ASK_LIMIT, &answer, err));
    return take_home(answer, ret_home, err);
}

/* The base package's version is R's; 0 when it cannot be read. */
static int major_version(const char *home)
{
    char path[512];
    char text[2048];
    (void)snprintf(path, sizeof(path), "%s/library/base/DESCRIPTION", home);
    XF_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (size <= 0)
        return 0;
    text[size] = 0;
    const char *line = strstr(text, "\nVersion: ");
    return line ? (int)strtol(line + strlen("\nVersion: "), NULL, 10) : 0;
}

static extfn_status find_home(const xf_language *language, const char *path, char **ret_home,
                              extfn_error *err)
{
    XF_AUTO_FREE char *home = NULL;
    extfn_error failure = {0};
    extfn_status status = ask_home(path, &home, &failure);
    if (status == EXTFN_ENOMEM)
        return xf_fail_oom(err);
    if (status != EXTFN_OK)
        return xf_language_unavailable(language, failure.message, "name another interpreter", err);
    int major = major_version(home);
    if (major < OLDEST_MAJOR) {
        char reason[512];
        (void)snprintf(reason, sizeof(reason), "'%s' is R %d, too old", path, major);
        return xf_language_unavailable(language, reason, "install R 4.0 or newer", err);
    }
    *ret_home = XF_STEAL(home);
    return EXTFN_OK;
}

static const char *find_elsewhere(const folder *wanted)
{
    for (size_t i = 0; wanted->elsewhere[i]; i++) {
        if (xf_path_is_folder(wanted->elsewhere[i]))
            return wanted->elsewhere[i];
    }
    return NULL;
}

static extfn_status add_folder(const folder *wanted, const char *home, xf_runtime *runtime,
                               extfn_error *err)
{
    char path[512];
    (void)snprintf(path, sizeof(path), "%s/%s", home, wanted->in_home);
    const char *found = xf_path_is_folder(path) ? path : find_elsewhere(wanted);
    if (!found)
        return EXTFN_OK;
    XF_TRY(xf_strings_add(&runtime->binds, found, err));
    return xf_pair_add(&runtime->environment, wanted->name, found, err);
}

static extfn_status add_places(const char *home, xf_runtime *runtime, extfn_error *err)
{
    XF_TRY(xf_strings_add(&runtime->binds, home, err));
    XF_TRY(xf_pair_add(&runtime->environment, "R_HOME", home, err));
    for (size_t i = 0; i < COUNT(folders); i++)
        XF_TRY(add_folder(&folders[i], home, runtime, err));
    /* Debian's home links its etc/ to there. */
    if (strcmp(home, SYSTEM_HOME) == 0 && xf_path_is_folder("/etc/R"))
        XF_TRY(xf_strings_add(&runtime->binds, "/etc/R", err));
    return EXTFN_OK;
}

static extfn_status add_environment(const char *home, const xf_strings *packages,
                                    xf_runtime *runtime, extfn_error *err)
{
    XF_TRY(xf_strings_add(&runtime->environment, "LD_LIBRARY_PATH", err));
    XF_TRY(xf_strings_add_format(&runtime->environment, err, "%s/lib", home));
    XF_TRY(xf_pair_add(&runtime->environment, "TMPDIR", "/tmp", err));
    /* The driver attaches the packages that a body needs, and compiles what is worth it. */
    XF_TRY(xf_pair_add(&runtime->environment, "R_DEFAULT_PACKAGES", "NULL", err));
    XF_TRY(xf_pair_add(&runtime->environment, "R_ENABLE_JIT", "0", err));
    for (size_t i = 0; i < packages->count; i++)
        XF_TRY(xf_strings_add(&runtime->binds, packages->items[i], err));
    return xf_path_list_add(&runtime->environment, "R_LIBS", packages, err);
}

/* The binary itself: R's start script would run a dozen programs first. */
static extfn_status set_argv(const char *home, xf_strings *argv, extfn_error *err)
{
    static const char driver[] = "--file=" XF_DRIVER_MARK;
    static const char *const words[] = {
        "--no-echo", "--no-restore", "--vanilla", driver, "--args", XF_GUEST_MARK,
    };
    XF_TRY(xf_strings_add_format(argv, err, "%s/bin/exec/R", home));
    for (size_t i = 0; i < COUNT(words); i++)
        XF_TRY(xf_strings_add(argv, words[i], err));
    return EXTFN_OK;
}

extfn_status xf_r_locate(const xf_language_options *options, xf_runtime *ret_runtime,
                         extfn_error *err)
{
    const xf_language *language = xf_language_get(EXTFN_R);
    XF_AUTO_FREE char *path = NULL;
    XF_AUTO_FREE char *home = NULL;
    XF_AUTO(xf_strings_clear) xf_strings packages = {0};
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    XF_TRY(xf_packages_find(options, &packages, err));
    XF_TRY(xf_interpreter_find(language, options, places, &path, err));
    XF_TRY(find_home(language, path, &home, err));
    assert(home);
    XF_TRY(set_argv(home, &runtime.argv, err));
    XF_TRY(add_places(home, &runtime, err));
    XF_TRY(add_environment(home, &packages, &runtime, err));
    runtime.base_memory = BASE_MEMORY;
    runtime.driver = (xf_plan_file){"/b/driver.R", xf_driver_r, sizeof(xf_driver_r) - 1};
    runtime.needs_stub_shell = true; /* the package utils runs `which` when it is loaded */
    *ret_runtime = runtime;
    runtime = (xf_runtime){0};
    return EXTFN_OK;
}

/* POSIXct is a double of seconds. */
static bool rounds_back(int64_t microseconds)
{
    double seconds = (double)microseconds / 1e6;
    double whole = floor(seconds);
    return (int64_t)whole * 1000000 + llround((seconds - whole) * 1e6) == microseconds;
}

const char *xf_r_refusal(const extfn_value *value)
{
    if (value->type == EXTFN_TEXT && value->as.text.size > 0 &&
        memchr(value->as.text.data, 0, value->as.text.size))
        return "R text cannot hold U+0000";
    if (value->type == EXTFN_DATETIME && !rounds_back(value->as.datetime))
        return "R cannot hold this DateTime to the microsecond";
    return NULL;
}
