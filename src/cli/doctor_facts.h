/* The layers and limits that both reports tell. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_DOCTOR_FACTS_H
#define XF_CLI_DOCTOR_FACTS_H

#include <extfn/host.h>

typedef struct cli_layer {
    const char *name;
    const char *stops;
} cli_layer;

#define CLI_LAYER_COUNT 6
extern const cli_layer cli_layers[CLI_LAYER_COUNT];

typedef struct cli_optional_layer {
    extfn_layer layer;
    const char *name; /* in JSON */
    const char *text;
} cli_optional_layer;

#define CLI_LANDLOCK_COUNT 3
extern const cli_optional_layer cli_landlock[CLI_LANDLOCK_COUNT];

#define CLI_CGROUP_COUNT 3
extern const cli_optional_layer cli_cgroup[CLI_CGROUP_COUNT];

typedef struct cli_limit {
    const char *name; /* in JSON */
    const char *text;
    double amount;
    const char *unit;
    const char *mechanism; /* NULL: there is no such limit here */
} cli_limit;

#define CLI_LIMIT_COUNT 9
void cli_limits_get(const extfn_host_options *options, bool has_sandbox, uint32_t layers,
                    cli_limit ret_limits[CLI_LIMIT_COUNT]);

#endif
