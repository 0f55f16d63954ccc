#include "lang/languages.h"

#include "base/auto.h"
#include "lang/driver_pure.h"
#include "lang/find.h"
#include "os/spawn.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OLDEST_MINOR 64 /* of version 0 */
#define BASE_MEMORY (UINT64_C(96) << 20)
#define STACK_KIB                                                                                  \
    "7168" /* of the 8 MiB that extfn-enter allows; the rest is for what does not count */
#define ASK_TIMEOUT_US 10000000
#define ASK_LIMIT 4096
#define OTHER_ADVICE "name another interpreter"

static const char *const places[] = {"/usr/local/bin/pure", "/usr/bin/pure", NULL};

/* Where an interpreter lies: PREFIX/bin/pure with PREFIX/lib/pure and PREFIX/lib/libpure.so. */
typedef struct home {
    char *program; /* resolved */
    char *prefix;
} home;

static void home_clear(home *h)
{
    xf_free(h->program);
    xf_free(h->prefix);
}

/* Cuts PREFIX out of PREFIX/bin/pure; false when nothing would be left. */
static bool cut_prefix(char *path)
{
    for (int part = 0; part < 2; part++) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path)
            return false;
        *slash = 0;
    }
    return true;
}

static extfn_status find_home(const xf_language *language, const char *path, home *ret_home,
                              extfn_error *err)
{
    XF_AUTO_FREE char *program = realpath(path, NULL);
    XF_AUTO_FREE char *prefix = program ? xf_strdup(program) : NULL;
    if (!program || !prefix)
        return xf_fail_oom(err);
    char prelude[512] = "";
    if (cut_prefix(prefix))
        (void)snprintf(prelude, sizeof(prelude), "%s/lib/pure/prelude.pure", prefix);
    if (!xf_path_is_file(prelude)) {
        char reason[1024];
        (void)snprintf(reason, sizeof(reason), "'%s' has no ../lib/pure/prelude.pure", program);
        return xf_language_unavailable(language, reason, OTHER_ADVICE, err);
    }
    ret_home->program = XF_STEAL(program);
    ret_home->prefix = XF_STEAL(prefix);
    return EXTFN_OK;
}

/* `Pure 0.68 (x86_64-linux-gnu) ...` */
static bool is_new_enough(const char *answer)
{
    static const char start[] = "Pure ";
    if (strncmp(answer, start, strlen(start)) != 0)
        return false;
    char *end = NULL;
    long major = strtol(answer + strlen(start), &end, 10);
    long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return major > 0 || minor >= OLDEST_MINOR;
}

static extfn_status check_version(const xf_language *language, const home *h, extfn_error *err)
{
    char libraries[1024];
    (void)snprintf(libraries, sizeof(libraries), "LD_LIBRARY_PATH=%s/lib", h->prefix);
    const char *const argv[] = {h->program, "--version", NULL};
    const char *const env[] = {"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", libraries, NULL};
    XF_AUTO_FREE char *answer = NULL;
    extfn_error failure = {0};
    extfn_status status = xf_ask(argv, env, ASK_TIMEOUT_US, ASK_LIMIT, &answer, &failure);
    if (status == EXTFN_ENOMEM)
        return xf_fail_oom(err);
    if (status != EXTFN_OK)
        return xf_language_unavailable(language, failure.message, OTHER_ADVICE, err);
    if (is_new_enough(answer))
        return EXTFN_OK;
    char reason[1024];
    (void)snprintf(reason, sizeof(reason), "'%s' is not Pure 0.%d or newer", h->program,
                   OLDEST_MINOR);
    return xf_language_unavailable(language, reason, OTHER_ADVICE, err);
}

static bool is_runtime(const char *name)
{
    return strncmp(name, "libpure.so", strlen("libpure.so")) == 0 ||
           strncmp(name, "libpure-", strlen("libpure-")) == 0;
}

static const struct dirent *next_runtime(DIR *folder)
{
    const struct dirent *entry = NULL;
    do
        entry = readdir(folder); /* NOLINT(concurrency-mt-unsafe): a stream of our own */
    while (entry && !is_runtime(entry->d_name));
    return entry;
}

/* Of a prefix that others share, the runtime's own files alone. */
static extfn_status add_shared_prefix(const char *path, xf_runtime *runtime, extfn_error *err)
{
    DIR *folder = opendir(path);
    extfn_status status = EXTFN_OK;
    const struct dirent *entry = folder ? next_runtime(folder) : NULL;
    for (; entry && status == EXTFN_OK; entry = next_runtime(folder))
        status = xf_strings_add_format(&runtime->binds, err, "%s/%s", path, entry->d_name);
    if (folder)
        (void)closedir(folder);
    XF_TRY(status);
    return xf_strings_add_format(&runtime->binds, err, "%s/pure", path);
}

static extfn_status add_binds(const home *h, xf_runtime *runtime, extfn_error *err)
{
    char folder[1024];
    (void)snprintf(folder, sizeof(folder), "%s/lib", h->prefix);
    XF_TRY(xf_strings_add(&runtime->binds, h->program, err));
    if (xf_path_is_too_wide(h->prefix))
        return add_shared_prefix(folder, runtime, err);
    return xf_strings_add(&runtime->binds, folder, err);
}

static extfn_status add_environment(const home *h, const xf_strings *packages, xf_runtime *runtime,
                                    extfn_error *err)
{
    XF_TRY(xf_strings_add(&runtime->environment, "LD_LIBRARY_PATH", err));
    XF_TRY(xf_strings_add_format(&runtime->environment, err, "%s/lib", h->prefix));
    XF_TRY(xf_strings_add(&runtime->environment, "PURELIB", err));
    XF_TRY(xf_strings_add_format(&runtime->environment, err, "%s/lib/pure", h->prefix));
    XF_TRY(xf_pair_add(&runtime->environment, "PURE_STACK", STACK_KIB, err));
    for (size_t i = 0; i < packages->count; i++)
        XF_TRY(xf_strings_add(&runtime->binds, packages->items[i], err));
    XF_TRY(xf_path_list_add(&runtime->environment, "PURE_INCLUDE", packages, err));
    return xf_path_list_add(&runtime->environment, "PURE_LIBRARY", packages, err);
}

/* A script by -x: no interactive commands, and with --norc nothing is read before it. */
static extfn_status set_argv(const home *h, xf_strings *argv, extfn_error *err)
{
    static const char *const words[] = {"--norc", "-x", XF_DRIVER_MARK, XF_GUEST_MARK};
    XF_TRY(xf_strings_add(argv, h->program, err));
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        XF_TRY(xf_strings_add(argv, words[i], err));
    return EXTFN_OK;
}

extfn_status xf_pure_locate(const xf_language_options *options, xf_runtime *ret_runtime,
                            extfn_error *err)
{
    const xf_language *language = xf_language_get(EXTFN_PURE);
    XF_AUTO_FREE char *path = NULL;
    XF_AUTO(home_clear) home found = {0};
    XF_AUTO(xf_strings_clear) xf_strings packages = {0};
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    XF_TRY(xf_packages_find(options, &packages, err));
    XF_TRY(xf_interpreter_find(language, options, places, &path, err));
    XF_TRY(find_home(language, path, &found, err));
    XF_TRY(check_version(language, &found, err));
    XF_TRY(set_argv(&found, &runtime.argv, err));
    XF_TRY(add_binds(&found, &runtime, err));
    XF_TRY(add_environment(&found, &packages, &runtime, err));
    runtime.base_memory = BASE_MEMORY;
    runtime.driver = (xf_plan_file){"/b/driver.pure", xf_driver_pure, sizeof(xf_driver_pure) - 1};
    *ret_runtime = runtime;
    runtime = (xf_runtime){0};
    return EXTFN_OK;
}

const char *xf_pure_refusal(const extfn_value *value)
{
    bool has_nul = value->type == EXTFN_TEXT && value->as.text.size > 0 &&
                   memchr(value->as.text.data, 0, value->as.text.size);
    return has_nul ? "Pure text cannot hold U+0000" : NULL;
}
