/* Examples in function files. SPDX-License-Identifier: MIT */
#include "cli/example.h"
#include "cli/library.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <string.h>

static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_TEXT, EXTFN_DATETIME};

static extfn_function *make_function(extfn_language language, const char *body, size_t arg_count)
{
    extfn_function_options options = {.struct_size = sizeof(options),
                                      .name = "f",
                                      .language = language,
                                      .body = body,
                                      .arg_types = types,
                                      .arg_count = arg_count,
                                      .return_type = EXTFN_TEXT};
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    return function;
}

/* Each example as LINE:TEXT; */
static void assert_found(extfn_language language, const char *body, const char *wanted)
{
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(language, body, 0);
    cli_example_cursor cursor = cli_example_start(function);
    CLI_AUTO(cli_buf_clear) cli_buf found = {0};
    extfn_error err = {0};
    const char *text = NULL;
    size_t size = 0;
    int64_t line = 0;
    assert_int_equal(cli_buf_append_text(&found, "", &err), EXTFN_OK);
    while (cli_example_next(&cursor, &text, &size, &line)) {
        const char number[] = {(char)('0' + line), ':', '\0'};
        assert_int_equal(cli_buf_append_text(&found, number, &err), EXTFN_OK);
        assert_int_equal(cli_buf_append(&found, text, size, &err), EXTFN_OK);
        assert_int_equal(cli_buf_append_text(&found, ";", &err), EXTFN_OK);
    }
    assert_string_equal(found.data, wanted);
}

static void examples_are_found_in_comments_of_the_language(void **state)
{
    (void)state;
    assert_found(EXTFN_PYTHON, "# extfn-example: a\nx = 1 # extfn-example: b\n  #extfn-example:c",
                 "1:a;3:c;");
    assert_found(EXTFN_R, "\xef\xbb\xbf# extfn-example: a \r\n#\textfn-example:\r\n", "1:a;2:;");
    assert_found(EXTFN_JULIA, "\n\n# extfn-example: a # b", "3:a # b;");
    assert_found(EXTFN_PURE, "// extfn-example: a\n# extfn-example: b", "1:a;");
    assert_found(EXTFN_WASM, "wat:;; extfn-example: a\n; extfn-example: b", "1:a;");
    assert_found(EXTFN_WASM, "a\n;; extfn-example: path", "");
    assert_found(EXTFN_PYTHON, "# extfn-examples: a\n# extfn: b\n", "");
}

static extfn_status parse(const char *text, cli_example *example, extfn_error *err)
{
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(EXTFN_PYTHON, "x", 3);
    return cli_example_parse(function, text, strlen(text), example, err);
}

static void values_are_read_by_their_types(void **state)
{
    (void)state;
    CLI_AUTO(cli_example_clear) cli_example example = {0};
    extfn_error err = {0};
    assert_int_equal(parse("f( -1.5e3 , \"a, \\\"b)\\u00fc\",1970-01-01T00:00:01Z ) =\"\\n\"",
                           &example, &err),
                     EXTFN_OK);
    assert_int_equal(example.argument_count, 3);
    assert_true(example.arguments[0].as.number == -1500);
    assert_string_equal(example.arguments[1].as.text.data, "a, \"b)\xc3\xbc");
    assert_int_equal(example.arguments[2].as.datetime, 1000000);
    assert_string_equal(example.expected.as.text.data, "\n");
    assert_int_equal(example.message.size, 0);
}

static void errors_are_a_part_of_the_message(void **state)
{
    (void)state;
    CLI_AUTO(cli_example_clear) cli_example example = {0};
    extfn_error err = {0};
    assert_int_equal(parse("f(1, \"\", 1970-01-01T00:00:01Z) = error:  no = \"x\"", &example, &err),
                     EXTFN_OK);
    assert_int_equal(example.expected.type, EXTFN_NONE);
    assert_string_equal(example.message.data, "no = \"x\"");
}

static void what_is_no_example_is_told(void **state)
{
    (void)state;
#define HOW "; an example is written NAME(ARGUMENT, ...) = RESULT"
#define DAY "1970-01-01T00:00:01Z"
    static const struct {
        const char *text;
        const char *message;
    } refusals[] = {
        {"", "'(' and the arguments is missing" HOW},
        {"f", "'(' and the arguments is missing" HOW},
        {"g(1)", "the function is named 'f', the example calls 'g'"},
        {"f(", "the function has 3 argument(s), the example 0"},
        {"f(1, \"a\")", "the function has 3 argument(s), the example 2"},
        {"f(1, \"a\", " DAY ", 2) = \"\"", "the function has 3 argument(s), the example more"},
        {"f(1, \"a\", " DAY, "')' is missing" HOW},
        {"f(1, \"a\", " DAY ")", "'=' and the result is missing" HOW},
        {"f(1, \"a\", " DAY ") =", " is no Text; a text is written in quotes"},
        {"f(1, \"a\", " DAY ") = \"a\" b", "'b' follows the result; remove it"},
        {"f(1, \"a\", " DAY ") = error: ", "no text follows 'error:'; write a part of the message"},
        {"f(1, a, " DAY ")", "a is no Text; a text is written in quotes"},
        {"f(1, \"a\\", "a quote is never closed"},
        {"f(one)", "'one' is no Number; it is written like 2.5"},
        {"f(1 \"a\")", "'1 \"a\"' is no Number; it is written like 2.5"},
        {"f(1, \"a\", monday)", "'monday' is no DateTime; it is written like 2025-01-02T03:04:05Z"},
    };
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        CLI_AUTO(cli_example_clear) cli_example example = {0};
        extfn_error err = {0};
        assert_int_equal(parse(refusals[i].text, &example, &err), EXTFN_EINVAL);
        assert_string_equal(err.message, refusals[i].message);
    }
}

static void reading_examples_survives_oom(void **state)
{
    (void)state;
    static const char text[] = "f(1, \"a\", " DAY ") = error: no";
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function(EXTFN_PYTHON, "x", 3);
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_example_clear) cli_example example = {0};
        extfn_error err = {0};
        status = cli_example_parse(function, text, sizeof(text) - 1, &example, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_found_in_comments_of_the_language),
        cmocka_unit_test(values_are_read_by_their_types),
        cmocka_unit_test(errors_are_a_part_of_the_message),
        cmocka_unit_test(what_is_no_example_is_told),
        cmocka_unit_test(reading_examples_survives_oom),
    };
    return cmocka_run_group_tests_name("cli/example", tests, NULL, NULL);
}
