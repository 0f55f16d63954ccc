#include "value/json.h"

#include "base/auto.h"
#include "base/text.h"
#include "value/column.h"
#include "value/datetime.h"
#include "value/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Values that are what they look like ---- */

typedef extfn_status read_fn(xf_json *scan, extfn_value *ret_value, extfn_error *err);

static extfn_status read_number(xf_json *scan, extfn_value *ret_value, extfn_error *err)
{
    double number;
    XF_TRY(xf_json_read_number(scan, &number, err));
    *ret_value = extfn_value_number(number);
    return EXTFN_OK;
}

static extfn_status read_enum(xf_json *scan, extfn_value *ret_value, extfn_error *err)
{
    double number;
    XF_TRY(xf_json_read_number(scan, &number, err));
    if (!(number >= 0 && number <= UINT32_MAX && number == (uint32_t)number)) {
        char text[XF_NUMBER_SIZE];
        (void)xf_number_write(number, text);
        return xf_fail(err, EXTFN_EINVAL, "expected an index from 0 to 4294967295, got %s", text);
    }
    *ret_value = extfn_value_enum((uint32_t)number);
    return EXTFN_OK;
}

static extfn_status read_boolean(xf_json *scan, extfn_value *ret_value, extfn_error *err)
{
    bool boolean;
    XF_TRY(xf_json_read_boolean(scan, &boolean, err));
    *ret_value = extfn_value_boolean(boolean);
    return EXTFN_OK;
}

static extfn_status read_text(xf_json *scan, extfn_value *ret_value, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    XF_TRY(xf_json_read_string(scan, &text, err));
    return extfn_value_text(text.data, text.size, ret_value, err);
}

static extfn_status read_datetime(xf_json *scan, extfn_value *ret_value, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    int64_t datetime;
    XF_TRY(xf_json_read_string(scan, &text, err));
    XF_TRY(xf_datetime_read(text.data, text.size, &datetime, err));
    *ret_value = extfn_value_datetime(datetime);
    return EXTFN_OK;
}

static const char *const kind_texts[] = {
    [XF_JSON_NULL] = "null",     [XF_JSON_BOOLEAN] = "boolean", [XF_JSON_NUMBER] = "number",
    [XF_JSON_STRING] = "string", [XF_JSON_ARRAY] = "array",     [XF_JSON_OBJECT] = "object",
};

static const char *wanted_text(extfn_type type)
{
    return type == EXTFN_NONE ? "a value" : extfn_type_text(type);
}

static extfn_status fail_type(extfn_type wanted, const char *got, extfn_error *err)
{
    return xf_fail(err, EXTFN_EINVAL, "expected %s, got %s", wanted_text(wanted), got);
}

/* Where any type will do, the first form of a kind is it. */
static extfn_status read_plain(xf_json *scan, xf_json_kind kind, extfn_type type,
                               extfn_value *ret_value, extfn_error *err)
{
    static const struct {
        xf_json_kind kind;
        extfn_type type;
        read_fn *read;
    } forms[] = {
        {XF_JSON_NUMBER, EXTFN_NUMBER, read_number},     {XF_JSON_NUMBER, EXTFN_ENUM, read_enum},
        {XF_JSON_BOOLEAN, EXTFN_BOOLEAN, read_boolean},  {XF_JSON_STRING, EXTFN_TEXT, read_text},
        {XF_JSON_STRING, EXTFN_DATETIME, read_datetime},
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (forms[i].kind == kind && (type == EXTFN_NONE || type == forms[i].type))
            return forms[i].read(scan, ret_value, err);
    }
    return fail_type(type, kind_texts[kind], err);
}

/* ---- Objects marked "__improv__" ---- */

enum { MARK, VALUE, KIND, MESSAGE, MEMBER_COUNT };

static const char *const member_names[MEMBER_COUNT] = {"__improv__", "value", "kind", "message"};

/* Each a reader of that member's value alone; its data is NULL where there is none. */
typedef struct members {
    xf_json at[MEMBER_COUNT];
} members;

static bool is_text(const xf_buf *text, const char *wanted)
{
    size_t size = strlen(wanted);
    return text->size == size && memcmp(text->data, wanted, size) == 0;
}

static size_t find_member(const xf_buf *name)
{
    size_t i = 0;
    while (i < MEMBER_COUNT && !is_text(name, member_names[i]))
        i++;
    return i;
}

static extfn_status fail_member(extfn_type wanted, const char *problem, const xf_buf *name,
                                extfn_error *err)
{
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL, "expected %s, got object with %s %s", wanted_text(wanted),
                   problem, xf_text_quote(name->data, name->size, quoted));
}

static extfn_status read_members(xf_json *scan, extfn_type wanted, members *into, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf name = {0};
    bool has = false;
    XF_TRY(xf_json_enter_object(scan, err));
    XF_TRY(xf_json_next_member(scan, &name, &has, err));
    while (has) {
        size_t i = find_member(&name);
        if (i == MEMBER_COUNT)
            return fail_member(wanted, "unknown member", &name, err);
        if (into->at[i].data)
            return fail_member(wanted, "duplicate member", &name, err);
        const char *start;
        size_t size;
        XF_TRY(xf_json_skip(scan, &start, &size, err));
        size_t at = (size_t)(start - scan->data);
        into->at[i] =
            (xf_json){.data = scan->data, .size = at + size, .at = at, .depth = scan->depth};
        XF_TRY(xf_json_next_member(scan, &name, &has, err));
    }
    return EXTFN_OK;
}

static extfn_status read_special(xf_json *scan, extfn_value *ret_value, extfn_error *err)
{
    static const struct {
        const char *text;
        double number;
    } specials[] = {{"NaN", (double)NAN},
                    {"Infinity", (double)INFINITY},
                    {"-Infinity", -(double)INFINITY}};
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    XF_TRY(xf_json_read_string(scan, &text, err));
    for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++) {
        if (is_text(&text, specials[i].text)) {
            *ret_value = extfn_value_number(specials[i].number);
            return EXTFN_OK;
        }
    }
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL, "expected \"NaN\", \"Infinity\" or \"-Infinity\", got %s",
                   xf_text_quote(text.data, text.size, quoted));
}

static extfn_status read_error_kind(xf_json *scan, extfn_error_kind *ret_kind, extfn_error *err)
{
    static const extfn_error_kind kinds[] = {
#define X(name, code, text) EXTFN_KIND_##name,
        EXTFN_ERROR_KIND_MAP(X)
#undef X
    };
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    XF_TRY(xf_json_read_string(scan, &text, err));
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (is_text(&text, xf_error_kind_text(kinds[i]))) {
            *ret_kind = kinds[i];
            return EXTFN_OK;
        }
    }
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL, "error kind %s is unknown",
                   xf_text_quote(text.data, text.size, quoted));
}

static extfn_status read_error(members *object, extfn_value *ret_value, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf message = {0};
    extfn_error_kind kind = EXTFN_KIND_CUSTOM;
    XF_TRY(read_error_kind(&object->at[KIND], &kind, err));
    XF_TRY(xf_json_read_string(&object->at[MESSAGE], &message, err));
    return xf_value_error(kind, message.data, message.size, ret_value, err);
}

typedef struct value_mark {
    const char *text;
    read_fn *read; /* of its "value"; NULL: an Error */
    extfn_type type;
    unsigned members; /* that it has, besides the mark: one bit each */
} value_mark;

static extfn_status read_mark(xf_json *scan, const value_mark **ret_mark, extfn_error *err)
{
    static const value_mark marks[] = {
        {"number", read_special, EXTFN_NUMBER, 1U << VALUE},
        {"datetime", read_datetime, EXTFN_DATETIME, 1U << VALUE},
        {"enum", read_enum, EXTFN_ENUM, 1U << VALUE},
        {"error", NULL, EXTFN_ERROR, 1U << KIND | 1U << MESSAGE},
    };
    XF_AUTO(xf_buf_clear) xf_buf text = {0};
    XF_TRY(xf_json_read_string(scan, &text, err));
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (is_text(&text, marks[i].text)) {
            *ret_mark = &marks[i];
            return EXTFN_OK;
        }
    }
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL, "\"__improv__\" cannot be %s",
                   xf_text_quote(text.data, text.size, quoted));
}

static extfn_status check_members(const members *object, const value_mark *mark, extfn_error *err)
{
    for (unsigned i = VALUE; i < MEMBER_COUNT; i++) {
        bool is_there = object->at[i].data != NULL;
        bool is_wanted = mark->members >> i & 1;
        if (is_there != is_wanted) {
            return xf_fail(err, EXTFN_EINVAL, "%s object %s '%s'", mark->text,
                           is_wanted ? "lacks" : "cannot have", member_names[i]);
        }
    }
    return EXTFN_OK;
}

/* An Error may stand for a value of any type. */
static extfn_status read_object(xf_json *scan, extfn_type type, extfn_value *ret_value,
                                extfn_error *err)
{
    members object = {0};
    const value_mark *mark = NULL;
    XF_TRY(read_members(scan, type, &object, err));
    if (!object.at[MARK].data)
        return fail_type(type, "object without '__improv__'", err);
    XF_TRY(read_mark(&object.at[MARK], &mark, err));
    XF_TRY(check_members(&object, mark, err));
    if (mark->type == EXTFN_ERROR)
        return read_error(&object, ret_value, err);
    if (type != EXTFN_NONE && type != mark->type)
        return fail_type(type, extfn_type_text(mark->type), err);
    return mark->read(&object.at[VALUE], ret_value, err);
}

/* ---- Whole values and columns ---- */

extfn_status xf_value_read_json(xf_json *scan, extfn_type type, extfn_value *ret_value,
                                extfn_error *err)
{
    xf_json_kind kind;
    XF_TRY(xf_json_peek(scan, &kind, err));
    return kind == XF_JSON_OBJECT ? read_object(scan, type, ret_value, err)
                                  : read_plain(scan, kind, type, ret_value, err);
}

extfn_status extfn_value_from_json(const char *json, size_t size, extfn_type type,
                                   extfn_value *ret_value, extfn_error *err)
{
    xf_json scan = {.data = json, .size = size};
    extfn_value value;
    XF_TRY(xf_value_read_json(&scan, type, &value, err));
    extfn_status status = xf_json_end(&scan, err);
    if (status != EXTFN_OK) {
        extfn_value_clear(&value);
        return status;
    }
    *ret_value = value;
    return EXTFN_OK;
}

static extfn_status append_missing(extfn_column *column, const char *name, extfn_error *err)
{
    static const char missing[] = "missing input: ";
    XF_AUTO(xf_buf_clear) xf_buf message = {0};
    XF_TRY(xf_buf_append(&message, missing, strlen(missing), err));
    XF_TRY(xf_buf_append(&message, name, strlen(name) + 1, err));
    return extfn_column_append_error(column, EXTFN_KIND_MISSING_INPUT, message.data, err);
}

static extfn_status read_element(xf_json *scan, extfn_column *column, const char *name,
                                 extfn_error *err)
{
    xf_json_kind kind;
    XF_TRY(xf_json_peek(scan, &kind, err));
    if (kind == XF_JSON_NULL) {
        const char *start;
        size_t size;
        XF_TRY(xf_json_skip(scan, &start, &size, err));
        return append_missing(column, name, err);
    }
    XF_AUTO(extfn_value_clear) extfn_value value = {0};
    XF_TRY(xf_value_read_json(scan, column->type, &value, err));
    return extfn_column_append(column, &value, err);
}

static void free_slot(extfn_column **slot)
{
    extfn_column_free(*slot);
}

extfn_status xf_column_read_json(xf_json *scan, extfn_type type, const char *name,
                                 extfn_column **ret_column, extfn_error *err)
{
    XF_AUTO(free_slot) extfn_column *column = NULL;
    bool has = false;
    XF_TRY(extfn_column_new(type, &column, err));
    XF_TRY(xf_json_enter_array(scan, err));
    XF_TRY(xf_json_next_element(scan, &has, err));
    while (has) {
        extfn_status status = read_element(scan, column, name, err);
        if (status == EXTFN_EINVAL)
            return xf_fail_context(err, status, "row %lld", (long long)column->rows);
        XF_TRY(status);
        XF_TRY(xf_json_next_element(scan, &has, err));
    }
    *ret_column = XF_STEAL(column);
    return EXTFN_OK;
}
