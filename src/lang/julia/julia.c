#include "lang/languages.h"

#include "base/auto.h"
#include "lang/driver_julia.h"
#include "lang/find.h"

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OLDEST_MINOR 5
#define EXISTING_MINOR 11 /* the first that can be told to use what was compiled and no more */
#define THREADS_MINOR 12  /* the first that starts a thread for interactive use */

/* What Julia has taken before any body: its compiled image is private memory. */
#define BASE_MEMORY (UINT64_C(300) << 20)
/* Reserved address space is not memory, but page tables for it are. */
#define ADDRESS_SPACE (UINT64_C(64) << 30)
/* Code that it compiles passes through a file without a name. */
#define FILE_BYTES (UINT64_C(256) << 20)

#define MICROSECONDS 1000 /* a millisecond */
#define PATH_SIZE 1024
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const places[] = {"/usr/local/bin/julia", "/usr/bin/julia", NULL};

/* What Julia asks its kernel for when it starts; made up, as the sandbox shows no /proc. */
static const char cpuinfo[] = "processor\t: 0\nmodel name\t: unknown\ncpu MHz\t\t: 1000.000\n\n";
static const char meminfo[] = "MemTotal:        4194304 kB\nMemFree:         4194304 kB\n"
                              "MemAvailable:    4194304 kB\n";

/* Under a prefix that holds more than Julia. */
static const char *const pieces[] = {"lib/julia", "share/julia", "etc/julia", "libexec/julia"};

typedef struct julia {
    char program[PATH_SIZE]; /* without links */
    char prefix[PATH_SIZE];  /* of bin/julia */
    int minor;
} julia;

/* The folder of its standard library is named for the version: share/julia/stdlib/v1.5. */
static int find_minor(const char *prefix)
{
    char path[PATH_SIZE + 32];
    (void)snprintf(path, sizeof(path), "%s/share/julia/stdlib", prefix);
    DIR *folder = opendir(path);
    int minor = -1;
    for (struct dirent *entry = NULL; folder && minor < 0;) {
        entry = readdir(folder); /* NOLINT(concurrency-mt-unsafe): a stream of our own */
        if (!entry)
            break;
        if (strncmp(entry->d_name, "v1.", 3) == 0)
            minor = (int)strtol(entry->d_name + 3, NULL, 10);
    }
    if (folder)
        (void)closedir(folder);
    return minor;
}

static extfn_status refuse(const char *path, const char *problem, const char *advice,
                           extfn_error *err)
{
    char reason[PATH_SIZE + 64];
    (void)snprintf(reason, sizeof(reason), "'%s' %s", path, problem);
    return xf_language_unavailable(xf_language_get(EXTFN_JULIA), reason, advice, err);
}

/* Nothing is asked of it: starting it takes longer than all else. */
static extfn_status examine(const char *path, julia *found, extfn_error *err)
{
    static const char ending[] = "/bin/julia";
    XF_AUTO_FREE char *real = realpath(path, NULL);
    size_t size = real ? strlen(real) : 0;
    if (size >= PATH_SIZE || size < sizeof(ending) ||
        strcmp(real + size - strlen(ending), ending) != 0)
        return refuse(path, "is not bin/julia of an installation",
                      "name the one that `julia -e 'print(Sys.BINDIR)'` tells", err);
    memcpy(found->program, real, size + 1);
    memcpy(found->prefix, real, size - strlen(ending));
    found->minor = find_minor(found->prefix);
    if (found->minor < 0)
        return refuse(path, "has no share/julia/stdlib beside it", "name another interpreter", err);
    char problem[64];
    (void)snprintf(problem, sizeof(problem), "is Julia 1.%d, too old", found->minor);
    if (found->minor < OLDEST_MINOR)
        return refuse(path, problem, "install Julia 1.5 or newer", err);
    return EXTFN_OK;
}

/* ---- Files ---- */

static extfn_status add_piece(const char *prefix, const char *name, xf_strings *binds,
                              extfn_error *err)
{
    char path[PATH_SIZE + 320];
    (void)snprintf(path, sizeof(path), "%s/%s", prefix, name);
    if (!xf_path_is_folder(path) && !xf_path_is_file(path))
        return EXTFN_OK;
    return xf_strings_add(binds, path, err);
}

/* lib/libjulia.so.1 and its like. */
static extfn_status add_libraries(const char *prefix, xf_strings *binds, extfn_error *err)
{
    char path[PATH_SIZE + 8];
    (void)snprintf(path, sizeof(path), "%s/lib", prefix);
    DIR *folder = opendir(path);
    extfn_status status = EXTFN_OK;
    while (folder && status == EXTFN_OK) {
        struct dirent *entry = readdir(folder); /* NOLINT(concurrency-mt-unsafe): as above */
        if (!entry)
            break;
        if (strncmp(entry->d_name, "libjulia", strlen("libjulia")) == 0)
            status = add_piece(path, entry->d_name, binds, err);
    }
    if (folder)
        (void)closedir(folder);
    return status;
}

static extfn_status add_files(const julia *found, xf_strings *binds, extfn_error *err)
{
    if (!xf_path_is_too_wide(found->prefix))
        return xf_strings_add(binds, found->prefix, err);
    XF_TRY(xf_strings_add(binds, found->program, err));
    for (size_t i = 0; i < COUNT(pieces); i++)
        XF_TRY(add_piece(found->prefix, pieces[i], binds, err));
    /* Debian's package has its configuration there. */
    if (strcmp(found->prefix, "/usr") == 0 && xf_path_is_folder("/etc/julia"))
        XF_TRY(xf_strings_add(binds, "/etc/julia", err));
    return add_libraries(found->prefix, binds, err);
}

static extfn_status add_devices(const julia *found, xf_runtime *runtime, extfn_error *err)
{
    XF_TRY(xf_strings_add(&runtime->symlinks, found->program, err));
    XF_TRY(xf_strings_add(&runtime->symlinks, "/proc/self/exe", err));
    XF_TRY(xf_strings_add(&runtime->devices, "/dev/urandom", err));
    runtime->files[0] = (xf_plan_file){"/proc/cpuinfo", cpuinfo, sizeof(cpuinfo) - 1};
    runtime->files[1] = (xf_plan_file){"/proc/meminfo", meminfo, sizeof(meminfo) - 1};
    return EXTFN_OK;
}

/* ---- Packages: a folder is a depot, or a project, or one of packages ---- */

static bool has(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    int size = snprintf(path, sizeof(path), "%s/%s", folder, name);
    return size < (int)sizeof(path) && (xf_path_is_folder(path) || xf_path_is_file(path));
}

static bool is_depot(const char *folder)
{
    return has(folder, "packages") || has(folder, "environments");
}

static bool has_compiled(const xf_strings *packages)
{
    for (size_t i = 0; i < packages->count; i++) {
        if (has(packages->items[i], "compiled"))
            return true;
    }
    return false;
}

/* The first depot is where Julia would write to; that of the installation stays the last. */
static extfn_status add_depots(const julia *found, const xf_strings *packages, xf_runtime *runtime,
                               extfn_error *err)
{
    XF_AUTO(xf_strings_clear) xf_strings depots = {0};
    XF_TRY(xf_strings_add(&depots, "/tmp/depot", err));
    for (size_t i = 0; i < packages->count; i++) {
        if (is_depot(packages->items[i]))
            XF_TRY(xf_strings_add(&depots, packages->items[i], err));
    }
    XF_TRY(xf_strings_add_format(&depots, err, "%s/share/julia", found->prefix));
    return xf_path_list_add(&runtime->environment, "JULIA_DEPOT_PATH", &depots, err);
}

static extfn_status add_load_path(const julia *found, const xf_strings *packages,
                                  xf_runtime *runtime, extfn_error *err)
{
    XF_AUTO(xf_strings_clear) xf_strings path = {0};
    for (size_t i = 0; i < packages->count; i++) {
        const char *folder = packages->items[i];
        if (!is_depot(folder))
            XF_TRY(xf_strings_add(&path, folder, err));
        else
            XF_TRY(
                xf_strings_add_format(&path, err, "%s/environments/v1.%d", folder, found->minor));
    }
    XF_TRY(xf_strings_add(&path, "@stdlib", err));
    return xf_path_list_add(&runtime->environment, "JULIA_LOAD_PATH", &path, err);
}

static extfn_status add_packages(const julia *found, const xf_strings *packages,
                                 xf_runtime *runtime, extfn_error *err)
{
    for (size_t i = 0; i < packages->count; i++)
        XF_TRY(xf_strings_add(&runtime->binds, packages->items[i], err));
    XF_TRY(add_depots(found, packages, runtime, err));
    return add_load_path(found, packages, runtime, err);
}

/* ---- */

/* Nothing is compiled to be kept: that would take a process, which the seal forbids. */
static extfn_status set_argv(const julia *found, const xf_strings *packages, xf_strings *argv,
                             extfn_error *err)
{
    static const char *const words[] = {"--startup-file=no", "--history-file=no", "--color=no",
                                        "--banner=no"};
    XF_TRY(xf_strings_add(argv, found->program, err));
    for (size_t i = 0; i < COUNT(words); i++)
        XF_TRY(xf_strings_add(argv, words[i], err));
    const char *modules = has_compiled(packages) ? "yes" : "no";
    modules = found->minor >= EXISTING_MINOR ? "existing" : modules;
    XF_TRY(xf_strings_add_format(argv, err, "--compiled-modules=%s", modules));
    if (found->minor == OLDEST_MINOR) /* later ones are told by the driver, for its own code only */
        XF_TRY(xf_strings_add(argv, "--compile=min", err));
    if (found->minor >= THREADS_MINOR)
        XF_TRY(xf_strings_add(argv, "--threads=1,0", err));
    XF_TRY(xf_strings_add(argv, XF_DRIVER_MARK, err));
    return xf_strings_add(argv, XF_GUEST_MARK, err);
}

extfn_status xf_julia_locate(const xf_language_options *options, xf_runtime *ret_runtime,
                             extfn_error *err)
{
    const xf_language *language = xf_language_get(EXTFN_JULIA);
    XF_AUTO_FREE char *path = NULL;
    XF_AUTO(xf_strings_clear) xf_strings packages = {0};
    XF_AUTO(xf_runtime_clear) xf_runtime runtime = {0};
    julia found = {0};
    XF_TRY(xf_packages_find(options, &packages, err));
    XF_TRY(xf_interpreter_find(language, options, places, &path, err));
    assert(path);
    XF_TRY(examine(path, &found, err));
    XF_TRY(set_argv(&found, &packages, &runtime.argv, err));
    XF_TRY(add_files(&found, &runtime.binds, err));
    XF_TRY(add_devices(&found, &runtime, err));
    XF_TRY(add_packages(&found, &packages, &runtime, err));
    runtime.base_memory = BASE_MEMORY;
    runtime.address_space = ADDRESS_SPACE;
    runtime.file_bytes = FILE_BYTES;
    runtime.driver = (xf_plan_file){"/b/driver.jl", xf_driver_julia, sizeof(xf_driver_julia) - 1};
    *ret_runtime = runtime;
    runtime = (xf_runtime){0};
    return EXTFN_OK;
}

const char *xf_julia_refusal(const extfn_value *value)
{
    if (value->type == EXTFN_DATETIME && value->as.datetime % MICROSECONDS != 0)
        return "Julia's DateTime holds milliseconds";
    return NULL;
}
