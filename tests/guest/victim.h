/* What a tested process can do. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_GUEST_VICTIM_H
#define XF_TESTS_GUEST_VICTIM_H

/* Each takes the argument that follows its name and returns the exit status. */
typedef int (*victim_act)(const char *argument);

/* NULL: no such act. */
victim_act victim_find_act(const char *name);

#endif
