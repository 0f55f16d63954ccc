#include "sandbox/plan.h"

#include "base/auto.h"
#include "base/layers.h"
#include "sandbox/bwrap_args.h"
#include "sandbox/environment.h"
#include "sandbox/limits.h"
#include "sandbox/programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A file's path as the worker sees it. */
typedef struct place {
    char path[64];
} place;

/* What stands for a file in a runtime's argv. */
typedef struct marked {
    const char *mark;
    place at;
} marked;

#define MARKED_COUNT 2

typedef struct command {
    xf_strings argv;
    xf_strings env;
} command;

static void command_clear(command *cmd)
{
    xf_strings_clear(&cmd->argv);
    xf_strings_clear(&cmd->env);
}

void xf_launch_clear(xf_launch *launch)
{
    xf_buf_clear(&launch->bytes);
    xf_buf_clear(&launch->args);
    *launch = (xf_launch){0};
}

/* Without bubblewrap the file is there as the descriptor that it came by. */
static place place_of(const xf_launch *launch, size_t position, bool is_confined)
{
    place found = {{0}};
    if (!is_confined)
        (void)snprintf(found.path, sizeof(found.path), "/proc/self/fd/%zu", XF_FD_DATA + position);
    if (is_confined)
        (void)snprintf(found.path, sizeof(found.path), "%s", launch->files[position].place);
    return found;
}

/* Appends the word with the first mark in it replaced by that file's path. */
static extfn_status add_word(xf_strings *argv, const char *word, const marked *files,
                             extfn_error *err)
{
    for (size_t i = 0; i < MARKED_COUNT; i++) {
        const char *found = strstr(word, files[i].mark);
        if (!found)
            continue;
        const char *rest = found + strlen(files[i].mark);
        return xf_strings_add_format(argv, err, "%.*s%s%s", (int)(found - word), word,
                                     files[i].at.path, rest);
    }
    return xf_strings_add(argv, word, err);
}

/* argv[0] is the operator's path: no mark is looked for there. */
static extfn_status add_interpreter(xf_strings *argv, const xf_runtime *runtime,
                                    const marked *files, extfn_error *err)
{
    XF_TRY(xf_strings_add(argv, runtime->argv.items[0], err));
    for (size_t i = 1; i < runtime->argv.count; i++)
        XF_TRY(add_word(argv, runtime->argv.items[i], files, err));
    return EXTFN_OK;
}

/* Its list of arguments is the last of the files. */
static extfn_status add_bwrap(xf_strings *argv, const char *bwrap_path, size_t file_count,
                              extfn_error *err)
{
    XF_TRY(xf_strings_add(argv, bwrap_path, err));
    XF_TRY(xf_strings_add(argv, "--args", err));
    XF_TRY(xf_strings_add_format(argv, err, "%zu", XF_FD_DATA + file_count - 1));
    return xf_strings_add(argv, "--", err);
}

/* Limits, the network that it must not be in, and where the first filter is: bubblewrap has loaded
 * it, or extfn-enter will. */
static extfn_status add_settings(xf_strings *argv, const xf_policy *policy,
                                 const xf_runtime *runtime, extfn_error *err)
{
    char limits[XF_LIMITS_SIZE];
    xf_limits_write(policy, runtime, limits);
    bool is_confined = policy->confinement == XF_CONFINED;
    char network[40] = "";
    if (is_confined && policy->network != 0 && xf_has_layer(XF_WITH_NET_NAMESPACE))
        (void)snprintf(network, sizeof(network), ",net=%" PRIu64, policy->network);
    if (policy->confinement == XF_TRUSTED || !xf_has_layer(XF_WITH_FILTER))
        return xf_strings_add_format(argv, err, "%s%s", limits, network);
    int filter_fd = is_confined ? 0 : XF_FD_DATA + XF_FILE_FILTER;
    return xf_strings_add_format(argv, err, "%s%s,filter=%d", limits, network, filter_fd);
}

static extfn_status add_all(xf_strings *to, const xf_strings *from, extfn_error *err)
{
    for (size_t i = 0; i < from->count; i++)
        XF_TRY(xf_strings_add(to, from->items[i], err));
    return EXTFN_OK;
}

/* What bubblewrap shows, for Landlock, which allows to read that and no more. */
static extfn_status add_shown(xf_strings *argv, const xf_host_libraries *libraries,
                              const xf_runtime *runtime, const xf_launch *launch, extfn_error *err)
{
    XF_TRY(add_all(argv, &libraries->binds, err));
    XF_TRY(add_all(argv, &runtime->binds, err));
    XF_TRY(add_all(argv, &runtime->devices, err));
    for (size_t i = 0; i < launch->file_count; i++) {
        if (launch->files[i].place)
            XF_TRY(xf_strings_add(argv, launch->files[i].place, err));
    }
    return xf_strings_add(argv, "/home", err);
}

static extfn_status build_argv(const xf_policy *policy, const xf_host_libraries *libraries,
                               const xf_runtime *runtime, const xf_launch *launch, xf_strings *argv,
                               extfn_error *err)
{
    bool is_confined = policy->confinement == XF_CONFINED;
    place enter = place_of(launch, XF_FILE_ENTER, is_confined);
    const marked files[MARKED_COUNT] = {
        {XF_DRIVER_MARK, place_of(launch, XF_FILE_DRIVER, is_confined)},
        {XF_GUEST_MARK, place_of(launch, XF_FILE_GUEST, is_confined)},
    };
    /* extfn-enter closes from here on before it executes the interpreter. */
    int first_closed = is_confined ? XF_FD_STATUS + 1 : XF_FD_DATA + XF_FILE_DRIVER + 1;
    if (is_confined)
        XF_TRY(add_bwrap(argv, policy->bwrap_path, launch->file_count, err));
    XF_TRY(xf_strings_add(argv, enter.path, err));
    XF_TRY(add_settings(argv, policy, runtime, err));
    XF_TRY(xf_strings_add_format(argv, err, "%d", first_closed));
    if (is_confined)
        XF_TRY(add_shown(argv, libraries, runtime, launch, err));
    XF_TRY(xf_strings_add(argv, "--", err));
    return add_interpreter(argv, runtime, files, err);
}

static extfn_status put_host_environment(xf_strings *env, extfn_error *err)
{
    for (char **pair = environ; *pair; pair++)
        XF_TRY(xf_strings_add(env, *pair, err));
    return EXTFN_OK;
}

/* Bubblewrap gets no environment: the confined side could read it. */
static extfn_status build_env(const xf_policy *policy, const xf_runtime *runtime, xf_strings *env,
                              extfn_error *err)
{
    if (policy->confinement == XF_CONFINED)
        return xf_has_layer(XF_WITH_ENVIRONMENT) ? EXTFN_OK : put_host_environment(env, err);
    for (size_t i = 0; xf_environment[i]; i += 2)
        XF_TRY(xf_strings_add_format(env, err, "%s=%s", xf_environment[i], xf_environment[i + 1]));
    for (size_t i = 0; i + 1 < runtime->environment.count; i += 2) {
        char *const *pair = &runtime->environment.items[i];
        XF_TRY(xf_strings_add_format(env, err, "%s=%s", pair[0], pair[1]));
    }
    return EXTFN_OK;
}

static extfn_status put_strings(xf_buf *bytes, const xf_strings *list, extfn_error *err)
{
    for (size_t i = 0; i < list->count; i++)
        XF_TRY(xf_buf_append(bytes, list->items[i], strlen(list->items[i]) + 1, err));
    return EXTFN_OK;
}

/* Not for a worker that has the host's uid and can see the host's files: its cgroup would be its
 * own to change. */
static bool has_own_group(const xf_policy *policy)
{
    bool is_foreign = policy->confinement == XF_CONFINED ||
                      (policy->confinement == XF_UNCONFINED && policy->uid_count > 0);
    return is_foreign && policy->group && policy->group[0] != '\0';
}

static extfn_status put_plan(const xf_policy *policy, const xf_runtime *runtime, const command *cmd,
                             xf_launch *launch, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf strings = {.limit = UINT32_MAX};
    XF_TRY(put_strings(&strings, &cmd->argv, err));
    XF_TRY(put_strings(&strings, &cmd->env, err));
    bool has_group = has_own_group(policy);
    launch->memory = xf_limits_counted(policy, runtime);
    if (has_group)
        XF_TRY(xf_buf_append(&strings, policy->group, strlen(policy->group) + 1, err));
    xf_plan plan = {
        .magic = XF_WIRE_MAGIC,
        .version = XF_WIRE_VERSION,
        .uid_first = policy->uid_first,
        .uid_count = policy->uid_count,
        .argc = (uint32_t)cmd->argv.count,
        .envc = (uint32_t)cmd->env.count,
        .strings_size = (uint32_t)strings.size,
        .file_count = (uint32_t)launch->file_count,
        .start_limit_us = policy->start_timeout_us,
        .idle_limit_us = policy->idle_timeout_us,
        .spare_limit_us = policy->spare_timeout_us,
        .memory_limit = xf_limits_watched(policy, runtime),
        .tmp_file_limit = xf_limits_files(policy),
        .has_group = has_group,
        .group_memory = xf_limits_group(policy, runtime),
        .group_tasks = XF_GROUP_TASKS,
    };
    XF_TRY(xf_buf_append(&launch->bytes, &plan, sizeof(plan), err));
    return xf_buf_append(&launch->bytes, strings.data, strings.size, err);
}

static void add_file(xf_launch *launch, const char *path, const void *data, size_t size)
{
    launch->files[launch->file_count++] = (xf_plan_file){.place = path, .data = data, .size = size};
}

static extfn_status add_args(const xf_policy *policy, const xf_host_libraries *libraries,
                             const xf_runtime *runtime, xf_launch *launch, extfn_error *err)
{
    for (size_t i = 0; i < XF_RUNTIME_FILE_LIMIT && runtime->files[i].place; i++)
        add_file(launch, runtime->files[i].place, runtime->files[i].data, runtime->files[i].size);
    XF_TRY(xf_bwrap_args(policy, libraries, runtime, launch->files, launch->file_count,
                         &launch->args, err));
    add_file(launch, NULL, launch->args.data, launch->args.size);
    return EXTFN_OK;
}

extfn_status xf_launch_build(const xf_policy *policy, const xf_runtime *runtime,
                             const xf_plan_file *driver, xf_launch *ret_launch, extfn_error *err)
{
    XF_AUTO(xf_launch_clear) xf_launch launch = {0};
    XF_AUTO(command_clear) command cmd = {0};
    add_file(&launch, XF_PLACE_ENTER, xf_program_enter, xf_program_enter_size);
    add_file(&launch, XF_PLACE_GUEST, xf_program_guest, xf_program_guest_size);
    add_file(&launch, driver->place, driver->data, driver->size);
    if (policy->confinement != XF_TRUSTED)
        add_file(&launch, NULL, xf_program_filter, xf_program_filter_size);
    XF_AUTO(xf_host_libraries_clear) xf_host_libraries libraries = {0};
    if (policy->confinement == XF_CONFINED) {
        XF_TRY(xf_host_libraries_look("", &libraries, err));
        XF_TRY(add_args(policy, &libraries, runtime, &launch, err));
    }
    XF_TRY(build_argv(policy, &libraries, runtime, &launch, &cmd.argv, err));
    XF_TRY(build_env(policy, runtime, &cmd.env, err));
    XF_TRY(put_plan(policy, runtime, &cmd, &launch, err));
    *ret_launch = launch;
    launch = (xf_launch){0};
    return EXTFN_OK;
}
