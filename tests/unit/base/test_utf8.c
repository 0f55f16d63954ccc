#include "base/text.h"
#include "support/unit.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void valid_size_stops_at_the_first_bad_byte(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        size_t size, valid;
    } cases[] = {
        {"", 0, 0},
        {"abc", 3, 3},
        {"a\0b", 3, 3},
        {"\xc3\xa9", 2, 2},
        {"\xe2\x82\xac", 3, 3},
        {"\xf0\x9f\x98\x80!", 5, 5},
        {"\xf4\x8f\xbf\xbf", 4, 4},  /* U+10FFFF */
        {"a\xf4\x90\x80\x80", 5, 1}, /* beyond it */
        {"ab\xed\xa0\x80", 5, 2},    /* surrogate */
        {"\xc0\x80", 2, 0},          /* overlong */
        {"\xe0\x80\x80", 3, 0},      /* overlong */
        {"\xf0\x80\x80\x80", 4, 0},  /* overlong */
        {"x\x80", 2, 1},             /* continuation alone */
        {"x\xe2\x82", 3, 1},         /* cut */
        {"\xff", 1, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(xf_utf8_valid_size(cases[i].data, cases[i].size), cases[i].valid);
        assert_int_equal(xf_utf8_is_valid(cases[i].data, cases[i].size),
                         cases[i].valid == cases[i].size);
    }
}

static void repair_puts_a_question_mark_for_each_bad_byte(void **state)
{
    (void)state;
    char text[] = "a\xff\xc3\xa9\xe2\x82z\x80";
    xf_utf8_repair(text, sizeof(text) - 1);
    assert_string_equal(text, "a?\xc3\xa9??z?");
}

static void cut_splits_no_character(void **state)
{
    (void)state;
    const char *text = "a\xe2\x82\xac";
    assert_int_equal(xf_utf8_cut(text, 4, 4), 4);
    assert_int_equal(xf_utf8_cut(text, 4, 3), 1);
    assert_int_equal(xf_utf8_cut(text, 4, 1), 1);
    assert_int_equal(xf_utf8_cut(text, 4, 0), 0);
}

static void quote_shows_what_can_be_shown(void **state)
{
    (void)state;
    char quoted[XF_QUOTE_SIZE];
    assert_string_equal(xf_text_quote(NULL, 0, quoted), "''");
    assert_string_equal(xf_text_quote("abc", 3, quoted), "'abc'");
    assert_string_equal(xf_text_quote("a\0\n\x7f\xff", 5, quoted), "'a?"
                                                                   "?"
                                                                   "?"
                                                                   "?'");
    assert_string_equal(xf_text_quote("\xe2\x82\xac", 3, quoted), "'\xe2\x82\xac'");
}

static void quote_of_a_long_text_is_its_beginning(void **state)
{
    (void)state;
    char text[300];
    char quoted[XF_QUOTE_SIZE];
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = "\xe2\x82\xac"[i % 3];
    (void)xf_text_quote(text, sizeof(text), quoted);
    size_t size = strlen(quoted);
    assert_true(size > 50);
    assert_true(size < XF_QUOTE_SIZE);
    assert_true(xf_utf8_is_valid(quoted, size));
    assert_string_equal(quoted + size - 5, "\xac'...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_size_stops_at_the_first_bad_byte),
        cmocka_unit_test(repair_puts_a_question_mark_for_each_bad_byte),
        cmocka_unit_test(cut_splits_no_character),
        cmocka_unit_test(quote_shows_what_can_be_shown),
        cmocka_unit_test(quote_of_a_long_text_is_its_beginning),
    };
    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
