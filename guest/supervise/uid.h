/* Root gives up its uid for one that nobody else runs as. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_SUPERVISE_UID_H
#define XF_GUEST_SUPERVISE_UID_H

#include <stdbool.h>
#include <stdint.h>

/* Tried where the wanted range is not mapped: within the 65,536 that containers commonly map. */
#define XF_UID_SECOND_FIRST 65000U
#define XF_UID_SECOND_COUNT 200U

/* Byte N of it is locked by who has uid N. Empty, root's alone, and never removed. */
#define XF_UID_CLAIMS "/run/extfn-uids"

/* For a process whose effective uid is 0. 0: it runs as a uid and gid of its own now, without
 * other groups, and with a way back that xf_privilege_settle closes, or (ret_is_dropped false) no
 * such uid is mapped in this user namespace and it runs on as it did. EBUSY: all are taken. Any
 * other errno forbids going on. */
int xf_uid_drop(uint32_t first, uint32_t count, bool *ret_is_dropped);

#endif
