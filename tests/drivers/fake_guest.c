/* The seal of the guest library in tests of the drivers: seals nothing and can be told to fail.
 * SPDX-License-Identifier: MIT */
#include "wire/wire.h"

#include <errno.h>
#include <stdlib.h>

int xf_guest_seal(void);

int xf_guest_seal(void)
{
    return getenv("FAKE_SEAL_FAILS") ? -EPERM : XF_READY_SEALED;
}
