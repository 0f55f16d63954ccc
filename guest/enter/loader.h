/* Which loader the kernel starts for a program. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_ENTER_LOADER_H
#define XF_GUEST_ENTER_LOADER_H

#include <stdbool.h>

#define XF_LOADER_SIZE 512

/* False: it has none, being linked statically, or it is no program of this architecture's width. */
bool xf_loader_of(const char *program, char ret_path[XF_LOADER_SIZE]);

#endif
