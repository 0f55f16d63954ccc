/* The first filter: which system calls a sandbox may make in all its life, as data. The build turns
 * the table into instructions (compile.h); the late filter of guest/lib comes on top, before any
 * body. SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_FILTER_RULES_H
#define XF_SANDBOX_FILTER_RULES_H

#include <stddef.h>
#include <stdint.h>

/* One claim about an argument. Only its low half is read, as the kernel itself reads an int: bits
 * above it can neither hide a value nor make one up. */
typedef struct xf_filter_test {
    uint32_t argument;
    uint32_t mask; /* 0: there is no claim */
    uint32_t value;
} xf_filter_test;

#define XF_FILTER_TESTS 3

/* Rows about the same call are tried in their order, the first whose claims all hold decides; the
 * last row of a call has none. */
typedef struct xf_filter_rule {
    const char *calls; /* names with single spaces between them; one name if there are tests */
    xf_filter_test tests[XF_FILTER_TESTS];
    uint32_t action;  /* as seccomp(2) has it */
    const char *user; /* which language or program of ours needs it; NULL: none, it is refused */
    const char *reason;
} xf_filter_rule;

extern const xf_filter_rule xf_filter_rules[];
extern const size_t xf_filter_rule_count;

/* Of every call that the table does not name. */
#define XF_FILTER_DEFAULT (SECCOMP_RET_ERRNO | ENOSYS)

#endif
