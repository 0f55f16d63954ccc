/* Reading objects by a table of their members. SPDX-License-Identifier: MIT */
#include "registry/members.h"

#include "base/auto.h"
#include "base/text.h"

#include <string.h>

const char *xf_json_kind_text(xf_json_kind kind)
{
    static const char *const texts[] = {
        [XF_JSON_NULL] = "null",     [XF_JSON_BOOLEAN] = "boolean", [XF_JSON_NUMBER] = "number",
        [XF_JSON_STRING] = "string", [XF_JSON_ARRAY] = "array",     [XF_JSON_OBJECT] = "object",
    };
    return texts[kind];
}

static size_t find_member(const xf_member *members, size_t member_count, const xf_buf *name)
{
    size_t i = 0;
    while (i < member_count && (strlen(members[i].name) != name->size ||
                                memcmp(members[i].name, name->data, name->size) != 0))
        i++;
    return i;
}

/* Notes a known member; says what is wrong with the one at hand. */
static extfn_status note_member(const xf_member *members, size_t member_count, const xf_buf *name,
                                const xf_slice *slice, xf_slice *slices, extfn_error *err)
{
    size_t i = find_member(members, member_count, name);
    char quoted[XF_QUOTE_SIZE];
    if (i == member_count) {
        return xf_fail(err, EXTFN_EINVAL, "unknown member %s",
                       xf_text_quote(name->data, name->size, quoted));
    }
    if (slices[i].data)
        return xf_fail(err, EXTFN_EINVAL, "member '%s' stands twice", members[i].name);
    slices[i] = *slice;
    if (members[i].kind == slice->kind || (members[i].flags & XF_MEMBER_ANY_KIND))
        return EXTFN_OK;
    return xf_fail(err, EXTFN_EINVAL, "member '%s': expected %s, got %s", members[i].name,
                   xf_json_kind_text(members[i].kind), xf_json_kind_text(slice->kind));
}

static extfn_status check_required(const xf_member *members, size_t member_count,
                                   const xf_slice *slices, extfn_error *err)
{
    for (size_t i = 0; i < member_count; i++) {
        if ((members[i].flags & XF_MEMBER_REQUIRED) && !slices[i].data)
            return xf_fail(err, EXTFN_EINVAL, "member '%s' is missing", members[i].name);
    }
    return EXTFN_OK;
}

extfn_status xf_members_read(xf_json *scan, const xf_member *members, size_t member_count,
                             xf_slice *slices, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf name = {0};
    extfn_status first = EXTFN_OK;
    memset(slices, 0, member_count * sizeof(*slices));
    XF_TRY(xf_json_enter_object(scan, err));
    for (;;) {
        bool has;
        /* Once a member was wrong, what follows is only looked at for the other members. */
        XF_TRY(xf_json_next_member(scan, &name, &has, err));
        if (!has)
            break;
        xf_slice slice;
        XF_TRY(xf_json_peek(scan, &slice.kind, err));
        XF_TRY(xf_json_skip(scan, &slice.data, &slice.size, err));
        bool is_first = first == EXTFN_OK;
        extfn_status status =
            note_member(members, member_count, &name, &slice, slices, is_first ? err : NULL);
        if (is_first)
            first = status;
    }
    XF_TRY(first);
    return check_required(members, member_count, slices, err);
}

extfn_status xf_slice_boolean(const xf_slice *slice, bool *ret_boolean, extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    return xf_json_read_boolean(&scan, ret_boolean, err);
}
