/* Objects of known members: one pass that finds them, in any order, before they are read.
 * SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_MEMBERS_H
#define XF_REGISTRY_MEMBERS_H

#include "base/json.h"

typedef enum xf_member_flag {
    XF_MEMBER_REQUIRED = 1,
    XF_MEMBER_ANY_KIND = 2, /* `kind` does not count */
} xf_member_flag;

typedef struct xf_member {
    const char *name;
    xf_json_kind kind;
    unsigned flags; /* xf_member_flag */
} xf_member;

/* The text of a member's value within the input; data is NULL where the object lacks it. */
typedef struct xf_slice {
    const char *data;
    size_t size;
    xf_json_kind kind;
} xf_slice;

/* Reads one object: slices[i] gets the value of members[i]. EXTFN_EINVAL for a member that is
 * unknown, stands twice, is of another kind or is missing; the slices that were found are set even
 * then, and the whole object is read where its syntax allows. */
EXTFN_MUST_CHECK extfn_status xf_members_read(xf_json *scan, const xf_member *members,
                                              size_t member_count, xf_slice *slices,
                                              extfn_error *err);

/* A reader of what the slice holds. */
static inline xf_json xf_slice_scan(const xf_slice *slice)
{
    return (xf_json){.data = slice->data, .size = slice->size};
}

EXTFN_MUST_CHECK extfn_status xf_slice_boolean(const xf_slice *slice, bool *ret_boolean,
                                               extfn_error *err);

/* `boolean`, `string`, ... */
const char *xf_json_kind_text(xf_json_kind kind);

#endif
