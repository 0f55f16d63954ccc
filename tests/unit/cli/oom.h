/* Runs a block with the 1st, 2nd, ... allocation of the program failing, until none fails.
 * SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_CLI_OOM_H
#define XF_TESTS_CLI_OOM_H

#include "cli/alloc.h"

/* `body` sets `status`; it must leave nothing behind on failure. */
#define CLI_OOM_SWEEP(status, body)                                                                \
    do {                                                                                           \
        for (long nth_ = 0;; nth_++) {                                                             \
            assert_true(nth_ < 10000);                                                             \
            cli_alloc_fail_after(nth_);                                                            \
            body;                                                                                  \
            cli_alloc_fail_after(-1);                                                              \
            if ((status) == EXTFN_OK)                                                              \
                break;                                                                             \
            assert_int_equal((status), EXTFN_ENOMEM);                                              \
        }                                                                                          \
    } while (0)

#endif
