#include "value/datetime.h"

#include "base/text.h"

#include <stdio.h>

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* Days of the proleptic Gregorian calendar from 1 March 0000, so that the leap day ends a year. */
#define EPOCH_DAY 719468 /* 1970-01-01 */
#define DAYS_OF_400_YEARS 146097

static int64_t day_of_march(int64_t year)
{
    return 365 * year + year / 4 - year / 100 + year / 400;
}

/* Days from 1 March to the first of a month, March = 0; then of the year. */
static const int64_t day_of_month[] = {0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337, 366};

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int64_t days_in_month(int64_t year, int64_t month)
{
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

/* Year 0 to 9999, month and day from 1; days since 1970. */
static int64_t day_number(int64_t year, int64_t month, int64_t day)
{
    /* 400 years on, so that January of year 0 is not negative. */
    int64_t march_year = year + 400 - (month < 3);
    return day_of_march(march_year) - DAYS_OF_400_YEARS + day_of_month[(month + 9) % 12] +
           (day - 1) - EPOCH_DAY;
}

static void split_day(int64_t day, int *ret_year, int *ret_month, int *ret_day)
{
    int64_t left = day + EPOCH_DAY;
    int64_t year = left * 400 / DAYS_OF_400_YEARS + 1;
    while (day_of_march(year) > left)
        year--;
    left -= day_of_march(year);
    int month = 0;
    while (day_of_month[month + 1] <= left)
        month++;
    *ret_year = (int)(year + (month >= 10));
    *ret_month = month < 10 ? month + 3 : month - 9;
    *ret_day = (int)(left - day_of_month[month]) + 1;
}

/* ---- Reading ---- */

typedef struct reader {
    const char *text;
    size_t size;
    size_t at;
} reader;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_digits(reader *in, size_t count, int64_t *ret_number)
{
    int64_t number = 0;
    if (in->size - in->at < count)
        return false;
    for (size_t i = 0; i < count; i++) {
        char c = in->text[in->at + i];
        if (!is_digit(c))
            return false;
        number = number * 10 + (c - '0');
    }
    in->at += count;
    *ret_number = number;
    return true;
}

static bool accept(reader *in, const char *wanted)
{
    for (; *wanted; wanted++) {
        if (in->at < in->size && in->text[in->at] == *wanted) {
            in->at++;
            return true;
        }
    }
    return false;
}

typedef struct fields {
    int64_t year, month, day, hour, minute, second, microsecond;
    int64_t offset;  /* microseconds that local time is ahead of UTC */
    size_t decimals; /* as many as there were */
} fields;

static bool read_decimals(reader *in, fields *into)
{
    int64_t unit = SECOND;
    size_t start = in->at;
    for (; in->at < in->size && is_digit(in->text[in->at]); in->at++) {
        unit /= 10;
        into->microsecond += unit * (in->text[in->at] - '0');
    }
    into->decimals = in->at - start;
    return into->decimals > 0;
}

static bool read_offset(reader *in, fields *into)
{
    if (accept(in, "Zz"))
        return true;
    int64_t sign = accept(in, "+") ? 1 : -1;
    int64_t hours;
    int64_t minutes;
    if (sign < 0 && !accept(in, "-"))
        return false;
    if (!read_digits(in, 2, &hours) || !accept(in, ":") || !read_digits(in, 2, &minutes))
        return false;
    into->offset = sign * (hours * HOUR + minutes * MINUTE);
    return hours < 24 && minutes < 60;
}

static bool read_fields(reader *in, fields *into)
{
    return read_digits(in, 4, &into->year) && accept(in, "-") && read_digits(in, 2, &into->month) &&
           accept(in, "-") && read_digits(in, 2, &into->day) && accept(in, "Tt ") &&
           read_digits(in, 2, &into->hour) && accept(in, ":") &&
           read_digits(in, 2, &into->minute) && accept(in, ":") &&
           read_digits(in, 2, &into->second) && (!accept(in, ".") || read_decimals(in, into)) &&
           read_offset(in, into) && in->at == in->size;
}

static bool is_on_clock(const fields *f)
{
    return f->month >= 1 && f->month <= 12 && f->day >= 1 &&
           f->day <= days_in_month(f->year, f->month) && f->hour < 24 && f->minute < 60 &&
           f->second < 60;
}

/* What is wrong with well-formed fields, or NULL. */
static const char *find_problem(const fields *f)
{
    if (f->second == 60)
        return "a leap second cannot be held";
    if (!is_on_clock(f))
        return "no such date or time of day";
    return f->decimals > 6 ? "more than 6 decimals cannot be held" : NULL;
}

static extfn_status fail(const char *text, size_t size, const char *problem, extfn_error *err)
{
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_EINVAL, "datetime %s: %s", xf_text_quote(text, size, quoted),
                   problem);
}

extfn_status xf_datetime_read(const char *text, size_t size, int64_t *ret_datetime,
                              extfn_error *err)
{
    reader in = {.text = text, .size = size};
    fields f = {0};
    if (!read_fields(&in, &f))
        return fail(text, size, "expected the form 2025-01-02T03:04:05Z", err);
    const char *problem = find_problem(&f);
    if (problem)
        return fail(text, size, problem, err);
    int64_t datetime = day_number(f.year, f.month, f.day) * DAY + f.hour * HOUR +
                       f.minute * MINUTE + f.second * SECOND + f.microsecond - f.offset;
    if (!xf_datetime_is_valid(datetime))
        return fail(text, size, "not within the years 0001 to 9999 UTC", err);
    *ret_datetime = datetime;
    return EXTFN_OK;
}

/* ---- Writing ---- */

size_t xf_datetime_write(int64_t datetime, char ret_text[XF_DATETIME_SIZE])
{
    int64_t since = datetime - XF_DATETIME_LOWEST; /* not negative */
    int64_t in_day = since % DAY;
    int year;
    int month;
    int day;
    split_day(since / DAY + XF_DATETIME_LOWEST / DAY, &year, &month, &day);
    int size = snprintf(ret_text, XF_DATETIME_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d", year, month,
                        day, (int)(in_day / HOUR), (int)(in_day % HOUR / MINUTE),
                        (int)(in_day % MINUTE / SECOND));
    int micros = (int)(in_day % SECOND);
    char *end = ret_text + size;
    size_t left = XF_DATETIME_SIZE - (size_t)size;
    if (micros == 0) {
        size += snprintf(end, left, "Z");
    } else if (micros % 1000 == 0) {
        size += snprintf(end, left, ".%03dZ", micros / 1000);
    } else {
        size += snprintf(end, left, ".%06dZ", micros);
    }
    return (size_t)size;
}
