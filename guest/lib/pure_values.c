#include "pure_values.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_TEXT 60       /* bytes of a result in a message */
#define SHOWN_TERM 200      /* of one that did not reduce */
#define INTEGER_DIGITS 400U /* more than any Number has */
#define FIRST_MOMENT INT64_C(-62135596800000000)
#define LAST_MOMENT INT64_C(253402300799999999)

static const char *const type_names[] = {"?", "Number", "Boolean", "Text", "DateTime", "Enum"};

/* ---- Into Pure ---- */

static pure_expr *make_integer(int64_t value)
{
    return value <= INT32_MAX ? pure_int((int32_t)value) : pure_int64(value);
}

static pure_expr *make_text(const char *data, size_t size)
{
    return pure_string(strndup(data, size));
}

static pure_expr *make_datetime(int64_t microseconds)
{
    pure_expr *exception = NULL;
    pure_expr *name = pure_symbolx(pure_sym("datetime"), &exception);
    if (!name)
        return NULL;
    pure_expr *argument = pure_int64(microseconds);
    return pure_appxv(name, 1, &argument, &exception);
}

pure_expr *xf_pure_make_value(const xf_guest *guest, uint32_t k)
{
    const xf_wire_column *columns = (const void *)(guest->request + XF_MAP_START);
    const void *wire = guest->request + columns[k].values_offset;
    switch (guest->arg_types[k]) {
    case EXTFN_NUMBER:
        return pure_double(((const double *)wire)[guest->row]);
    case EXTFN_BOOLEAN:
        return pure_int(((const uint8_t *)wire)[guest->row]);
    case EXTFN_ENUM:
        return make_integer(((const uint32_t *)wire)[guest->row]);
    case EXTFN_DATETIME:
        return make_datetime(((const int64_t *)wire)[guest->row]);
    default: {
        const uint32_t *ends = (const uint32_t *)wire + guest->row;
        return make_text((const char *)guest->request + columns[k].bytes_offset + ends[0],
                         ends[1] - ends[0]);
    }
    }
}

/* ---- In words ---- */

/* `#<closure 0x7f...>` reads `#<closure>`: an address differs from run to run. */
static void remove_addresses(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        if (strncmp(from, " 0x", 3) == 0) {
            size_t digits = strspn(from + 3, "0123456789abcdef");
            if (digits > 0 && from[3 + digits] == '>') {
                from += 3 + digits;
                continue;
            }
        }
        *to++ = *from++;
    }
    *to = 0;
}

/* At most `limit` bytes of a text, an ellipsis where it goes on. */
static void copy_beginning(const char *text, size_t limit, xf_pure_message *ret_message)
{
    size_t size = strnlen(text, limit + 4);
    bool is_cut = size > limit;
    size_t kept = is_cut ? limit : size;
    memcpy(ret_message->text, text, kept);
    while (is_cut && kept > 0 && ((unsigned char)text[kept] & 0xC0U) == 0x80)
        kept--;
    ret_message->text[kept] = 0;
    xf_utf8_repair(ret_message->text, kept);
    if (is_cut)
        memcpy(ret_message->text + kept, "...", 4);
}

void xf_pure_show(const pure_expr *value, size_t limit, xf_pure_message *ret_message)
{
    char *text = str(value);
    if (!text) {
        ret_message->text[0] = 0;
        return;
    }
    remove_addresses(text);
    copy_beginning(text, limit, ret_message);
    free(text);
}

static bool is_datetime(const pure_expr *value, pure_expr **ret_argument)
{
    pure_expr *function = NULL;
    int32_t symbol = 0;
    return pure_is_app(value, &function, ret_argument) && pure_is_symbol(function, &symbol) &&
           symbol == pure_sym("datetime");
}

static bool is_integer(const pure_expr *value)
{
    return pure_is_int(value, NULL) || pure_is_mpz(value, NULL);
}

static void describe(const pure_expr *value, xf_pure_message *ret_message)
{
    xf_pure_message shown;
    const char *text = NULL;
    const char *before = "term '";
    const char *after = "'";
    pure_expr *argument = NULL;
    if (pure_is_string(value, &text)) {
        copy_beginning(text, SHOWN_TEXT, &shown);
        before = "Text '";
    } else {
        xf_pure_show(value, SHOWN_TERM, &shown);
        bool is_number = pure_is_double(value, NULL) || is_integer(value);
        before = is_number ? "Number " : before;
        after = is_number ? "" : after;
        if (pure_is_mpz(value, NULL))
            shown.text[strcspn(shown.text, "L")] = 0;
        if (is_datetime(value, &argument) && is_integer(argument)) {
            before = "DateTime";
            shown.text[0] = 0;
            after = "";
        }
    }
    (void)snprintf(ret_message->text, sizeof(ret_message->text), "%s%.1900s%s", before, shown.text,
                   after);
}

static xf_pure_verdict refuse(const char *text, xf_pure_message *ret_message)
{
    (void)snprintf(ret_message->text, sizeof(ret_message->text), "%s", text);
    return XF_PURE_REFUSED;
}

static xf_pure_verdict refuse_kind(const xf_guest *guest, const pure_expr *value,
                                   xf_pure_message *ret_message)
{
    xf_pure_message got;
    describe(value, &got);
    (void)snprintf(ret_message->text, sizeof(ret_message->text),
                   "return type mismatch: expected %s, got %.1000s",
                   type_names[guest->return_type <= EXTFN_ENUM ? guest->return_type : 0], got.text);
    return XF_PURE_REFUSED;
}

/* ---- Out of Pure ---- */

/* The nearest double of a bigint; false when it is beyond all. Pure's own conversion cuts. */
static bool read_bigint(const pure_expr *value, double *ret_number)
{
    char *digits = str(value);
    bool is_short = digits && strnlen(digits, INTEGER_DIGITS) < INTEGER_DIGITS;
    if (is_short)
        *ret_number = strtod(digits, NULL);
    free(digits);
    return is_short && isfinite(*ret_number);
}

/* An int or bigint of 64 bits; false for all else. */
static bool read_integer(const pure_expr *value, int64_t *ret_integer)
{
    int32_t small = 0;
    if (pure_is_int(value, &small)) {
        *ret_integer = small;
        return true;
    }
    if (!pure_is_mpz(value, NULL))
        return false;
    char *digits = str(value);
    errno = 0;
    int64_t integer = digits ? strtoll(digits, NULL, 10) : 0;
    bool is_whole = digits && errno == 0;
    free(digits);
    *ret_integer = integer;
    return is_whole;
}

static xf_pure_verdict store_number(const xf_guest *guest, const pure_expr *value,
                                    xf_pure_message *ret_message)
{
    int32_t small = 0;
    double number = 0;
    if (pure_is_int(value, &small)) {
        number = small;
    } else if (pure_is_mpz(value, NULL)) {
        if (!read_bigint(value, &number))
            return refuse("result out of range: integer too large for a Number", ret_message);
    } else if (!pure_is_double(value, &number)) {
        return refuse_kind(guest, value, ret_message);
    }
    number = isnan(number) ? (double)NAN : number;
    xf_guest_write_slot(guest, &number);
    return XF_PURE_FITS;
}

static xf_pure_verdict store_boolean(const xf_guest *guest, const pure_expr *value,
                                     xf_pure_message *ret_message)
{
    int64_t slot = 0;
    if (!read_integer(value, &slot) || slot < 0 || slot > 1)
        return refuse_kind(guest, value, ret_message);
    xf_guest_write_slot(guest, &slot);
    return XF_PURE_FITS;
}

static xf_pure_verdict store_enum(const xf_guest *guest, const pure_expr *value,
                                  xf_pure_message *ret_message)
{
    int64_t slot = 0;
    if (!is_integer(value))
        return refuse_kind(guest, value, ret_message);
    if (!read_integer(value, &slot) || slot < 0 || slot > UINT32_MAX) {
        xf_pure_message got;
        describe(value, &got);
        (void)snprintf(ret_message->text, sizeof(ret_message->text),
                       "result out of range: Enum is 0 to 4294967295, got %.1000s", got.text);
        return XF_PURE_REFUSED;
    }
    xf_guest_write_slot(guest, &slot);
    return XF_PURE_FITS;
}

static xf_pure_verdict store_datetime(const xf_guest *guest, const pure_expr *value,
                                      xf_pure_message *ret_message)
{
    int64_t slot = 0;
    pure_expr *argument = NULL;
    if (!is_datetime(value, &argument) || !is_integer(argument))
        return refuse_kind(guest, value, ret_message);
    if (!read_integer(argument, &slot) || slot < FIRST_MOMENT || slot > LAST_MOMENT)
        return refuse("result out of range: DateTime is in the years 0001 to 9999", ret_message);
    xf_guest_write_slot(guest, &slot);
    return XF_PURE_FITS;
}

static xf_pure_verdict store_text(xf_guest *guest, const pure_expr *value,
                                  xf_pure_message *ret_message)
{
    const char *text = NULL;
    xf_wire_text slot;
    if (!pure_is_string(value, &text))
        return refuse_kind(guest, value, ret_message);
    size_t size = strlen(text);
    if (!xf_utf8_is_valid(text, size))
        return refuse("result is not valid Unicode text", ret_message);
    if (size > XF_VALUE_LIMIT) {
        (void)snprintf(ret_message->text, sizeof(ret_message->text),
                       "result too large: %zu MiB, the limit is 16 MiB",
                       (size + (1U << 20) - 1) >> 20);
        return XF_PURE_REFUSED;
    }
    if (!xf_guest_put_text(guest, text, size, &slot))
        return XF_PURE_FULL;
    xf_guest_write_slot(guest, &slot);
    return XF_PURE_FITS;
}

xf_pure_verdict xf_pure_store_value(xf_guest *guest, pure_expr *value, xf_pure_message *ret_message)
{
    switch (guest->return_type) {
    case EXTFN_NUMBER:
        return store_number(guest, value, ret_message);
    case EXTFN_BOOLEAN:
        return store_boolean(guest, value, ret_message);
    case EXTFN_TEXT:
        return store_text(guest, value, ret_message);
    case EXTFN_DATETIME:
        return store_datetime(guest, value, ret_message);
    case EXTFN_ENUM:
        return store_enum(guest, value, ret_message);
    default:
        return refuse("unknown return type", ret_message);
    }
}
