#include "cli/doctor_facts.h"

#include <string.h>

const cli_layer cli_layers[CLI_LAYER_COUNT] = {
    {"view of files", "files of the host, and writing outside of /tmp"},
    {"namespaces", "processes, network, users and shared memory of the host"},
    {"first filter", "system calls that no interpreter needs"},
    {"late filter", "processes, programs, signals, once a body is there"},
    {"limits", "memory, files, threads and time beyond what is below"},
    {"empty start", "environment, terminal and open files of the host"},
};

const cli_optional_layer cli_landlock[CLI_LANDLOCK_COUNT] = {
    {EXTFN_LAYER_FILES, "files", "files"},
    {EXTFN_LAYER_NETWORK, "network", "network"},
    {EXTFN_LAYER_SCOPES, "scopes", "signals and sockets"},
};

const cli_optional_layer cli_cgroup[CLI_CGROUP_COUNT] = {
    {EXTFN_LAYER_GROUP, "kill", "killed as a whole"},
    {EXTFN_LAYER_GROUP_MEMORY, "memory", "bounds memory"},
    {EXTFN_LAYER_GROUP_TASKS, "tasks", "bounds threads"},
};

#define WITHOUT_GROUP "RLIMIT_DATA and RLIMIT_AS; the supervisor looks"

static const char *memory_mechanism(uint32_t layers)
{
    if (layers & EXTFN_LAYER_GROUP_MEMORY)
        return WITHOUT_GROUP "; memory.max of a cgroup";
    return layers & EXTFN_LAYER_GROUP ? WITHOUT_GROUP "; a cgroup without memory.max"
                                      : WITHOUT_GROUP;
}

/* By the supervisor or the host, which are there under every policy. */
static bool is_kept_outside(const char *name)
{
    return strcmp(name, "row_seconds") == 0 || strcmp(name, "start_seconds") == 0 ||
           strcmp(name, "output_mib") == 0;
}

void cli_limits_get(const extfn_host_options *options, uint32_t layers,
                    cli_limit ret_limits[CLI_LIMIT_COUNT])
{
    const cli_limit limits[CLI_LIMIT_COUNT] = {
        {"row_seconds", "one row", (double)options->timeout_us / 1e6, "s",
         "clock of the supervisor"},
        {"start_seconds", "start and compilation", (double)options->start_timeout_us / 1e6, "s",
         "clock of the supervisor"},
        {"memory_mib", "memory", (double)options->memory_bytes / 0x1p20, "MiB",
         memory_mechanism(layers)},
        {"tmp_mib", "/tmp", (double)options->tmp_bytes / 0x1p20, "MiB", "tmpfs with a size"},
        {"tmp_files", "files in /tmp", 4096, "", "tmpfs with a number of files"},
        {"processes", "processes", 1, "", "late filter"},
        {"threads", "threads", 32, "", "RLIMIT_NPROC"},
        {"open_files", "open files", 256, "", "RLIMIT_NOFILE"},
        {"output_mib", "stdout, stderr", 1, "MiB", "counted by the host"},
    };
    memcpy(ret_limits, limits, sizeof(limits));
    if (options->policy != EXTFN_TRUSTED)
        return;
    for (size_t i = 0; i < CLI_LIMIT_COUNT; i++) {
        if (!is_kept_outside(limits[i].name))
            ret_limits[i].mechanism = NULL;
    }
}
