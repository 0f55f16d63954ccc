/* The rig with a sandbox by bubblewrap. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_GUEST_RIG_BWRAP_H
#define XF_TESTS_GUEST_RIG_BWRAP_H

#include "rig.h"

#define RIG_TMP_SIZE "1048576" /* bytes of /tmp */

/* bwrap's exit status says 1 when it cannot make a namespace here. */
bool rig_can_bwrap(void);

/* As the library has it, less the binds. */
rig_options rig_bwrap_options(const char *act, const char *argument);

#endif
