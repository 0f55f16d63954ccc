#include "value/datetime.h"

#include "support/unit.h"

#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define DAY INT64_C(86400000000)

static void instants_are_read_and_written(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t datetime;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"1970-01-01T00:00:00.000001Z", 1},
        {"1969-12-31T23:59:59.999999Z", -1},
        {"1969-12-31T23:59:59Z", -1000000},
        {"2025-01-02T03:04:05Z", 1735787045000000},
        {"2025-01-02T03:04:05.120Z", 1735787045120000},
        {"2025-01-02T03:04:05.120450Z", 1735787045120450},
        {"2000-02-29T12:00:00Z", 951825600000000},
        {"2038-01-19T03:14:08Z", 2147483648000000},
        {"0001-01-01T00:00:00Z", XF_DATETIME_LOWEST},
        {"9999-12-31T23:59:59.999999Z", XF_DATETIME_HIGHEST},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_error err = {0};
        int64_t datetime = 99;
        char text[XF_DATETIME_SIZE];
        if (xf_datetime_read(cases[i].text, strlen(cases[i].text), &datetime, &err) != EXTFN_OK)
            fail_msg("%s", err.message);
        assert_int_equal(datetime, cases[i].datetime);
        assert_int_equal(xf_datetime_write(datetime, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}

static void other_forms_are_converted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *utc;
    } cases[] = {
        {"2025-01-02t03:04:05z", "2025-01-02T03:04:05Z"},
        {"2025-01-02 03:04:05Z", "2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05.5Z", "2025-01-02T03:04:05.500Z"},
        {"2025-01-02T03:04:05.10Z", "2025-01-02T03:04:05.100Z"},
        {"2025-01-02T03:04:05.000000Z", "2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05.1234Z", "2025-01-02T03:04:05.123400Z"},
        {"2025-01-02T03:04:05+00:00", "2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05-00:00", "2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05+05:30", "2025-01-01T21:34:05Z"},
        {"2025-01-02T03:04:05-23:59", "2025-01-03T03:03:05Z"},
        {"2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00Z"},
        {"2024-12-31T23:30:00-01:00", "2025-01-01T00:30:00Z"},
        {"0000-12-31T23:00:00-01:00", "0001-01-01T00:00:00Z"},
        {"9999-12-31T23:59:59.999999+00:01", "9999-12-31T23:58:59.999999Z"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_error err = {0};
        int64_t datetime = 0;
        char text[XF_DATETIME_SIZE];
        if (xf_datetime_read(cases[i].text, strlen(cases[i].text), &datetime, &err) != EXTFN_OK)
            fail_msg("%s", err.message);
        (void)xf_datetime_write(datetime, text);
        assert_string_equal(text, cases[i].utc);
    }
}

static void what_cannot_be_held_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *problem;
    } cases[] = {
        {"2025-01-02T03:04:05.1234567Z", "more than 6 decimals cannot be held"},
        {"2025-01-02T03:04:05.0000000Z", "more than 6 decimals cannot be held"},
        {"2016-12-31T23:59:60Z", "a leap second cannot be held"},
        {"2017-01-01T00:59:60+01:00", "a leap second cannot be held"},
        {"2025-02-29T00:00:00Z", "no such date or time of day"},
        {"1900-02-29T00:00:00Z", "no such date or time of day"},
        {"2025-04-31T00:00:00Z", "no such date or time of day"},
        {"2025-00-01T00:00:00Z", "no such date or time of day"},
        {"2025-13-01T00:00:00Z", "no such date or time of day"},
        {"2025-01-00T00:00:00Z", "no such date or time of day"},
        {"2025-01-01T24:00:00Z", "no such date or time of day"},
        {"2025-01-01T23:60:00Z", "no such date or time of day"},
        {"2025-01-01T23:00:61Z", "no such date or time of day"},
        {"0000-12-31T23:59:59Z", "not within the years 0001 to 9999 UTC"},
        {"0001-01-01T00:00:00+00:01", "not within the years 0001 to 9999 UTC"},
        {"9999-12-31T23:59:59-00:01", "not within the years 0001 to 9999 UTC"},
        {"0000-01-01T00:00:00+23:59", "not within the years 0001 to 9999 UTC"},
        {"", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04Z", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05.Z", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05,5Z", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05+0100", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05+01", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05+24:00", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05+01:60", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05ZZ", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-01-02T03:04:05Z ", "expected the form 2025-01-02T03:04:05Z"},
        {" 2025-01-02T03:04:05Z", "expected the form 2025-01-02T03:04:05Z"},
        {"+2025-01-02T03:04:05Z", "expected the form 2025-01-02T03:04:05Z"},
        {"12025-01-02T03:04:05Z", "expected the form 2025-01-02T03:04:05Z"},
        {"-025-01-02T03:04:05Z", "expected the form 2025-01-02T03:04:05Z"},
        {"2025-1-2T3:4:5Z", "expected the form 2025-01-02T03:04:05Z"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_error err = {0};
        int64_t datetime = 99;
        char message[200];
        (void)snprintf(message, sizeof(message), "datetime '%s': %s", cases[i].text,
                       cases[i].problem);
        assert_int_equal(xf_datetime_read(cases[i].text, strlen(cases[i].text), &datetime, &err),
                         EXTFN_EINVAL);
        assert_string_equal(err.message, message);
        assert_int_equal(datetime, 99);
    }
}

static void every_beginning_of_a_datetime_is_refused(void **state)
{
    (void)state;
    static const char text[] = "2025-01-02T03:04:05.123456+01:00";
    int64_t datetime;
    for (size_t size = 0; size < sizeof(text) - 1; size++)
        assert_int_equal(xf_datetime_read(text, size, &datetime, NULL), EXTFN_EINVAL);
    assert_int_equal(xf_datetime_read(text, sizeof(text) - 1, &datetime, NULL), EXTFN_OK);
}

static int days_in(int year, int month)
{
    if (month == 2)
        return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/* Walks the calendar day by day beside the arithmetic. */
static void every_day_of_the_calendar_has_its_number(void **state)
{
    (void)state;
    int64_t datetime = XF_DATETIME_LOWEST;
    for (int year = 1; year <= 9999; year++) {
        for (int month = 1; month <= 12; month++) {
            for (int day = 1; day <= days_in(year, month); day++, datetime += DAY) {
                if (year % 100 > 4 && year % 100 < 99)
                    continue; /* the years around centuries will do */
                char text[XF_DATETIME_SIZE];
                char expected[60];
                int64_t read = 0;
                size_t size = xf_datetime_write(datetime, text);
                (void)snprintf(expected, sizeof(expected), "%04d-%02d-%02dT00:00:00Z", year, month,
                               day);
                assert_string_equal(text, expected);
                assert_int_equal(xf_datetime_read(text, size, &read, NULL), EXTFN_OK);
                assert_int_equal(read, datetime);
            }
        }
    }
    assert_int_equal(datetime, XF_DATETIME_HIGHEST + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_are_read_and_written),
        cmocka_unit_test(other_forms_are_converted),
        cmocka_unit_test(what_cannot_be_held_is_refused),
        cmocka_unit_test(every_beginning_of_a_datetime_is_refused),
        cmocka_unit_test(every_day_of_the_calendar_has_its_number),
    };
    return cmocka_run_group_tests_name("datetime", tests, NULL, NULL);
}
