/* Records from JSON, which may come from anybody. SPDX-License-Identifier: MIT */
#include <extfn/record.h>

#include "base/auto.h"
#include "record/format.h"
#include "registry/function.h"
#include "registry/members.h"
#include "value/json.h"

#include <math.h>
#include <string.h>

enum {
    FORMAT,
    VERSION,
    PLATFORM,
    INTERPRETER,
    INTERPRETER_VERSION,
    PACKAGES,
    POLICY,
    UNSANDBOXED,
    LIMITS,
    FUNCTION,
    ARGS,
    OUTCOME,
    MEMBER_COUNT,
};

static const xf_member members[MEMBER_COUNT] = {
    [FORMAT] = {"extfn_record", XF_JSON_NUMBER, XF_MEMBER_REQUIRED},
    [VERSION] = {"version", XF_JSON_STRING, 0},
    [PLATFORM] = {"platform", XF_JSON_STRING, 0},
    [INTERPRETER] = {"interpreter", XF_JSON_STRING, 0},
    [INTERPRETER_VERSION] = {"interpreter_version", XF_JSON_STRING, 0},
    [PACKAGES] = {"packages", XF_JSON_STRING, 0},
    [POLICY] = {"policy", XF_JSON_STRING, XF_MEMBER_REQUIRED},
    [UNSANDBOXED] = {"unsandboxed", XF_JSON_BOOLEAN, 0},
    [LIMITS] = {"limits", XF_JSON_OBJECT, XF_MEMBER_REQUIRED},
    [FUNCTION] = {"function", XF_JSON_OBJECT, XF_MEMBER_REQUIRED},
    [ARGS] = {"args", XF_JSON_ARRAY, XF_MEMBER_REQUIRED},
    [OUTCOME] = {"outcome", XF_JSON_OBJECT, XF_MEMBER_REQUIRED},
};

/* ---- Numbers and texts ---- */

static extfn_status read_whole(const xf_slice *slice, const char *name, uint64_t least,
                               uint64_t most, uint64_t *ret_whole, extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    double number = 0;
    XF_TRY(xf_json_read_number(&scan, &number, err));
    if (!(number >= (double)least && number <= (double)most && floor(number) == number)) {
        return xf_fail(err, EXTFN_EINVAL, "member '%s': not a whole number from %.0f to %.0f", name,
                       (double)least, (double)most);
    }
    *ret_whole = (uint64_t)number;
    return EXTFN_OK;
}

/* NUL-terminated beyond its size. */
static extfn_status read_bytes(const xf_slice *slice, char **ret_text, size_t *ret_size,
                               extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    xf_json scan = xf_slice_scan(slice);
    XF_TRY(xf_json_read_string(&scan, &text, err));
    *ret_size = text.size;
    XF_TRY(xf_buf_append(&text, "", 1, err));
    *ret_text = XF_STEAL(text.data);
    return EXTFN_OK;
}

static extfn_status read_text(const xf_slice *slice, const char *name, char **ret_text,
                              extfn_error *err)
{
    XF_AUTO_FREE char *text = NULL;
    size_t size = 0;
    XF_TRY(read_bytes(slice, &text, &size, err));
    if (strlen(text) != size) {
        (void)xf_fail(err, EXTFN_EINVAL, "member '%s' cannot hold U+0000", name);
        return EXTFN_EINVAL; /* spelled out for clang's analyzer, which sees no further */
    }
    *ret_text = XF_STEAL(text);
    return EXTFN_OK;
}

/* ---- Circumstances ---- */

static extfn_status read_policy(const xf_slice *slice, extfn_policy *ret_policy, extfn_error *err)
{
    XF_AUTO_FREE char *text = NULL;
    XF_TRY(read_text(slice, members[POLICY].name, &text, err));
    for (int i = 0; i < 2; i++) {
        if (strcmp(text, xf_record_policies[i]) == 0) {
            *ret_policy = i ? EXTFN_TRUSTED : EXTFN_RESTRICTED;
            return EXTFN_OK;
        }
    }
    return xf_fail(err, EXTFN_EINVAL, "member 'policy': neither restricted nor trusted");
}

static extfn_status read_circumstances(const xf_slice *slices, extfn_record *record,
                                       extfn_error *err)
{
    const struct {
        int member;
        char **text;
    } texts[] = {{VERSION, &record->version},
                 {PLATFORM, &record->platform},
                 {INTERPRETER, &record->interpreter},
                 {INTERPRETER_VERSION, &record->interpreter_version},
                 {PACKAGES, &record->packages}};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        int member = texts[i].member;
        if (slices[member].data)
            XF_TRY(read_text(&slices[member], members[member].name, texts[i].text, err));
    }
    if (slices[UNSANDBOXED].data)
        XF_TRY(xf_slice_boolean(&slices[UNSANDBOXED], &record->is_unsandboxed, err));
    return read_policy(&slices[POLICY], &record->policy, err);
}

static extfn_status read_limits(const xf_slice *slice, extfn_record *record, extfn_error *err)
{
    xf_member wanted[XF_RECORD_LIMIT_COUNT];
    xf_slice slices[XF_RECORD_LIMIT_COUNT];
    for (size_t i = 0; i < XF_RECORD_LIMIT_COUNT; i++)
        wanted[i] = (xf_member){xf_record_limits[i].name, XF_JSON_NUMBER, XF_MEMBER_REQUIRED};
    xf_json scan = xf_slice_scan(slice);
    XF_TRY(xf_members_read(&scan, wanted, XF_RECORD_LIMIT_COUNT, slices, err));
    for (size_t i = 0; i < XF_RECORD_LIMIT_COUNT; i++) {
        const xf_record_limit *limit = &xf_record_limits[i];
        uint64_t amount = 0;
        XF_TRY(read_whole(&slices[i], limit->name, limit->least, limit->most, &amount, err));
        xf_record_limit_set(record, i, amount);
    }
    return EXTFN_OK;
}

/* ---- The call ---- */

static extfn_status read_function(const xf_slice *slice, extfn_record *record, extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    return xf_function_read_json(&scan, &record->function, err);
}

/* Each is what its JSON says, whatever the function declares: the call may have failed for that. */
static extfn_status read_args(const xf_slice *slice, extfn_record *record, extfn_error *err)
{
    xf_json scan = xf_slice_scan(slice);
    record->args = xf_realloc_array(NULL, EXTFN_ARGUMENT_LIMIT, sizeof(*record->args));
    if (!record->args)
        return xf_fail_oom(err);
    XF_TRY(xf_json_enter_array(&scan, err));
    for (;;) {
        bool has = false;
        XF_TRY(xf_json_next_element(&scan, &has, err));
        if (!has)
            return EXTFN_OK;
        if (record->arg_count == EXTFN_ARGUMENT_LIMIT)
            return xf_fail(err, EXTFN_EINVAL, "more than %d elements", EXTFN_ARGUMENT_LIMIT);
        extfn_value *value = &record->args[record->arg_count];
        *value = (extfn_value){0};
        XF_TRY(xf_value_read_json(&scan, EXTFN_NONE, value, err));
        record->arg_count++;
    }
}

/* ---- The outcome ---- */

static extfn_status read_kind(const xf_slice *slice, extfn_status *ret_status, extfn_error *err)
{
    static const struct {
        extfn_status status;
        const char *kind;
    } kinds[] = {
#define X(name, code, kind, text) {EXTFN_##name, (kind)},
        EXTFN_STATUS_MAP(X)
#undef X
    };
    XF_AUTO_FREE char *kind = NULL;
    XF_TRY(read_text(slice, "kind", &kind, err));
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i].status != EXTFN_OK && strcmp(kinds[i].kind, kind) == 0) {
            *ret_status = kinds[i].status;
            return EXTFN_OK;
        }
    }
    return xf_fail(err, EXTFN_EINVAL, "member 'kind': none of a failure");
}

static extfn_status read_outcome(const xf_slice *slice, extfn_record *record, extfn_error *err)
{
    enum { KIND, MESSAGE, STDERR, COUNT };
    static const xf_member wanted[COUNT] = {
        [KIND] = {"kind", XF_JSON_STRING, XF_MEMBER_REQUIRED},
        [MESSAGE] = {"message", XF_JSON_STRING, XF_MEMBER_REQUIRED},
        [STDERR] = {"stderr", XF_JSON_STRING, 0},
    };
    xf_slice slices[COUNT];
    xf_json scan = xf_slice_scan(slice);
    XF_AUTO_FREE char *message = NULL;
    extfn_status status = EXTFN_OK;
    XF_TRY(xf_members_read(&scan, wanted, COUNT, slices, err));
    XF_TRY(read_kind(&slices[KIND], &status, err));
    XF_TRY(read_text(&slices[MESSAGE], "message", &message, err));
    if (strlen(message) >= EXTFN_MESSAGE_SIZE)
        return xf_fail(err, EXTFN_EINVAL, "member 'message' is longer than any message");
    record->outcome.status = status;
    memcpy(record->outcome.message, message, strlen(message) + 1);
    if (!slices[STDERR].data)
        return EXTFN_OK;
    return read_bytes(&slices[STDERR], &record->stderr_data, &record->stderr_size, err);
}

/* ---- All of it ---- */

typedef extfn_status read_part_fn(const xf_slice *slice, extfn_record *record, extfn_error *err);

static extfn_status read_parts(const xf_slice *slices, extfn_record *record, extfn_error *err)
{
    static const struct {
        int member;
        read_part_fn *read;
    } parts[] = {{LIMITS, read_limits},
                 {FUNCTION, read_function},
                 {ARGS, read_args},
                 {OUTCOME, read_outcome}};
    XF_TRY(read_circumstances(slices, record, err));
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        extfn_status status = parts[i].read(&slices[parts[i].member], record, err);
        if (status != EXTFN_OK)
            return xf_fail_context(err, status, "member '%s'", members[parts[i].member].name);
    }
    return EXTFN_OK;
}

static extfn_status read_record(const char *json, size_t size, extfn_record *record,
                                extfn_error *err)
{
    if (size > EXTFN_RECORD_LIMIT) {
        return xf_fail(err, EXTFN_EINVAL, "it is longer than the limit of %u MiB",
                       EXTFN_RECORD_LIMIT >> 20);
    }
    xf_json scan = {.data = json, .size = size};
    xf_slice slices[MEMBER_COUNT];
    uint64_t format = 0;
    XF_TRY(xf_members_read(&scan, members, MEMBER_COUNT, slices, err));
    XF_TRY(xf_json_end(&scan, err));
    XF_TRY(read_whole(&slices[FORMAT], members[FORMAT].name, XF_RECORD_FORMAT, XF_RECORD_FORMAT,
                      &format, err));
    return read_parts(slices, record, err);
}

extfn_status extfn_record_from_json(const char *json, size_t size, extfn_record *ret_record,
                                    extfn_error *err)
{
    extfn_record record = {0};
    extfn_status status = read_record(json, size, &record, err);
    if (status == EXTFN_OK)
        *ret_record = record;
    else
        extfn_record_clear(&record);
    return status;
}
