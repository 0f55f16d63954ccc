#include "cli/doctor_facts.h"
#include "cli/doctor_report.h"
#include "cli/tell.h"

#include <stdio.h>
#include <string.h>

static extfn_status append_member(cli_buf *buf, const char *head, const char *text,
                                  extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, head, err));
    return cli_buf_append_json(buf, text, strlen(text), err);
}

static extfn_status append_error(cli_buf *buf, const char *head, const extfn_error *failure,
                                 extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, head, err));
    CLI_TRY(cli_append_error_json(buf, failure, err));
    return cli_buf_append_text(buf, "}", err);
}

static extfn_status append_language(cli_buf *buf, const char *name, const cli_finding *found,
                                    extfn_error *err)
{
    CLI_TRY(append_member(buf, "", name, err));
    if (found->failure.status != EXTFN_OK)
        return append_error(buf, ":{\"error\":", &found->failure, err);
    CLI_TRY(append_member(buf, ":{\"path\":", found->path, err));
    CLI_TRY(append_member(buf, ",\"version\":", found->version, err));
    if (found->untested.status != EXTFN_OK)
        return append_error(buf, ",\"untested\":", &found->untested, err);
    return cli_buf_append_text(buf, "}", err);
}

static extfn_status append_languages(cli_buf *buf, const cli_diagnosis *all, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, "{\"languages\":{", err));
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++) {
        CLI_TRY(cli_buf_append_text(buf, language ? "," : "", err));
        CLI_TRY(append_language(buf, extfn_language_text(language), &all->findings[language], err));
    }
    return cli_buf_append_text(buf, "}", err);
}

static extfn_status append_optional(cli_buf *buf, const char *head, const cli_optional_layer *known,
                                    size_t count, uint32_t layers, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, head, err));
    const char *before = "";
    for (size_t i = 0; i < count; i++) {
        if (!(layers & known[i].layer))
            continue;
        CLI_TRY(append_member(buf, before, known[i].name, err));
        before = ",";
    }
    return cli_buf_append_text(buf, "]", err);
}

static extfn_status append_layers(cli_buf *buf, extfn_error *err)
{
    for (size_t i = 0; i < CLI_LAYER_COUNT; i++) {
        CLI_TRY(append_member(buf, i ? ",{\"name\":" : ",\"layers\":[{\"name\":",
                              cli_layers[i].name, err));
        CLI_TRY(append_member(buf, ",\"stops\":", cli_layers[i].stops, err));
        CLI_TRY(cli_buf_append_text(buf, "}", err));
    }
    return cli_buf_append_text(buf, "]", err);
}

static extfn_status append_sandbox(cli_buf *buf, const cli_diagnosis *all, extfn_error *err)
{
    CLI_TRY(append_member(buf, ",\"policy\":", all->is_trusted ? "trusted" : "restricted", err));
    if (all->sandbox.status != EXTFN_OK)
        return append_error(buf, ",\"sandbox\":{\"error\":", &all->sandbox, err);
    CLI_TRY(append_member(buf, ",\"sandbox\":", all->is_trusted ? "none" : "usable", err));
    CLI_TRY(append_optional(buf, ",\"landlock\":[", cli_landlock, CLI_LANDLOCK_COUNT, all->layers,
                            err));
    CLI_TRY(append_optional(buf, ",\"cgroup\":[", cli_cgroup, CLI_CGROUP_COUNT, all->layers, err));
    return all->is_trusted ? EXTFN_OK : append_layers(buf, err);
}

static extfn_status append_limits(cli_buf *buf, const cli_diagnosis *all, extfn_error *err)
{
    cli_limit limits[CLI_LIMIT_COUNT];
    cli_limits_get(all->limits, all->sandbox.status == EXTFN_OK, all->layers, limits);
    for (size_t i = 0; i < CLI_LIMIT_COUNT; i++) {
        char amount[32] = "null";
        if (limits[i].mechanism)
            (void)snprintf(amount, sizeof(amount), "%g", limits[i].amount);
        CLI_TRY(append_member(buf, i ? "," : ",\"limits\":{", limits[i].name, err));
        CLI_TRY(cli_buf_append_text(buf, ":", err));
        CLI_TRY(cli_buf_append_text(buf, amount, err));
    }
    for (size_t i = 0; i < CLI_LIMIT_COUNT; i++) {
        CLI_TRY(append_member(buf, i ? "," : "},\"mechanisms\":{", limits[i].name, err));
        if (limits[i].mechanism)
            CLI_TRY(append_member(buf, ":", limits[i].mechanism, err));
        else
            CLI_TRY(cli_buf_append_text(buf, ":null", err));
    }
    return cli_buf_append_text(buf, "}", err);
}

static extfn_status append_outcomes(cli_buf *buf, const cli_diagnosis *all, size_t attack,
                                    extfn_error *err)
{
    const char *before = ":{";
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++) {
        const cli_finding *found = &all->findings[language];
        cli_outcome outcome = found->outcomes[attack];
        if (outcome == CLI_NOT_TRIED)
            continue;
        CLI_TRY(append_member(buf, before, extfn_language_text(language), err));
        CLI_TRY(append_member(buf, ":{\"outcome\":", cli_outcome_text(outcome), err));
        CLI_TRY(append_member(buf, ",\"words\":", found->words[attack], err));
        CLI_TRY(cli_buf_append_text(buf, "}", err));
        before = ",";
    }
    return cli_buf_append_text(buf, before[0] == ':' ? ":{}" : "}", err);
}

extfn_status cli_doctor_append_json(cli_buf *buf, const cli_diagnosis *all, extfn_error *err)
{
    CLI_TRY(append_languages(buf, all, err));
    CLI_TRY(append_sandbox(buf, all, err));
    CLI_TRY(append_limits(buf, all, err));
    for (size_t i = 0; i < CLI_ATTACK_COUNT; i++) {
        CLI_TRY(append_member(buf, i ? "," : ",\"attacks\":{", cli_attacks[i].name, err));
        CLI_TRY(append_outcomes(buf, all, i, err));
    }
    return cli_buf_append_text(buf, "}}\n", err);
}
