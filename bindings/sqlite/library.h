/* Loading libraries of functions. SPDX-License-Identifier: MIT */
#ifndef XF_SQLITE_LIBRARY_H
#define XF_SQLITE_LIBRARY_H

#include "state.h"

/* Registers extfn_load(PATH). */
EXTFN_MUST_CHECK int sql_load_register(sql_state *state);

#endif
