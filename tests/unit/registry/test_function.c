#include "base/auto.h"
#include "registry/function.h"
#include "support/oom.h"
#include "support/unit.h"

#include <string.h>

static const extfn_type two_numbers[] = {EXTFN_NUMBER, EXTFN_NUMBER};
static const char *const x_and_y[] = {"x", "y"};

static extfn_function_options add_options(void)
{
    return (extfn_function_options){
        .struct_size = sizeof(extfn_function_options),
        .name = "add",
        .language = EXTFN_PYTHON,
        .body = "result = x + y",
        .arg_types = two_numbers,
        .arg_names = x_and_y,
        .arg_count = 2,
        .return_type = EXTFN_NUMBER,
        .is_pure = true,
        .source_path = "lib/add.py",
    };
}

static extfn_function *make(const extfn_function_options *options)
{
    extfn_function *function = NULL;
    extfn_error err = {0};
    assert_int_equal(extfn_function_new(options, &function, &err), EXTFN_OK);
    return function;
}

static void assert_refused(const extfn_function_options *options, const char *message)
{
    extfn_function *function = NULL;
    extfn_error err = {0};
    assert_int_equal(extfn_function_new(options, &function, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, message);
    assert_null(function);
}

static void a_function_says_what_it_was_made_of(void **state)
{
    (void)state;
    extfn_function_options options = add_options();
    extfn_function *function = make(&options);
    size_t size = 0;
    assert_string_equal(extfn_function_name(function), "add");
    assert_int_equal(extfn_function_language(function), EXTFN_PYTHON);
    assert_string_equal(extfn_function_body(function, &size), "result = x + y");
    assert_int_equal(size, strlen("result = x + y"));
    assert_int_equal(extfn_function_arity(function), 2);
    assert_int_equal(extfn_function_arg_type(function, 1), EXTFN_NUMBER);
    assert_int_equal(extfn_function_arg_type(function, 2), EXTFN_NONE);
    assert_string_equal(extfn_function_arg_name(function, 1), "y");
    assert_null(extfn_function_arg_name(function, 2));
    assert_int_equal(extfn_function_return_type(function), EXTFN_NUMBER);
    assert_true(extfn_function_is_pure(function));
    assert_false(extfn_function_is_vectorized(function));
    assert_string_equal(extfn_function_source_path(function), "lib/add.py");
    extfn_function_unref(function);
}

static void nothing_of_the_options_is_borrowed(void **state)
{
    (void)state;
    extfn_function_options options = add_options();
    char name[] = "add";
    options.name = name;
    extfn_function *function = make(&options);
    name[0] = 'b';
    assert_string_equal(extfn_function_name(function), "add");
    extfn_function_unref(function);
}

static void a_body_may_hold_nul_bytes(void **state)
{
    (void)state;
    extfn_function_options options = add_options();
    options.body = "a\0b";
    options.body_size = 3;
    extfn_function *function = make(&options);
    size_t size = 0;
    assert_memory_equal(extfn_function_body(function, &size), "a\0b", 4);
    assert_int_equal(size, 3);
    extfn_function_unref(function);
}

static void an_empty_body_and_no_arguments_are_fine(void **state)
{
    (void)state;
    extfn_function_options options = {.struct_size = sizeof(options),
                                      .name = "f",
                                      .body = "",
                                      .return_type = EXTFN_TEXT};
    extfn_function *function = make(&options);
    assert_int_equal(extfn_function_arity(function), 0);
    assert_false(extfn_function_is_pure(function));
    extfn_function_unref(function);
}

static void vectorized_implies_pure(void **state)
{
    (void)state;
    extfn_function_options options = add_options();
    options.is_pure = false;
    options.is_vectorized = true;
    extfn_function *function = make(&options);
    assert_true(extfn_function_is_pure(function));
    extfn_function_unref(function);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const extfn_type error_type[] = {EXTFN_ERROR, EXTFN_NUMBER};
    static const char *const twice[] = {"x", "x"};
    static const char *const missing[] = {"x", NULL};
    static const char *const reserved[] = {"x", "lambda"};
    char long_name[XF_NAME_LIMIT + 2] = {0};
    memset(long_name, 'n', sizeof(long_name) - 1);
    extfn_function_options good = add_options();
    extfn_function_options bad = good;
    assert_refused(NULL, "the options of a function are of an unknown size");
    bad.struct_size = 8;
    assert_refused(&bad, "the options of a function are of an unknown size");
    bad = good;
    bad.name = "";
    assert_refused(&bad, "a function needs a name");
    bad = good;
    bad.name = long_name;
    assert_refused(&bad, "the name of a function is longer than 255 bytes");
    bad = good;
    bad.name = "\xff";
    assert_refused(&bad, "the name of a function is not UTF-8");
    bad = good;
    bad.language = (extfn_language)5;
    assert_refused(&bad, "language 5 is unknown");
    bad = good;
    bad.body = NULL;
    assert_refused(&bad, "a function needs a body");
    bad = good;
    bad.body_size = XF_BODY_LIMIT + 1;
    assert_refused(&bad, "the body is over the limit of 16 MiB");
    bad = good;
    bad.arg_count = 65;
    assert_refused(&bad, "65 arguments are over the limit of 64");
    bad = good;
    bad.arg_types = NULL;
    assert_refused(&bad, "the arguments have no types");
    bad = good;
    bad.arg_types = error_type;
    assert_refused(&bad, "type 6 is none that an argument may have");
    bad = good;
    bad.return_type = EXTFN_NONE;
    assert_refused(&bad, "type 0 is none that a result may have");
    bad = good;
    bad.arg_names = twice;
    assert_refused(&bad, "two arguments have the name 'x'");
    bad = good;
    bad.arg_names = missing;
    assert_refused(&bad, "argument 1 has no name");
    bad = good;
    bad.arg_names = reserved;
    assert_refused(&bad, "argument 'lambda' is a word that Python reserves; give it another name");
}

static void signatures_read_like_declarations(void **state)
{
    (void)state;
    extfn_function_options options = add_options();
    struct {
        const char *const *names;
        size_t count;
        bool is_pure, is_vectorized;
        const char *text;
    } cases[] = {
        {x_and_y, 2, true, false, "add(x: number, y: number) -> number"},
        {NULL, 2, true, false, "add(number, number) -> number"},
        {NULL, 0, false, false, "add() -> number impure"},
        {x_and_y, 1, true, true, "add(x: number) -> number vectorized"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        options.arg_names = cases[i].names;
        options.arg_count = cases[i].count;
        options.is_pure = cases[i].is_pure;
        options.is_vectorized = cases[i].is_vectorized;
        extfn_function *function = make(&options);
        char *text = NULL;
        assert_int_equal(extfn_function_signature(function, &text, NULL), EXTFN_OK);
        assert_string_equal(text, cases[i].text);
        extfn_text_free(text);
        extfn_function_unref(function);
    }
}

static void equality_counts_all_but_the_path(void **state)
{
    (void)state;
    static const extfn_type other_types[] = {EXTFN_NUMBER, EXTFN_TEXT};
    static const char *const other_names[] = {"x", "z"};
    extfn_function_options good = add_options();
    extfn_function *function = make(&good);
    extfn_function_options options[9];
    for (size_t i = 0; i < 9; i++)
        options[i] = good;
    options[0].source_path = NULL;
    options[1].name = "sub";
    options[2].language = EXTFN_JULIA;
    options[3].body = "result = x - y";
    options[4].arg_types = other_types;
    options[5].arg_names = other_names;
    options[6].arg_names = NULL;
    options[7].return_type = EXTFN_TEXT;
    options[8].is_pure = false;
    for (size_t i = 0; i < 9; i++) {
        extfn_function *other = make(&options[i]);
        assert_int_equal(xf_function_is_equal(function, other), i == 0);
        assert_int_equal(function->hash == other->hash, i == 0);
        /* Not by the hash alone. */
        other->hash = function->hash;
        assert_int_equal(xf_function_is_equal(function, other), i == 0);
        extfn_function_unref(other);
    }
    extfn_function_unref(function);
}

static void checks_of_a_call_speak_the_contracts_words(void **state)
{
    (void)state;
    extfn_function_options options = add_options();
    extfn_function *function = make(&options);
    extfn_error err = {0};
    assert_int_equal(xf_function_fail_arity(function, 1, &err), EXTFN_EARITY);
    assert_string_equal(err.message, "function add: expected 2 argument(s), got 1");
    assert_int_equal(xf_function_fail_type(function, 1, "Text", &err), EXTFN_ETYPE);
    assert_string_equal(err.message,
                        "function add: argument 1 type mismatch, expected Number, got Text");
    extfn_function_unref(function);
}

static void languages_have_two_words(void **state)
{
    (void)state;
    extfn_language language = EXTFN_PYTHON;
    extfn_error err = {0};
    assert_int_equal(extfn_language_parse("R", &language, NULL), EXTFN_OK);
    assert_int_equal(language, EXTFN_R);
    assert_int_equal(extfn_language_parse("julia", &language, NULL), EXTFN_OK);
    assert_int_equal(language, EXTFN_JULIA);
    assert_int_equal(extfn_language_parse("PYTHON", &language, &err), EXTFN_EINVAL);
    assert_string_equal(err.message,
                        "unknown language 'PYTHON'; one of Python, R, Julia, Pure, Wasm");
    assert_string_equal(extfn_language_text(EXTFN_WASM), "Wasm");
    assert_string_equal(extfn_language_text((extfn_language)77), "unknown");
}

static void making_survives_oom(void **state)
{
    (void)state;
    extfn_function_options options = add_options();
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        extfn_function *function = NULL;
        char *text = NULL;
        status = extfn_function_new(&options, &function, NULL);
        if (status == EXTFN_OK)
            status = extfn_function_signature(function, &text, NULL);
        extfn_text_free(text);
        extfn_function_unref(function);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_says_what_it_was_made_of),
        cmocka_unit_test(nothing_of_the_options_is_borrowed),
        cmocka_unit_test(a_body_may_hold_nul_bytes),
        cmocka_unit_test(an_empty_body_and_no_arguments_are_fine),
        cmocka_unit_test(vectorized_implies_pure),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(signatures_read_like_declarations),
        cmocka_unit_test(equality_counts_all_but_the_path),
        cmocka_unit_test(checks_of_a_call_speak_the_contracts_words),
        cmocka_unit_test(languages_have_two_words),
        cmocka_unit_test(making_survives_oom),
    };
    return cmocka_run_group_tests_name("function", tests, NULL, NULL);
}
