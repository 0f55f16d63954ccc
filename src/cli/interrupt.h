/* Ctrl-C and its kin: the first signal ends what is under way. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_INTERRUPT_H
#define XF_CLI_INTERRUPT_H

#include "cli/fail.h"

#include <extfn/host.h>

/* Catches SIGHUP, SIGINT and SIGTERM where they are not ignored, and ignores SIGPIPE. */
EXTFN_MUST_CHECK extfn_status cli_interrupt_start(extfn_error *err);

/* The object that a signal triggers; NULL before it is freed. */
void cli_interrupt_set_cancel(extfn_cancel *cancel);

/* The signal that arrived, or 0. */
int cli_interrupt_signal(void);

/* Waits until the descriptor can be read (or written). EXTFN_ECANCELED once a signal arrived. */
EXTFN_MUST_CHECK extfn_status cli_interrupt_wait(int fd, short events, extfn_error *err);

#endif
