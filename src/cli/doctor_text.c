#include "cli/doctor_facts.h"
#include "cli/doctor_report.h"

#include <stdio.h>
#include <string.h>

static extfn_status append_line(cli_buf *buf, const char *name, const char *text, const char *more,
                                extfn_error *err)
{
    char head[40];
    (void)snprintf(head, sizeof(head), "%-27s  ", name);
    CLI_TRY(cli_buf_append_text(buf, head, err));
    CLI_TRY(cli_buf_append_plain(buf, text, strlen(text), err));
    CLI_TRY(cli_buf_append_text(buf, more[0] ? "  " : "", err));
    CLI_TRY(cli_buf_append_plain(buf, more, strlen(more), err));
    return cli_buf_append_text(buf, "\n", err);
}

/* The texts of those that are in force, or what it means that none is. */
static extfn_status append_optional(cli_buf *buf, const char *name, const cli_optional_layer *known,
                                    size_t count, uint32_t layers, const char *none,
                                    extfn_error *err)
{
    char text[80] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (layers & known[i].layer)
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? ", " : "",
                                     known[i].text);
    }
    return append_line(buf, name, used ? text : none, "", err);
}

static extfn_status append_sandbox(cli_buf *buf, const cli_diagnosis *all, extfn_error *err)
{
    const char *more = all->limits->is_unsandboxed_allowed
                           ? "(IMPROV_EXTFN_ALLOW_UNSANDBOXED=1: evaluation goes on)"
                           : "";
    if (all->sandbox.status != EXTFN_OK)
        return append_line(buf, "sandbox", all->sandbox.message, more, err);
    if (all->is_trusted)
        return append_line(buf, "sandbox", "none (IMPROV_EXTFN_TRUSTED=1)", "", err);
    CLI_TRY(append_line(buf, "sandbox", "usable", "", err));
    for (size_t i = 0; i < CLI_LAYER_COUNT; i++)
        CLI_TRY(append_line(buf, cli_layers[i].name, cli_layers[i].stops, "", err));
    CLI_TRY(append_optional(buf, "Landlock, once more", cli_landlock, CLI_LANDLOCK_COUNT,
                            all->layers,
                            "not in this kernel; the sandbox is without its second lock", err));
    return append_optional(buf, "cgroup of its own", cli_cgroup, CLI_CGROUP_COUNT, all->layers,
                           "none can be made here; all other limits stand", err);
}

static extfn_status append_limits(cli_buf *buf, const cli_diagnosis *all, extfn_error *err)
{
    cli_limit limits[CLI_LIMIT_COUNT];
    cli_limits_get(all->limits, all->sandbox.status == EXTFN_OK, all->layers, limits);
    for (size_t i = 0; i < CLI_LIMIT_COUNT; i++) {
        if (!limits[i].mechanism) {
            CLI_TRY(append_line(buf, limits[i].text, "without limit", "", err));
            continue;
        }
        char text[48];
        char mechanism[120];
        (void)snprintf(text, sizeof(text), "at most %g%s%s", limits[i].amount,
                       limits[i].unit[0] ? " " : "", limits[i].unit);
        (void)snprintf(mechanism, sizeof(mechanism), "(%s)", limits[i].mechanism);
        CLI_TRY(append_line(buf, limits[i].text, text, mechanism, err));
    }
    return EXTFN_OK;
}

static extfn_status append_cells(cli_buf *buf, const char *name,
                                 const char *const cells[EXTFN_LANGUAGE_COUNT], extfn_error *err)
{
    char text[EXTFN_LANGUAGE_COUNT * 16];
    size_t used = 0;
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 i + 1 < EXTFN_LANGUAGE_COUNT ? "%-13s" : "%s", cells[i]);
    return append_line(buf, name, text, "", err);
}

/* What an attack that got through, or failed otherwise, did say. */
static extfn_status append_words(cli_buf *buf, const cli_diagnosis *all, extfn_error *err)
{
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++) {
        const cli_finding *found = &all->findings[language];
        if (found->untested.status != EXTFN_OK)
            CLI_TRY(append_line(buf, extfn_language_text(language),
                                "not tested:", found->untested.message, err));
        for (size_t i = 0; i < CLI_ATTACK_COUNT; i++) {
            if (found->outcomes[i] != CLI_UNCLEAR)
                continue;
            CLI_TRY(append_line(buf, extfn_language_text(language), cli_attacks[i].text,
                                found->words[i], err));
        }
    }
    return EXTFN_OK;
}

static extfn_status append_attacks(cli_buf *buf, const cli_diagnosis *all, extfn_error *err)
{
    const char *cells[EXTFN_LANGUAGE_COUNT];
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++)
        cells[language] = extfn_language_text(language);
    CLI_TRY(append_cells(buf, "attack", cells, err));
    for (size_t i = 0; i < CLI_ATTACK_COUNT; i++) {
        for (size_t k = 0; k < EXTFN_LANGUAGE_COUNT; k++)
            cells[k] = cli_outcome_text(all->findings[k].outcomes[i]);
        CLI_TRY(append_cells(buf, cli_attacks[i].text, cells, err));
    }
    return append_words(buf, all, err);
}

extfn_status cli_doctor_append_text(cli_buf *buf, const cli_diagnosis *all, extfn_error *err)
{
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++) {
        const cli_finding *found = &all->findings[language];
        bool is_found = found->failure.status == EXTFN_OK;
        CLI_TRY(append_line(buf, extfn_language_text(language),
                            is_found ? found->path : found->failure.message,
                            is_found ? found->version : "", err));
    }
    CLI_TRY(append_sandbox(buf, all, err));
    CLI_TRY(append_limits(buf, all, err));
    bool is_tested = all->sandbox.status == EXTFN_OK && !all->is_trusted;
    return is_tested ? append_attacks(buf, all, err) : EXTFN_OK;
}
