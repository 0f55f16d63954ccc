/* Functions called from SQL. SPDX-License-Identifier: MIT */
#ifndef XF_SQLITE_CALL_H
#define XF_SQLITE_CALL_H

#include "state.h"

/* Registers the slot with SQLite. */
EXTFN_MUST_CHECK int sql_call_register(sql_slot *slot);

/* Registers extfn_try(NAME, ...). */
EXTFN_MUST_CHECK int sql_try_register(sql_state *state);

#endif
