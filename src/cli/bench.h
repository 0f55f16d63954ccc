/* How fast a language is here: what `extfn bench` measures. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_BENCH_H
#define XF_CLI_BENCH_H

#include "cli/session.h"

/* Each is a number per second. */
typedef struct cli_speed {
    double calls;        /* of a pure function, which a warm worker serves */
    double rows;         /* of a column, by as many workers as the session allows */
    double fresh_calls;  /* of an impure one, whose every call has a fresh sandboxed process; in
                            WebAssembly a fresh engine */
    int64_t column_rows; /* in the column: as many as take a while */
} cli_speed;

/* Takes some two seconds, and looks at every result: one that is wrong is EXTFN_ERUNTIME. */
EXTFN_MUST_CHECK extfn_status cli_bench_measure(cli_session *session, extfn_language language,
                                                cli_speed *ret_speed, extfn_error *err);

#endif
