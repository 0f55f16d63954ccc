#include "base/auto.h"
#include "registry/function.h"
#include "support/oom.h"
#include "support/unit.h"

#include <stdio.h>
#include <string.h>

#define ADD                                                                                        \
    "{\"name\":\"add\",\"language\":\"Python\",\"body\":\"result = args[0] + args[1]\","           \
    "\"arg_types\":[\"Number\",\"Number\"],\"return_type\":\"Number\",\"pure\":true}"
#define FULL                                                                                       \
    "{\"name\":\"f\\u00e4\",\"language\":\"R\",\"body\":\"a\\nb\\u0000\\\"\","                     \
    "\"arg_types\":[\"Boolean\",\"Text\",\"DateTime\",\"Enum\"],\"return_type\":\"Text\","         \
    "\"pure\":true,\"arg_names\":[\"b\",\"t\",\"d\",\"e\"],\"vectorized\":true}"
#define START "{\"name\":\"f\",\"language\":\"R\",\"body\":\"\",\"return_type\":\"Text\","

static extfn_function *parse(const char *json)
{
    extfn_function *function = NULL;
    extfn_error err = {0};
    assert_int_equal(extfn_function_from_json(json, strlen(json), &function, &err), EXTFN_OK);
    return function;
}

static void a_written_descriptor_reads_back_as_itself(void **state)
{
    (void)state;
    static const char *const texts[] = {ADD, FULL};
    for (size_t i = 0; i < 2; i++) {
        extfn_function *function = parse(texts[i]);
        char *json = NULL;
        assert_int_equal(extfn_function_to_json(function, &json, NULL), EXTFN_OK);
        extfn_function *again = parse(json);
        assert_true(xf_function_is_equal(function, again));
        if (i == 0)
            assert_string_equal(json, ADD);
        extfn_text_free(json);
        extfn_function_unref(again);
        extfn_function_unref(function);
    }
}

static void every_member_is_read(void **state)
{
    (void)state;
    extfn_function *function = parse(FULL);
    size_t size = 0;
    assert_string_equal(extfn_function_name(function), "f\xc3\xa4");
    assert_int_equal(extfn_function_language(function), EXTFN_R);
    assert_memory_equal(extfn_function_body(function, &size), "a\nb\0\"", 5);
    assert_int_equal(size, 5);
    assert_int_equal(extfn_function_arg_type(function, 3), EXTFN_ENUM);
    assert_string_equal(extfn_function_arg_name(function, 2), "d");
    assert_true(extfn_function_is_vectorized(function));
    extfn_function_unref(function);
}

static void members_come_in_any_order(void **state)
{
    (void)state;
    extfn_function *function = parse(
        " {\"arg_names\": [\"x\"], \"pure\": false, \"arg_types\": [\"Number\"], "
        "\"return_type\": \"Number\", \"body\": \"\", \"name\": \"f\", \"language\": \"R\"} ");
    assert_string_equal(extfn_function_arg_name(function, 0), "x");
    assert_false(extfn_function_is_pure(function));
    extfn_function_unref(function);
}

static void wrong_descriptors_are_refused_with_the_member(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"{}", "member 'name' is missing"},
        {START "\"arg_types\":[]}", "member 'pure' is missing"},
        {START "\"arg_types\":[],\"bodi\":1}", "unknown member 'bodi'"},
        {START "\"arg_types\":[],\"pure\":true,\"pure\":true}", "member 'pure' stands twice"},
        {START "\"arg_types\":[],\"pure\":1}", "member 'pure': expected boolean, got number"},
        {START "\"arg_types\":[],\"pure\":null}", "member 'pure': expected boolean, got null"},
        {START "\"arg_types\":\"Number\",\"pure\":true}",
         "member 'arg_types': expected array, got string"},
        {START "\"arg_types\":[1],\"pure\":true}",
         "member 'arg_types': expected strings, got number"},
        {START "\"arg_types\":[\"number\"],\"pure\":true}",
         "member 'arg_types': unknown type 'number'; one of Number, Boolean, Text, DateTime, Enum"},
        {START "\"arg_types\":[\"Error\"],\"pure\":true}",
         "member 'arg_types': unknown type 'Error'; one of Number, Boolean, Text, DateTime, Enum"},
        {START "\"arg_types\":[\"Text\"],\"pure\":true,\"arg_names\":[]}",
         "member 'arg_names': expected 1 names, got 0"},
        {START "\"arg_types\":[\"Text\"],\"pure\":true,\"arg_names\":[\"a\\u0000b\"]}",
         "member 'arg_names': a name cannot hold U+0000"},
        {START "\"arg_types\":[\"Text\"],\"pure\":true,\"arg_names\":[\"function\"]}",
         "argument 'function' is a word that R reserves; give it another name"},
        {START "\"arg_types\":[],\"pure\":false,\"vectorized\":true}",
         "member 'vectorized': a vectorized function is pure"},
        {"{\"name\":\"f\",\"language\":\"r\",\"body\":\"\",\"arg_types\":[],"
         "\"return_type\":\"Text\",\"pure\":true}",
         "member 'language': unknown language 'r'; one of Python, R, Julia, Pure, Wasm"},
        {"{\"name\":\"\",\"language\":\"R\",\"body\":\"\",\"arg_types\":[],"
         "\"return_type\":\"Text\",\"pure\":true}",
         "a function needs a name"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        extfn_function *function = NULL;
        extfn_error err = {0};
        assert_int_equal(extfn_function_from_json(cases[i].json, strlen(cases[i].json), &function,
                                                  &err),
                         EXTFN_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        assert_null(function);
    }
}

static void broken_json_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "[", "null", "{\"name\"", ADD "x", ADD ADD, "{\"a\":}"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        extfn_function *function = NULL;
        assert_int_equal(extfn_function_from_json(texts[i], strlen(texts[i]), &function, NULL),
                         EXTFN_EINVAL);
    }
}

static void more_than_64_arguments_are_refused(void **state)
{
    (void)state;
    char json[1024] = START "\"pure\":true,\"arg_types\":[";
    size_t size = strlen(json);
    for (int i = 0; i < 65; i++)
        size += (size_t)snprintf(json + size, sizeof(json) - size, "%s\"Text\"", i ? "," : "");
    (void)snprintf(json + size, sizeof(json) - size, "]}");
    extfn_function *function = NULL;
    extfn_error err = {0};
    assert_int_equal(extfn_function_from_json(json, strlen(json), &function, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "member 'arg_types': more than 64 elements");
}

static void a_body_that_is_not_utf8_has_no_json(void **state)
{
    (void)state;
    extfn_function_options options = {.struct_size = sizeof(options),
                                      .name = "f",
                                      .body = "\xff",
                                      .return_type = EXTFN_TEXT};
    extfn_function *function = NULL;
    char *json = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    assert_int_equal(extfn_function_to_json(function, &json, NULL), EXTFN_EINVAL);
    extfn_function_unref(function);
}

static void reading_and_writing_survive_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        extfn_function *function = NULL;
        char *json = NULL;
        status = extfn_function_from_json(FULL, strlen(FULL), &function, NULL);
        if (status == EXTFN_OK)
            status = extfn_function_to_json(function, &json, NULL);
        extfn_text_free(json);
        extfn_function_unref(function);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_descriptor_reads_back_as_itself),
        cmocka_unit_test(every_member_is_read),
        cmocka_unit_test(members_come_in_any_order),
        cmocka_unit_test(wrong_descriptors_are_refused_with_the_member),
        cmocka_unit_test(broken_json_is_refused),
        cmocka_unit_test(more_than_64_arguments_are_refused),
        cmocka_unit_test(a_body_that_is_not_utf8_has_no_json),
        cmocka_unit_test(reading_and_writing_survive_oom),
    };
    return cmocka_run_group_tests_name("function_json", tests, NULL, NULL);
}
