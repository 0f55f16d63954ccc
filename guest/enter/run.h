/* Starts the interpreter and waits for it. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_ENTER_RUN_H
#define XF_GUEST_ENTER_RUN_H

#include "guest/enter/landlock.h"
#include "wire/wire.h"

/* Executes `program` (argv) in a child with this process's environment under those rules, which
 * this process itself stays outside of: so the program can send it no signal. Returns when it has
 * ended; this process has given up descriptors 0 to 6 then. */
xf_enter_exit xf_run(char *const program[], const xf_landlock *landlock);

#endif
