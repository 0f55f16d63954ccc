/* The table extfn_functions. SPDX-License-Identifier: MIT */
#ifndef XF_SQLITE_FUNCTIONS_H
#define XF_SQLITE_FUNCTIONS_H

#include "state.h"

EXTFN_MUST_CHECK int sql_functions_register(sql_state *state);

#endif
