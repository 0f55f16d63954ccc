#include "base/auto.h"
#include "registry/declaration.h"
#include "support/oom.h"
#include "support/unit.h"

#include <stdio.h>
#include <string.h>

static void assert_reads(const char *text, const char *leader, const char *name, int64_t line)
{
    XF_AUTO(xf_declaration_clear) xf_declaration declaration = {0};
    extfn_error err = {0};
    int64_t found = 0;
    extfn_status status =
        xf_declaration_read(text, strlen(text), leader, &declaration, &found, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, EXTFN_OK);
    assert_string_equal(declaration.name, name);
    assert_int_equal(found, line);
}

static void assert_fails(const char *text, size_t size, int64_t line, const char *message)
{
    XF_AUTO(xf_declaration_clear) xf_declaration declaration = {0};
    extfn_error err = {0};
    int64_t found = 0;
    assert_int_equal(xf_declaration_read(text, size, "#", &declaration, &found, &err),
                     EXTFN_EINVAL);
    assert_string_equal(err.message, message);
    assert_int_equal(found, line);
}

static void all_parts_are_read(void **state)
{
    (void)state;
    static const char text[] = "# extfn: pick(a: number, b: boolean,c:text , d :datetime,e: enum) "
                               "-> text  vectorized\nresult = c\n";
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    XF_AUTO(xf_declaration_clear) xf_declaration declaration = {0};
    int64_t line = 0;
    assert_int_equal(xf_declaration_read(text, strlen(text), "#", &declaration, &line, NULL),
                     EXTFN_OK);
    assert_string_equal(declaration.name, "pick");
    assert_int_equal(declaration.arg_count, 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_string_equal(declaration.arg_names[i], names[i]);
        assert_int_equal(declaration.arg_types[i], EXTFN_NUMBER + i);
    }
    assert_int_equal(declaration.return_type, EXTFN_TEXT);
    assert_true(declaration.is_vectorized);
    assert_false(declaration.is_impure);
}

static void the_line_is_found_wherever_it_stands(void **state)
{
    (void)state;
    assert_reads("#extfn:f()->text", "#", "f", 1);
    assert_reads("\xef\xbb\xbf# extfn: f() -> text\r\nx\r\n", "#", "f", 1);
    assert_reads("#!/usr/bin/python3\n# vim: ts=4\n\n  #\textfn: f( )\t->\ttext impure \n", "#",
                 "f", 4);
    assert_reads("x = 1 # extfn: g() -> text\n# extfn: f() -> text\n# extfn: h()\n", "#", "f", 2);
    assert_reads("// extfn: f() -> text", "//", "f", 1);
    assert_reads("(module)\n;; extfn: f() -> text", ";;", "f", 2);
    assert_reads("\r\n\r\n# extfn: f() -> text\r\n", "#", "f", 3);
}

static void files_without_the_line_are_told_how_it_looks(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "\n",
                                        "# hello\nresult = 1",
                                        "## extfn: f() -> text",
                                        "# extfn f() -> text",
                                        "x # extfn: f() -> text",
                                        "#"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_fails(texts[i], strlen(texts[i]), 1,
                     "no declaration; write '# extfn: NAME(ARGUMENT: TYPE, ...) -> TYPE'");
}

static void bad_lines_say_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "the declaration ends where the name of the function should stand"},
        {"()", "expected the name of the function before '()'"},
        {"9f() -> text", "'9f' is not an identifier"},
        {"f-g() -> text", "expected '(' and the arguments before '-g() -> text'"},
        {"f", "the declaration ends where '(' and the arguments should stand"},
        {"f(", "the declaration ends where the name of an argument should stand"},
        {"f(x", "the declaration ends where ':' and a type should stand"},
        {"f(x)", "expected ':' and a type before ')'"},
        {"f(x:)", "expected a type before ')'"},
        {"f(x: numbr) -> text",
         "unknown type 'numbr'; one of number, boolean, text, datetime, enum"},
        {"f(x: Numb) -> text", "unknown type 'Numb'; one of number, boolean, text, datetime, enum"},
        {"f(x: text", "the declaration ends where ',' or ')' should stand"},
        {"f(x: text y)", "expected ',' or ')' before 'y)'"},
        {"f(x: text,) -> text", "expected the name of an argument before ') -> text'"},
        {"f(,) -> text", "expected the name of an argument before ',) -> text'"},
        {"f() text", "expected '->' and the type of the result before 'text'"},
        {"f()", "the declaration ends where '->' and the type of the result should stand"},
        {"f() ->", "the declaration ends where a type should stand"},
        {"f() -> text pure", "unknown word 'pure'; one of impure, vectorized"},
        {"f() -> text impure impure", "'impure' stands twice"},
        {"f() -> text vectorized impure", "a function cannot be both impure and vectorized"},
        {"f() -> text, impure", "expected 'impure' or 'vectorized' before ', impure'"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[200];
        int size = snprintf(text, sizeof(text), "\n# extfn: %s\n", cases[i].text);
        assert_fails(text, (size_t)size, 2, cases[i].message);
    }
}

static void lines_of_other_bytes_are_refused(void **state)
{
    (void)state;
    static const char nul[] = "# extfn: f\0() -> text";
    static const char latin[] = "# extfn: f\xe4() -> text";
    static const char bell[] = "# extfn: f\a() -> text";
    assert_fails(nul, sizeof(nul) - 1, 1, "the declaration is not plain text");
    assert_fails(latin, sizeof(latin) - 1, 1, "the declaration is not plain text");
    assert_fails(bell, sizeof(bell) - 1, 1, "the declaration is not plain text");
}

static void arguments_are_counted(void **state)
{
    (void)state;
    for (int count = 64; count <= 65; count++) {
        char text[2000] = "# extfn: f(";
        size_t size = strlen(text);
        for (int i = 0; i < count; i++)
            size +=
                (size_t)snprintf(text + size, sizeof(text) - size, "%sa%d: text", i ? "," : "", i);
        size += (size_t)snprintf(text + size, sizeof(text) - size, ") -> text");
        if (count == 64)
            assert_reads(text, "#", "f", 1);
        else
            assert_fails(text, size, 1, "more than 64 arguments");
    }
}

static void reading_survives_oom(void **state)
{
    (void)state;
    static const char text[] = "# extfn: f(x: text) -> text";
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_declaration_clear) xf_declaration declaration = {0};
        int64_t line = 0;
        status = xf_declaration_read(text, strlen(text), "#", &declaration, &line, NULL);
    });
}

static void types_may_be_spelled_as_in_descriptors(void **state)
{
    (void)state;
    static const char text[] = "# extfn: f(a: Number, b: DateTime, c: TEXT) -> Boolean";
    XF_AUTO(xf_declaration_clear) xf_declaration declaration = {0};
    int64_t line = 0;
    assert_int_equal(xf_declaration_read(text, sizeof(text) - 1, "#", &declaration, &line, NULL),
                     EXTFN_OK);
    assert_int_equal(declaration.arg_types[0], EXTFN_NUMBER);
    assert_int_equal(declaration.arg_types[1], EXTFN_DATETIME);
    assert_int_equal(declaration.arg_types[2], EXTFN_TEXT);
    assert_int_equal(declaration.return_type, EXTFN_BOOLEAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_may_be_spelled_as_in_descriptors),
        cmocka_unit_test(all_parts_are_read),
        cmocka_unit_test(the_line_is_found_wherever_it_stands),
        cmocka_unit_test(files_without_the_line_are_told_how_it_looks),
        cmocka_unit_test(bad_lines_say_what_is_wrong),
        cmocka_unit_test(lines_of_other_bytes_are_refused),
        cmocka_unit_test(arguments_are_counted),
        cmocka_unit_test(reading_survives_oom),
    };
    return cmocka_run_group_tests_name("declaration", tests, NULL, NULL);
}
