/* The values of a request, read by the types that its function declares. SPDX-License-Identifier:
 * MIT */
#ifndef XF_RPC_ARGUMENTS_H
#define XF_RPC_ARGUMENTS_H

#include "registry/members.h"

#include <extfn/column.h>
#include <extfn/function.h>

/* Each reads an array of as many elements as the function has arguments: EXTFN_EARITY. A value
 * whose JSON is of another type is EXTFN_ETYPE, one that is malformed EXTFN_EINVAL. The elements
 * that were read are set on failure too, for the caller to clear. */
EXTFN_MUST_CHECK extfn_status xf_arguments_read(const xf_slice *slice,
                                                const extfn_function *function,
                                                extfn_value values[EXTFN_ARGUMENT_LIMIT],
                                                extfn_error *err);
EXTFN_MUST_CHECK extfn_status xf_columns_read(const xf_slice *slice, const extfn_function *function,
                                              extfn_column *columns[EXTFN_ARGUMENT_LIMIT],
                                              extfn_error *err);

#endif
