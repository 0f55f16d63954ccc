/* Umbrella header of libextfn. SPDX-License-Identifier: MIT */
#ifndef EXTFN_EXTFN_H
#define EXTFN_EXTFN_H

#include <extfn/column.h>
#include <extfn/error.h>
#include <extfn/failure.h>
#include <extfn/function.h>
#include <extfn/host.h>
#include <extfn/queue.h>
#include <extfn/receipt.h>
#include <extfn/record.h>
#include <extfn/refresh.h>
#include <extfn/registry.h>
#include <extfn/rpc.h>
#include <extfn/status.h>
#include <extfn/value.h>

EXTFN_BEGIN

/* "MAJOR.MINOR.PATCH" of the library that runs. */
EXTFN_API const char *extfn_version(void);

EXTFN_END

#endif
