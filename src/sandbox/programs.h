/* The programs and the library of guest/, built beside the library and embedded in it, so that no
 * installation can miss or mismatch them. SPDX-License-Identifier: MIT */
#ifndef XF_SANDBOX_PROGRAMS_H
#define XF_SANDBOX_PROGRAMS_H

#include <stddef.h>

extern const unsigned char xf_program_supervise[];
extern const size_t xf_program_supervise_size;
extern const unsigned char xf_program_enter[];
extern const size_t xf_program_enter_size;
extern const unsigned char xf_program_guest[]; /* extfn-guest.so, loaded by the drivers */
extern const size_t xf_program_guest_size;

/* The first system call filter: instructions as the kernel takes them (filter/). */
extern const unsigned char xf_program_filter[];
extern const size_t xf_program_filter_size;

/* Places inside the sandbox. */
#define XF_PLACE_ENTER "/b/extfn-enter"
#define XF_PLACE_GUEST "/b/extfn-guest.so"

#endif
