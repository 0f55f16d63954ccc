/* Types and arguments of the command line. SPDX-License-Identifier: MIT */
#include "cli/arguments.h"
#include "cli/library.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <string.h>

static void types_are_read_in_any_case(void **state)
{
    (void)state;
    static const char *const words[] = {"number", "Boolean", "TEXT", "datetime", "Enum"};
    extfn_error err = {0};
    for (size_t i = 0; i < 5; i++) {
        extfn_type type = EXTFN_NONE;
        assert_int_equal(cli_type_parse(words[i], strlen(words[i]), &type, &err), EXTFN_OK);
        assert_int_equal(type, EXTFN_NUMBER + i);
    }
}

static void signatures_are_read(void **state)
{
    (void)state;
    cli_signature signature = {0};
    extfn_error err = {0};
    assert_int_equal(cli_signature_parse("number,Text->boolean", &signature, &err), EXTFN_OK);
    assert_int_equal(signature.arg_count, 2);
    assert_int_equal(signature.arg_types[0], EXTFN_NUMBER);
    assert_int_equal(signature.arg_types[1], EXTFN_TEXT);
    assert_int_equal(signature.return_type, EXTFN_BOOLEAN);

    assert_int_equal(cli_signature_parse("", &signature, &err), EXTFN_OK);
    assert_int_equal(signature.arg_count, 0);
    assert_int_equal(signature.return_type, EXTFN_NONE);
}

static void what_is_no_signature_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } refusals[] = {
        {"num", "type 'num' is unknown; there are number, boolean, text, datetime and enum"},
        {"error", "type 'error' is unknown; there are number, boolean, text, datetime and enum"},
        {"number,,text", "type '' is unknown; there are number, boolean, text, datetime and enum"},
        {"number,", "no type follows the last comma; remove it"},
        {"number->", "type '' is unknown; there are number, boolean, text, datetime and enum"},
        {" text", "type ' text' is unknown; there are number, boolean, text, datetime and enum"},
    };
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        cli_signature signature = {0};
        extfn_error err = {0};
        assert_int_equal(cli_signature_parse(refusals[i].text, &signature, &err), EXTFN_EINVAL);
        assert_string_equal(err.message, refusals[i].message);
    }
}

static void too_many_arguments_are_refused(void **state)
{
    (void)state;
    char text[(EXTFN_ARGUMENT_LIMIT + 1) * 5 + 1] = "";
    const char *words[EXTFN_ARGUMENT_LIMIT + 1];
    for (size_t i = 0; i <= EXTFN_ARGUMENT_LIMIT; i++) {
        memcpy(text + i * 5, "text,", 5);
        words[i] = "x";
    }
    text[sizeof(text) - 2] = '\0';
    cli_signature signature = {0};
    extfn_error err = {0};
    assert_int_equal(cli_signature_parse(text, &signature, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "more than 64 arguments; pass fewer");
    assert_int_equal(cli_signature_guess(words, EXTFN_ARGUMENT_LIMIT + 1, &signature, &err),
                     EXTFN_EINVAL);
    assert_int_equal(cli_signature_guess(words, EXTFN_ARGUMENT_LIMIT, &signature, &err), EXTFN_OK);
}

static void types_are_guessed_from_words(void **state)
{
    (void)state;
    static const char *const words[] = {"3", "-1e9", "NaN", "true", "false", "yes", "", "3x"};
    static const extfn_type types[] = {EXTFN_NUMBER,  EXTFN_NUMBER, EXTFN_NUMBER, EXTFN_BOOLEAN,
                                       EXTFN_BOOLEAN, EXTFN_TEXT,   EXTFN_TEXT,   EXTFN_TEXT};
    cli_signature signature = {0};
    extfn_error err = {0};
    assert_int_equal(cli_signature_guess(words, 8, &signature, &err), EXTFN_OK);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(signature.arg_types[i], types[i]);
}

static extfn_function *make_function(void)
{
    static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_TEXT};
    extfn_function_options options = {.struct_size = sizeof(options),
                                      .name = "f",
                                      .body = "result = 1",
                                      .arg_types = types,
                                      .arg_count = 2,
                                      .return_type = EXTFN_NUMBER};
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    return function;
}

static void arguments_are_read_by_the_declared_types(void **state)
{
    (void)state;
    static const char *const words[] = {"3", "4"};
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function();
    CLI_AUTO(cli_arguments_clear) cli_arguments arguments = {0};
    extfn_error err = {0};
    assert_int_equal(cli_arguments_read(function, words, 2, &arguments, &err), EXTFN_OK);
    assert_int_equal(arguments.values[0].type, EXTFN_NUMBER);
    assert_int_equal(arguments.values[1].type, EXTFN_TEXT);
    assert_string_equal(arguments.values[1].as.text.data, "4");
}

static void an_argument_that_does_not_fit_is_a_type_mismatch(void **state)
{
    (void)state;
    static const char *const words[] = {"three", "4"};
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function();
    CLI_AUTO(cli_arguments_clear) cli_arguments arguments = {0};
    extfn_error err = {0};
    assert_int_equal(cli_arguments_read(function, words, 2, &arguments, &err), EXTFN_ETYPE);
    static const char head[] = "function f: argument 0 type mismatch, expected Number, got Text; ";
    assert_memory_equal(err.message, head, sizeof(head) - 1);
}

static void a_wrong_count_is_left_to_the_call(void **state)
{
    (void)state;
    static const char *const words[] = {"three"};
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function();
    CLI_AUTO(cli_arguments_clear) cli_arguments arguments = {0};
    extfn_error err = {0};
    assert_int_equal(cli_arguments_read(function, words, 1, &arguments, &err), EXTFN_OK);
    assert_int_equal(arguments.count, 1);
    assert_int_equal(arguments.values[0].type, EXTFN_TEXT);
}

static void reading_survives_oom(void **state)
{
    (void)state;
    static const char *const words[] = {"3", "4"};
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function();
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_arguments_clear) cli_arguments arguments = {0};
        extfn_error err = {0};
        status = cli_arguments_read(function, words, 2, &arguments, &err);
    });
}

static void telling_the_form_survives_oom(void **state)
{
    (void)state;
    static const char *const words[] = {"3,5", "4"};
    CLI_AUTO(cli_function_clear) extfn_function *function = make_function();
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_arguments_clear) cli_arguments arguments = {0};
        extfn_error err = {0};
        status = cli_arguments_read(function, words, 2, &arguments, &err);
        status = status == EXTFN_ETYPE ? EXTFN_OK : status;
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_read_in_any_case),
        cmocka_unit_test(signatures_are_read),
        cmocka_unit_test(what_is_no_signature_is_refused),
        cmocka_unit_test(too_many_arguments_are_refused),
        cmocka_unit_test(types_are_guessed_from_words),
        cmocka_unit_test(arguments_are_read_by_the_declared_types),
        cmocka_unit_test(an_argument_that_does_not_fit_is_a_type_mismatch),
        cmocka_unit_test(a_wrong_count_is_left_to_the_call),
        cmocka_unit_test(reading_survives_oom),
        cmocka_unit_test(telling_the_form_survives_oom),
    };
    return cmocka_run_group_tests_name("cli/arguments", tests, NULL, NULL);
}
