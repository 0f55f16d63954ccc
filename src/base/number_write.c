#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* In this range every precision writes without an exponent, and `wide` holds all products. */
static const double plain_lowest = 1e-4;
static const double plain_limit = 1e15;

/* The decimal nearest to mantissa / 2^shift, in units of its last decimal, by exact arithmetic;
 * false when it does not read back, that is, lies nearer to another double. */
static bool round_decimal(uint64_t mantissa, int shift, int decimals, uint64_t *ret_digits)
{
    wide power = 1;
    for (int i = 0; i < decimals; i++)
        power *= 10;
    wide scaled = mantissa * power;
    wide one = (wide)1 << shift;
    wide rest = scaled & (one - 1);
    uint64_t digits = (uint64_t)(scaled >> shift);
    bool is_up = rest > one / 2 || (rest == one / 2 && digits % 2 == 1);
    wide distance = is_up ? one - rest : rest;
    /* In the units of `scaled` the next double is `power` away, half of that below a power of 2. */
    bool is_near = !is_up && mantissa == UINT64_C(1) << 52;
    wide margin = is_near ? power : power * 2;
    if (distance * 4 > margin || (distance * 4 == margin && mantissa % 2 == 1))
        return false;
    *ret_digits = digits + is_up;
    return true;
}

static size_t write_digits(bool is_negative, uint64_t digits, int decimals,
                           char ret_text[XF_NUMBER_SIZE])
{
    for (; decimals < 1; decimals++)
        digits *= 10;
    for (; decimals > 1 && digits % 10 == 0; decimals--)
        digits /= 10;
    char text[XF_NUMBER_SIZE];
    size_t start = sizeof(text);
    text[--start] = '\0';
    for (; decimals > 0 || digits > 0 || text[start] == '.'; decimals--) {
        text[--start] = (char)('0' + digits % 10);
        digits /= 10;
        if (decimals == 1)
            text[--start] = '.';
    }
    if (is_negative)
        text[--start] = '-';
    memcpy(ret_text, text + start, sizeof(text) - start);
    return sizeof(text) - start - 1;
}

/* What write_any does, ten times as fast; 0 when it takes write_any. */
static size_t write_plain(double number, char ret_text[XF_NUMBER_SIZE])
{
    double size = fabs(number);
    if (!(size >= plain_lowest && size < plain_limit))
        return 0;
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(size, &exponent), 53);
    int decimals = 18; /* of the first try, which has 15 digits */
    double power = 1e-3;
    while (decimals > 0 && size >= power) {
        power *= 10;
        decimals--;
    }
    for (int i = 0; i < 3; i++) {
        uint64_t digits;
        if (round_decimal(mantissa, 53 - exponent, decimals + i, &digits))
            return write_digits(number < 0, digits, decimals + i, ret_text);
    }
    return 0;
}

static size_t write_any(double number, char ret_text[XF_NUMBER_SIZE])
{
    /* The "C" locale is a static object of the C library: this neither allocates nor fails. */
    locale_t former = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    size_t size = 0;
    for (int digits = 15; digits <= 17; digits++) {
        size = (size_t)snprintf(ret_text, XF_NUMBER_SIZE, "%.*g", digits, number);
        if (strtod(ret_text, NULL) == number)
            break;
    }
    (void)uselocale(former);
    if (!strpbrk(ret_text, ".e")) {
        memcpy(ret_text + size, ".0", sizeof(".0"));
        size += 2;
    }
    return size;
}

size_t xf_number_write(double number, char ret_text[XF_NUMBER_SIZE])
{
    size_t size = write_plain(number, ret_text);
    return size ? size : write_any(number, ret_text);
}
