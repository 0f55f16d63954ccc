/* The live self-test of `extfn doctor`: real attacks, tried from inside each language by the way
 * that every body goes. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_DOCTOR_H
#define XF_CLI_DOCTOR_H

#include "cli/session.h"

/* In the order in which the bodies in doctor/ number them; the last one is WebAssembly's alone. */
typedef enum cli_attack_id {
    CLI_ATTACK_HOST_FILE,
    CLI_ATTACK_PROCESSES,
    CLI_ATTACK_ENVIRONMENT,
    CLI_ATTACK_WRITE,
    CLI_ATTACK_FORK,
    CLI_ATTACK_PROGRAM,
    CLI_ATTACK_SIGNAL,
    CLI_ATTACK_NETWORK,
    CLI_ATTACK_LOCAL_SOCKET,
    CLI_ATTACK_ROOT,
    CLI_ATTACK_SHARED_MEMORY,
    CLI_ATTACK_MEMORY,
    CLI_ATTACK_TMP,
    CLI_ATTACK_LOOP,
    CLI_ATTACK_NAMESPACE,
    CLI_ATTACK_IMPORT,
    CLI_ATTACK_COUNT,
} cli_attack_id;

typedef struct cli_attack {
    const char *name; /* in JSON */
    const char *text;
    const char *end; /* how the error of a row begins that was ended for it; or NULL */
} cli_attack;

extern const cli_attack cli_attacks[CLI_ATTACK_COUNT];

typedef enum cli_outcome {
    CLI_NOT_TRIED, /* the language cannot express it */
    CLI_STOPPED,
    CLI_GOT_THROUGH,
    CLI_UNCLEAR, /* it failed in a way that says nothing about the sandbox */
} cli_outcome;

const char *cli_outcome_text(cli_outcome outcome);

/* What was found out about one language. */
typedef struct cli_finding {
    extfn_error failure; /* it is not here */
    char *path;
    char *version;
    extfn_error untested; /* no worker of it could be had */
    cli_outcome outcomes[CLI_ATTACK_COUNT];
    char words[CLI_ATTACK_COUNT][120]; /* of the interpreter, or of the error */
} cli_finding;

void cli_finding_clear(cli_finding *found);

/* All languages at once, each in a thread; the attacks only when `is_tested`. */
void cli_doctor_find(cli_session *session, bool is_tested,
                     cli_finding ret_findings[EXTFN_LANGUAGE_COUNT]);

#endif
