#include "lang/languages.h"

#include "base/auto.h"
#include "lang/ask_python.h"
#include "lang/driver_python.h"
#include "lang/driver_python_code.h"
#include "lang/find.h"
#include "os/spawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OLDEST_MINOR 9
#define SAFE_PATH_MINOR 11 /* the first with -P */
#define BASE_MEMORY (UINT64_C(16) << 20)
#define ASK_TIMEOUT_US 10000000
#define ASK_LIMIT 65536

static const char *const places[] = {"/usr/local/bin/python3", "/usr/bin/python3", NULL};

/* What is known of an interpreter; starts as `= {0}`. */
typedef struct python {
    int major;
    int minor;
    bool is_known; /* the system's own, in its own place: nothing was asked */
    char *executable;
    xf_strings binds;
    xf_strings libraries; /* folders of a shared libpython */
    xf_strings sites;     /* folders of packages that belong to it */
} python;

static void python_clear(python *found)
{
    xf_free(found->executable);
    xf_strings_clear(&found->binds);
    xf_strings_clear(&found->libraries);
    xf_strings_clear(&found->sites);
    *found = (python){0};
}

/* `path` itself must lie there: a virtual environment's python is a symlink to the system's. */
static int minor_of_system_python(const char *path, const char *real)
{
    static const char stem[] = "/usr/bin/python3.";
    if (strncmp(path, stem, sizeof("/usr/bin/") - 1) != 0)
        return 0;
    if (strncmp(real, stem, sizeof(stem) - 1) != 0)
        return 0;
    const char *digits = real + sizeof(stem) - 1;
    char *end;
    long minor = strtol(digits, &end, 10);
    return end == digits || *end || minor < 0 || minor > 999 ? 0 : (int)minor;
}

/* A distribution's own: nothing needs to be asked. */
static extfn_status know(const char *path, python *found, extfn_error *err)
{
    XF_AUTO_FREE char *real = realpath(path, NULL);
    int minor = real ? minor_of_system_python(path, real) : 0;
    char standard[64];
    (void)snprintf(standard, sizeof(standard), "/usr/lib/python3.%d/os.py", minor);
    found->is_known = minor > 0 && xf_path_is_file(standard);
    if (found->is_known) {
        *strrchr(standard, '/') = 0;
        XF_TRY(xf_strings_add(&found->binds, real, err));
        XF_TRY(xf_strings_add(&found->binds, standard, err));
        found->major = 3;
        found->minor = minor;
        found->executable = XF_STEAL(real);
    }
    return EXTFN_OK;
}

/* ---- One line of the answer to ask.py ---- */

static extfn_status take_version(python *found, const char *value, extfn_error *err)
{
    (void)err;
    char *end;
    found->major = (int)strtol(value, &end, 10);
    found->minor = (int)strtol(end, NULL, 10);
    return EXTFN_OK;
}

static extfn_status take_executable(python *found, const char *value, extfn_error *err)
{
    xf_free(found->executable);
    found->executable = xf_strdup(value);
    return found->executable ? xf_strings_add(&found->binds, value, err) : xf_fail_oom(err);
}

/* Of a prefix such as /usr the pieces must do. */
static extfn_status take_prefix(python *found, const char *value, extfn_error *err)
{
    return xf_path_is_too_wide(value) ? EXTFN_OK : xf_strings_add(&found->binds, value, err);
}

static extfn_status take_piece(python *found, const char *value, extfn_error *err)
{
    return xf_strings_add(&found->binds, value, err);
}

static extfn_status take_library(python *found, const char *value, extfn_error *err)
{
    int folder_size = (int)(strrchr(value, '/') - value);
    XF_TRY(xf_strings_add(&found->binds, value, err));
    return xf_strings_add_format(&found->libraries, err, "%.*s", folder_size, value);
}

static extfn_status take_site(python *found, const char *value, extfn_error *err)
{
    if (xf_path_is_too_wide(value))
        return xf_fail(err, EXTFN_EUNAVAILABLE, "its module path names '%s'", value);
    XF_TRY(xf_strings_add(&found->binds, value, err));
    return xf_strings_add(&found->sites, value, err);
}

static const struct {
    const char *key;
    extfn_status (*take)(python *found, const char *value, extfn_error *err);
} facts[] = {
    {"version ", take_version}, {"executable ", take_executable}, {"prefix ", take_prefix},
    {"piece ", take_piece},     {"library ", take_library},       {"site ", take_site},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Lines that a site's own start-up code may have printed are passed over. */
static extfn_status take_line(python *found, const char *line, extfn_error *err)
{
    for (size_t i = 0; i < COUNT(facts); i++) {
        size_t size = strlen(facts[i].key);
        if (strncmp(line, facts[i].key, size) != 0)
            continue;
        bool is_text = facts[i].take == take_version;
        return is_text || line[size] == '/' ? facts[i].take(found, line + size, err) : EXTFN_OK;
    }
    return EXTFN_OK;
}

static extfn_status take_answer(python *found, char *answer, extfn_error *err)
{
    char *rest = answer;
    while (rest) {
        const char *line = strsep(&rest, "\n");
        XF_TRY(take_line(found, line, err));
    }
    if (!found->executable)
        return xf_fail(err, EXTFN_EIO, "it did not say where it lies");
    return EXTFN_OK;
}

static extfn_status ask(const char *path, python *found, extfn_error *err)
{
    const char *const argv[] = {path, "-I", "-c", (const char *)xf_ask_python, NULL};
    static const char *const env[] = {"LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", NULL};
    XF_AUTO_FREE char *answer = NULL;
    XF_TRY(xf_ask(argv, env, ASK_TIMEOUT_US, ASK_LIMIT, &answer, err));
    return take_answer(found, answer, err);
}

/* ---- */

static extfn_status examine(const xf_language *language, const char *path, python *found,
                            extfn_error *err)
{
    XF_TRY(know(path, found, err));
    extfn_error failure = {0};
    extfn_status status = found->is_known ? EXTFN_OK : ask(path, found, &failure);
    if (status == EXTFN_ENOMEM)
        return xf_fail_oom(err);
    if (status != EXTFN_OK)
        return xf_language_unavailable(language, failure.message, "name another interpreter", err);
    if (found->major == 3 && found->minor >= OLDEST_MINOR)
        return EXTFN_OK;
    char reason[512];
    (void)snprintf(reason, sizeof(reason), "'%s' is Python %d.%d, too old", path, found->major,
                   found->minor);
    return xf_language_unavailable(language, reason, "install Python 3.9 or newer", err);
}

static extfn_status set_argv(const python *found, xf_strings *argv, extfn_error *err)
{
    XF_TRY(xf_strings_add(argv, found->executable, err));
    XF_TRY(xf_strings_add(argv, "-s", err));
    XF_TRY(xf_strings_add(argv, "-S", err));
    if (found->minor >= SAFE_PATH_MINOR)
        XF_TRY(xf_strings_add(argv, "-P", err));
    XF_TRY(xf_strings_add(argv, "-B", err));
    XF_TRY(xf_strings_add(argv, XF_DRIVER_MARK, err));
    return xf_strings_add(argv, XF_GUEST_MARK, err);
}

static extfn_status add_all(xf_strings *list, const xf_strings *more, extfn_error *err)
{
    for (size_t i = 0; i < more->count; i++)
        XF_TRY(xf_strings_add(list, more->items[i], err));
    return EXTFN_OK;
}

/* What this library's build compiled is understood by the same version of the system's own Python;
 * any other compiles the source, for milliseconds more. */
static xf_plan_file choose_driver(const python *found)
{
    char version[32];
    (void)snprintf(version, sizeof(version), "%d.%d", found->major, found->minor);
    if (found->is_known && strcmp(version, XF_DRIVER_PYTHON_VERSION) == 0)
        return (xf_plan_file){"/b/driver.pyc", xf_driver_python_code,
                              sizeof(xf_driver_python_code) - 1};
    return (xf_plan_file){"/b/driver.py", xf_driver_python, sizeof(xf_driver_python) - 1};
}

static extfn_status describe(const python *found, const xf_strings *packages, xf_runtime *runtime,
                             extfn_error *err)
{
    XF_AUTO(xf_strings_clear) xf_strings modules = {0};
    XF_TRY(add_all(&modules, packages, err));
    XF_TRY(add_all(&modules, &found->sites, err));
    XF_TRY(set_argv(found, &runtime->argv, err));
    XF_TRY(add_all(&runtime->binds, &found->binds, err));
    XF_TRY(add_all(&runtime->binds, packages, err));
    XF_TRY(xf_pair_add(&runtime->environment, "PYTHONHASHSEED", "0", err));
    XF_TRY(xf_path_list_add(&runtime->environment, "PYTHONPATH", &modules, err));
    runtime->base_memory = BASE_MEMORY;
    runtime->driver = choose_driver(found);
    return xf_path_list_add(&runtime->environment, "LD_LIBRARY_PATH", &found->libraries, err);
}

extfn_status xf_python_locate(const xf_language_options *options, xf_runtime *ret_runtime,
                              extfn_error *err)
{
    const xf_language *language = xf_language_get(EXTFN_PYTHON);
    XF_AUTO_FREE char *path = NULL;
    XF_AUTO(python_clear) python found = {0};
    XF_AUTO(xf_strings_clear) xf_strings packages = {0};
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    XF_TRY(xf_packages_find(options, &packages, err));
    XF_TRY(xf_interpreter_find(language, options, places, &path, err));
    XF_TRY(examine(language, path, &found, err));
    XF_TRY(describe(&found, &packages, &runtime, err));
    *ret_runtime = runtime;
    runtime = (xf_runtime){0};
    return EXTFN_OK;
}
