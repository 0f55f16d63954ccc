#include "base/text.h"
#include "support/unit.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void durations_have_the_unit_that_suits_them(void **state)
{
    (void)state;
    static const struct {
        int64_t microseconds;
        const char *text;
    } cases[] = {
        {0, "0s"},
        {1, "1us"},
        {40, "40us"},
        {999, "999us"},
        {1000, "1ms"},
        {1500, "1.5ms"},
        {7000, "7ms"},
        {10001, "10.001ms"},
        {999999, "999.999ms"},
        {1000000, "1s"},
        {2000000, "2s"},
        {2500000, "2.5s"},
        {10000000, "10s"},
        {1234567, "1.234567s"},
        {-2500000, "-2.5s"},
        {INT64_MAX, "9223372036854.775807s"},
        {INT64_MIN, "-9223372036854.775808s"},
    };
    char text[XF_NUMBER_SIZE];
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t size = xf_duration_write(cases[i].microseconds, text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(size, strlen(text));
    }
}

static void sizes_have_the_unit_that_suits_them(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0 bytes"},
        {1, "1 byte"},
        {12, "12 bytes"},
        {1023, "1023 bytes"},
        {1024, "1 KiB"},
        {1536, "1.5 KiB"},
        {1999, "1.9 KiB"},
        {10240, "10 KiB"},
        {1048575, "1023.9 KiB"},
        {1048576, "1 MiB"},
        {UINT64_C(64) << 20, "64 MiB"},
        {UINT64_C(3) << 19, "1.5 MiB"},
        {UINT64_C(1) << 30, "1 GiB"},
        {UINT64_C(100) << 30, "100 GiB"},
        {UINT64_C(1) << 40, "1 TiB"},
        {UINT64_C(1) << 60, "1 EiB"},
        {UINT64_MAX, "15.9 EiB"},
    };
    char text[XF_NUMBER_SIZE];
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t size = xf_size_write(cases[i].bytes, text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(size, strlen(text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_have_the_unit_that_suits_them),
        cmocka_unit_test(sizes_have_the_unit_that_suits_them),
    };
    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
