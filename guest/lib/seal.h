/* The late filter: what a process may do once a stranger's body runs in it. Added when the
 * interpreter is up; default is to allow, because the sandbox's first filter stays in force beneath
 * it. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_SEAL_H
#define XF_GUEST_LIB_SEAL_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

#define XF_GUEST_API __attribute__((visibility("default")))

typedef enum xf_seal_machine {
    XF_SEAL_X86_64,
    XF_SEAL_AARCH64,
} xf_seal_machine;

#define XF_SEAL_CODE_LIMIT 160U

/* Writes the filter for a process whose id is `pid`. Returns its number of instructions; 0: more
 * than `capacity`. */
size_t xf_seal_build(xf_seal_machine machine, uint32_t pid, struct sock_filter *code,
                     size_t capacity);

/* Seals the calling process, every thread of it, and tries what must fail then. Returns the detail
 * of READY, or a negative errno: then nothing is sealed. Where something does not hold that the
 * SETUP in the request map asks for, that READY is sent here and the process ends. */
XF_GUEST_API int xf_guest_seal(void);

#endif
