#include "base/auto.h"
#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_digits(const char *text, size_t size, size_t at)
{
    while (at < size && is_digit(text[at]))
        at++;
    return at;
}

static size_t skip_sign(const char *text, size_t size, size_t at)
{
    return at < size && (text[at] == '-' || text[at] == '+') ? at + 1 : at;
}

static bool is_decimal(const char *text, size_t size)
{
    size_t start = skip_sign(text, size, 0);
    size_t at = skip_digits(text, size, start);
    size_t digits = at - start;
    if (at < size && text[at] == '.') {
        start = at + 1;
        at = skip_digits(text, size, start);
        digits += at - start;
    }
    if (digits == 0)
        return false;
    if (at < size && (text[at] == 'e' || text[at] == 'E')) {
        start = skip_sign(text, size, at + 1);
        at = skip_digits(text, size, start);
        if (at == start)
            return false;
    }
    return at == size;
}

/* The "C" locale is a static object of the C library: this neither allocates nor fails. */
static locale_t c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

extfn_status xf_number_read(const char *text, size_t size, double *ret_number, extfn_error *err)
{
    char quoted[XF_QUOTE_SIZE];
    if (!is_decimal(text, size)) {
        return xf_fail(err, EXTFN_EINVAL, "expected a number, got %s",
                       xf_text_quote(text, size, quoted));
    }
    char small[64];
    XF_AUTO_FREE char *large = NULL;
    char *copy = small;
    if (size >= sizeof(small)) {
        copy = large = xf_alloc(size + 1);
        if (!large)
            return xf_fail_oom(err);
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    double number = strtod_l(copy, NULL, c_locale());
    if (isinf(number)) {
        return xf_fail(err, EXTFN_EINVAL, "number %s is beyond the range of a double",
                       xf_text_quote(text, size, quoted));
    }
    *ret_number = number;
    return EXTFN_OK;
}
