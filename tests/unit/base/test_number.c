#include "base/text.h"
#include "support/oom.h"
#include "support/unit.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return bits;
}

static double from_bits(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof(number));
    return number;
}

static void assert_reads(const char *text, double expected)
{
    extfn_error err = {0};
    double number = 99;
    if (xf_number_read(text, strlen(text), &number, &err) != EXTFN_OK)
        fail_msg("%s: %s", text, err.message);
    if (bits_of(number) != bits_of(expected))
        fail_msg("%s read as %a, expected %a", text, number, expected);
}

static void decimal_text_is_read_to_the_nearest_double(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number;
    } cases[] = {
        {"0", 0.0},
        {"-0", -0.0},
        {"-0.0", -0.0},
        {"+1", 1.0},
        {"007", 7.0},
        {"5.", 5.0},
        {".5e-3", 0.0005},
        {"-1E+9", -1e9},
        {"0.1", 0.1},
        {"9007199254740991", 9007199254740991.0},
        {"9007199254740992", 9007199254740992.0},
        {"9007199254740993", 9007199254740992.0}, /* 2^53 + 1: a tie, to even */
        {"9007199254740993.0000000000000000000000000001", 9007199254740994.0},
        {"18446744073709551617", 18446744073709551616.0},
        {"1.7976931348623157e308", DBL_MAX},
        {"2.2250738585072014e-308", DBL_MIN},
        {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
        {"5e-324", 0x1p-1074},
        {"4.9406564584124654e-324", 0x1p-1074},
        {"1e-400", 0.0},
        {"-1e-400", -0.0},
        {"0e999999999999999999999999", 0.0},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_reads(cases[i].text, cases[i].number);
}

static void digits_beyond_count_decide_a_tie(void **state)
{
    (void)state;
    char text[3000] = "9007199254740993.";
    size_t size = strlen(text);
    memset(text + size, '0', sizeof(text) - size - 1);
    assert_reads(text, 9007199254740992.0);
    text[sizeof(text) - 2] = '1';
    assert_reads(text, 9007199254740994.0);
}

static void what_is_no_decimal_number_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",    "-",   ".",   "-.",  "e5",  "1e",    "1e+",  " 1",    "1 ",  "1x",
        "0x1", "inf", "nan", "1,5", "--1", "1.2.3", "1e5.", "1_000", "+-1", "infinity",
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_error err = {0};
        double number = 99;
        assert_int_equal(xf_number_read(cases[i], strlen(cases[i]), &number, &err), EXTFN_EINVAL);
        assert_non_null(strstr(err.message, "expected a number, got '"));
        assert_true(number == 99);
    }
    double number = 99;
    assert_int_equal(xf_number_read("1\0", 2, &number, NULL), EXTFN_EINVAL);
}

static void what_lies_beyond_the_range_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"1e309", "-1e309", "1.7976931348623159e308",
                                        "1e99999999999999999999999999"};
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_error err = {0};
        double number;
        assert_int_equal(xf_number_read(cases[i], strlen(cases[i]), &number, &err), EXTFN_EINVAL);
        assert_non_null(strstr(err.message, "beyond the range of a double"));
    }
}

static void reading_survives_oom(void **state)
{
    (void)state;
    char text[200];
    memset(text, '1', sizeof(text));
    extfn_status status = EXTFN_OK;
    double number = 0;
    XF_OOM_SWEEP(status, { status = xf_number_read(text, sizeof(text), &number, NULL); });
    assert_true(number > 1e199);
}

static void numbers_are_written_short(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {5.0, "5.0"},
        {-5.0, "-5.0"},
        {10.0, "10.0"},
        {1234500.0, "1234500.0"},
        {0.1, "0.1"},
        {0.001, "0.001"},
        {1e-4, "0.0001"},
        {1e-5, "1e-05"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {100.25, "100.25"},
        {999999999999999.0, "999999999999999.0"},
        {1e15, "1e+15"},
        {9007199254740991.0, "9007199254740991.0"},
        {9007199254740992.0, "9007199254740992.0"},
        {9007199254740994.0, "9007199254740994.0"},
        {1e300, "1e+300"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {0x1p-1074, "4.94065645841247e-324"},
    };
    char text[XF_NUMBER_SIZE];
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t size = xf_number_write(cases[i].number, text);
        if (strcmp(text, cases[i].text) != 0)
            fail_msg("%a written as %s, expected %s", cases[i].number, text, cases[i].text);
        assert_int_equal(size, strlen(text));
        assert_reads(text, cases[i].number);
    }
}

/* What the header promises, by the C library. */
static void assert_written_as_promised(double number)
{
    char expected[XF_NUMBER_SIZE + 2];
    char text[XF_NUMBER_SIZE];
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(expected, XF_NUMBER_SIZE, "%.*g", digits, number);
        if (strtod(expected, NULL) == number)
            break;
    }
    if (!strpbrk(expected, ".e"))
        memcpy(expected + strlen(expected), ".0", sizeof(".0"));
    (void)xf_number_write(number, text);
    if (strcmp(text, expected) != 0)
        fail_msg("%a written as %s, expected %s", number, text, expected);
}

static void neighbours_of_powers_are_written_as_promised(void **state)
{
    (void)state;
    for (uint64_t power = 1003; power < 1077; power++) { /* 2^-20 and on */
        double above = from_bits(power << 52);
        double below = above;
        for (int i = 0; i < 20; i++) {
            assert_written_as_promised(above);
            assert_written_as_promised(-below);
            above = from_bits(bits_of(above) + 1);
            below = from_bits(bits_of(below) - 1);
        }
    }
    for (int power = -6; power < 18; power++) {
        char text[XF_NUMBER_SIZE];
        (void)snprintf(text, sizeof(text), "1e%d", power);
        double above = strtod(text, NULL);
        double below = above;
        for (int i = 0; i < 20; i++) {
            assert_written_as_promised(above);
            assert_written_as_promised(-below);
            above = from_bits(bits_of(above) + 1);
            below = from_bits(bits_of(below) - 1);
        }
    }
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed ^ *seed >> 29;
}

static void random_numbers_read_back_bit_for_bit(void **state)
{
    (void)state;
    uint64_t seed = 1;
    char text[XF_NUMBER_SIZE];
    for (int i = 0; i < 30000; i++) {
        uint64_t random = next_random(&seed);
        double any = from_bits(random);
        double usual = (double)(int64_t)random / 1e9;
        double cents = (double)(random % 10000000) / 100;
        if (isfinite(any)) {
            (void)xf_number_write(any, text);
            assert_reads(text, any);
        }
        assert_written_as_promised(usual);
        assert_written_as_promised(cents);
    }
}

static void a_locale_with_a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR",
                                        "ru_RU.UTF-8"};
    const char *found = NULL;
    for (size_t i = 0; i < COUNT(names) && !found; i++)
        found = setlocale(LC_ALL, names[i]);
    if (!found) {
        print_message("# not tried: no locale with a decimal comma, such as de_DE.UTF-8\n");
        return; /* cmocka's skip() is a failure to meson */
    }
    char text[XF_NUMBER_SIZE];
    (void)xf_number_write(1.5, text);
    assert_string_equal(text, "1.5");
    (void)xf_number_write(1.5e300, text);
    assert_string_equal(text, "1.5e+300");
    assert_reads("1.5", 1.5);
    (void)setlocale(LC_ALL, "C");
}

static void the_locale_of_the_thread_is_left_as_it_was(void **state)
{
    (void)state;
    locale_t before = uselocale((locale_t)0);
    char text[XF_NUMBER_SIZE];
    (void)xf_number_write(1.5e300, text);
    assert_ptr_equal(uselocale((locale_t)0), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_text_is_read_to_the_nearest_double),
        cmocka_unit_test(digits_beyond_count_decide_a_tie),
        cmocka_unit_test(what_is_no_decimal_number_is_refused),
        cmocka_unit_test(what_lies_beyond_the_range_is_refused),
        cmocka_unit_test(reading_survives_oom),
        cmocka_unit_test(numbers_are_written_short),
        cmocka_unit_test(neighbours_of_powers_are_written_as_promised),
        cmocka_unit_test(random_numbers_read_back_bit_for_bit),
        cmocka_unit_test(a_locale_with_a_decimal_comma_changes_nothing),
        cmocka_unit_test(the_locale_of_the_thread_is_left_as_it_was),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
