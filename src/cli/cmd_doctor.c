/* extfn doctor: languages, sandbox and limits of this machine, and attacks that show that they
 * hold. SPDX-License-Identifier: MIT */
#include "cli/alloc.h"
#include "cli/commands.h"
#include "cli/doctor_report.h"
#include "cli/interrupt.h"
#include "cli/io.h"

#include <string.h>

static void diagnosis_free(cli_diagnosis **all)
{
    for (size_t i = 0; *all && i < EXTFN_LANGUAGE_COUNT; i++)
        cli_finding_clear(&(*all)->findings[i]);
    cli_free(*all);
}

/* The sandbox of a language whose worker could not prove it is no more usable than none. */
static void conclude(cli_diagnosis *all)
{
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT && all->sandbox.status == EXTFN_OK; i++) {
        if (all->findings[i].untested.status == EXTFN_ESANDBOX)
            all->sandbox = all->findings[i].untested;
    }
}

static bool has_outcome(const cli_finding *found, cli_outcome outcome, const char **ret_attack)
{
    for (size_t i = 0; i < CLI_ATTACK_COUNT; i++) {
        if (found->outcomes[i] == outcome) {
            *ret_attack = cli_attacks[i].text;
            return true;
        }
    }
    return false;
}

/* The result of the command. What stopped nothing is no sandbox. */
static extfn_status judge(const cli_diagnosis *all, extfn_error *err)
{
    const char *attack = NULL;
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++) {
        if (has_outcome(&all->findings[language], CLI_GOT_THROUGH, &attack))
            return cli_fail(err, EXTFN_ESANDBOX, "sandbox unavailable: %s could %s; report it",
                            extfn_language_text(language), attack);
    }
    for (extfn_language language = 0; language < EXTFN_LANGUAGE_COUNT; language++) {
        const cli_finding *found = &all->findings[language];
        if (found->untested.status != EXTFN_OK || has_outcome(found, CLI_UNCLEAR, &attack))
            return cli_fail(err, EXTFN_ERUNTIME, "not every attack in %s could be tried; see above",
                            extfn_language_text(language));
    }
    return EXTFN_OK;
}

static extfn_status show(const cli_options *options, const cli_diagnosis *all, extfn_error *err)
{
    CLI_AUTO(cli_buf_clear) cli_buf report = {0};
    if (options->is_json) {
        CLI_TRY(cli_doctor_append_json(&report, all, err));
    } else {
        CLI_TRY(cli_doctor_append_text(&report, all, err));
    }
    CLI_AUTO(cli_output_close) cli_output output = CLI_STDOUT;
    CLI_TRY(cli_output_write(&output, report.data, report.size, err));
    return cli_output_flush(&output, err);
}

extfn_status cli_cmd_doctor(const cli_options *options, extfn_error *err)
{
    CLI_AUTO(cli_session_close) cli_session session = CLI_SESSION_CLOSED;
    CLI_AUTO(diagnosis_free) cli_diagnosis *all = cli_realloc_array(NULL, 1, sizeof(*all));
    if (!all)
        return cli_fail_oom(err);
    memset(all, 0, sizeof(*all));
    CLI_TRY(cli_session_open(options, &session, err));
    all->limits = &session.limits;
    all->is_trusted = session.limits.policy == EXTFN_TRUSTED;
    all->sandbox.status =
        extfn_host_probe_layers(session.host, session.cancel, &all->layers, &all->sandbox);
    if (all->sandbox.status != EXTFN_ECANCELED)
        cli_doctor_find(&session, !all->is_trusted && all->sandbox.status == EXTFN_OK,
                        all->findings);
    if (cli_interrupt_signal() != 0)
        return cli_fail(err, EXTFN_ECANCELED, "interrupted");
    conclude(all);
    CLI_TRY(show(options, all, err));
    if (all->sandbox.status != EXTFN_OK)
        return all->sandbox.status; /* it stands in the report */
    return judge(all, err);
}
