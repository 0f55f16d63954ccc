#include "cli/doctor_facts.h"

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

/* What a limit takes to be in force. */
typedef enum needs {
    NOTHING,    /* the supervisor or the host keeps it, under every policy */
    RESTRICTED, /* the worker is given it before the body, with bubblewrap or without */
    SANDBOX,
} needs;

void cli_limits_get(const extfn_host_options *options, bool has_sandbox, uint32_t layers,
                    cli_limit ret_limits[CLI_LIMIT_COUNT])
{
    const struct {
        needs needs;
        cli_limit limit;
    } limits[CLI_LIMIT_COUNT] = {
        {NOTHING,
         {"row_seconds", "one row", (double)options->timeout_us / 1e6, "s",
          "clock of the supervisor"}},
        {NOTHING,
         {"start_seconds", "start and compilation", (double)options->start_timeout_us / 1e6, "s",
          "clock of the supervisor"}},
        {RESTRICTED,
         {"memory_mib", "memory", (double)options->memory_bytes / 0x1p20, "MiB",
          memory_mechanism(layers)}},
        {SANDBOX,
         {"tmp_mib", "/tmp", (double)options->tmp_bytes / 0x1p20, "MiB", "tmpfs with a size"}},
        {SANDBOX, {"tmp_files", "files in /tmp", 4096, "", "tmpfs with a number of files"}},
        {RESTRICTED, {"processes", "processes", 1, "", "late filter"}},
        {RESTRICTED, {"threads", "threads", 32, "", "RLIMIT_NPROC"}},
        {RESTRICTED, {"open_files", "open files", 256, "", "RLIMIT_NOFILE"}},
        {NOTHING, {"output_mib", "stdout, stderr", 1, "MiB", "counted by the host"}},
    };
    needs met = has_sandbox ? SANDBOX : RESTRICTED;
    if (options->policy == EXTFN_TRUSTED)
        met = NOTHING;
    for (size_t i = 0; i < CLI_LIMIT_COUNT; i++) {
        ret_limits[i] = limits[i].limit;
        if (limits[i].needs > met)
            ret_limits[i].mechanism = NULL;
    }
}
