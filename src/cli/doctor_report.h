/* What `extfn doctor` found out, as text and as JSON. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_DOCTOR_REPORT_H
#define XF_CLI_DOCTOR_REPORT_H

#include "cli/doctor.h"

typedef struct cli_diagnosis {
    const extfn_host_options *limits;
    bool is_trusted;
    extfn_error sandbox;
    uint32_t layers; /* bits of extfn_layer */
    cli_finding findings[EXTFN_LANGUAGE_COUNT];
} cli_diagnosis;

EXTFN_MUST_CHECK extfn_status cli_doctor_append_text(cli_buf *buf, const cli_diagnosis *all,
                                                     extfn_error *err);
EXTFN_MUST_CHECK extfn_status cli_doctor_append_json(cli_buf *buf, const cli_diagnosis *all,
                                                     extfn_error *err);

#endif
