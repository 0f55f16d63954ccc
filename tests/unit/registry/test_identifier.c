#include "registry/identifier.h"
#include "support/unit.h"

#include <string.h>

static void identifiers_are_ascii_words(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "Z9", "_", "snake_case", "x1"};
    static const char *const bad[] = {"", "1a", "a-b", "a.b", "\xc3\xa4", "a b", "a\n"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(xf_identifier_is_valid(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(xf_identifier_is_valid(bad[i], strlen(bad[i])));
    assert_false(xf_identifier_is_valid("a\0b", 3));
}

static void each_language_keeps_its_own_words(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        const char *reserved; /* a letter for each language that keeps it: Python, R, Julia, pUre */
    } cases[] = {
        {"args", "PRJUW"}, {"result", "PRJUW"}, {"x", ""},      {"True", "P"},
        {"None", "P"},     {"match", ""},       {"TRUE", "R"},  {"NA_real_", "R"},
        {"T", ""},         {"for", "PRJ"},      {"end", "JU"},  {"module", "J"},
        {"in", "PR"},      {"infixl", "U"},     {"of", "U"},    {"if", "PRJU"},
        {"_x", "R"},       {"_", "RJU"},        {"__", "RJU"},  {"__debug__", "PR"},
        {"where", ""},     {"let", "JU"},       {"class", "P"}, {"map", "U"},
        {"datetime", "U"}, {"sum", ""},
    };
    static const char letters[] = "PRJUW";
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (unsigned k = 0; k < EXTFN_LANGUAGE_COUNT; k++) {
            bool is_reserved = strchr(cases[i].reserved, letters[k]) != NULL;
            assert_int_equal(xf_word_is_reserved((extfn_language)k, cases[i].word), is_reserved);
        }
    }
}

static void refused_names_are_told_with_the_reason(void **state)
{
    (void)state;
    extfn_error err = {0};
    char name[300] = {0};
    assert_int_equal(xf_argument_name_check(EXTFN_R, "x", &err), EXTFN_OK);
    assert_int_equal(xf_argument_name_check(EXTFN_R, "repeat", &err), EXTFN_EINVAL);
    assert_string_equal(err.message,
                        "argument 'repeat' is a word that R reserves; give it another name");
    assert_int_equal(xf_argument_name_check(EXTFN_R, "a.b", &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "argument 'a.b' is not an identifier");
    memset(name, 'x', sizeof(name) - 1);
    assert_int_equal(xf_argument_name_check(EXTFN_R, name, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "the name of an argument is longer than 255 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identifiers_are_ascii_words),
        cmocka_unit_test(each_language_keeps_its_own_words),
        cmocka_unit_test(refused_names_are_told_with_the_reason),
    };
    return cmocka_run_group_tests_name("identifier", tests, NULL, NULL);
}
