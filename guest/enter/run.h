/* Starts the interpreter and waits for it. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_ENTER_RUN_H
#define XF_GUEST_ENTER_RUN_H

#include "wire/wire.h"

/* Executes `program` (argv) in a child with this process's environment, and returns when it has
 * ended; this process has given up descriptors 0 to 6 then. */
xf_enter_exit xf_run(char *const program[]);

#endif
