/* Records from and to JSON. SPDX-License-Identifier: MIT */
#include <extfn/record.h>

#include "support/oom.h"
#include "support/unit.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
    "{\"extfn_record\":1,\n \"version\":\"0.1.0\",\n \"platform\":\"Linux 6 x86_64\",\n "          \
    "\"interpreter\":\"/usr/bin/python3\",\n \"interpreter_version\":\"Python 3.11.2\",\n "        \
    "\"packages\":\"/a:/b\",\n \"policy\":\"restricted\",\n \"unsandboxed\":true"
#define LIMITS                                                                                     \
    ",\n \"limits\":{\"timeout_us\":5000000,\"start_timeout_us\":30000000,"                        \
    "\"memory_bytes\":1073741824,\"tmp_bytes\":67108864}"
#define FUNCTION                                                                                   \
    ",\n \"function\":{\"name\":\"f\",\"language\":\"Python\",\"body\":\"result = 1\","            \
    "\"arg_types\":[\"Number\",\"Text\",\"DateTime\"],\"return_type\":\"Number\",\"pure\":true}"
#define ARGS                                                                                       \
    ",\n \"args\":[-0.0,\"a\\u0000b\",{\"__improv__\":\"datetime\",\"value\":"                     \
    "\"2025-01-02T03:04:05Z\"},{\"__improv__\":\"number\",\"value\":\"NaN\"},"                     \
    "{\"__improv__\":\"enum\",\"value\":7},true]"
#define OUTCOME                                                                                    \
    ",\n \"outcome\":{\"kind\":\"Runtime\",\"message\":\"ValueError: nope (line 1)\","             \
    "\"stderr\":\"a\\u0000\\n\"}"
#define WHOLE HEAD LIMITS FUNCTION ARGS OUTCOME "}\n"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void what_is_written_is_read_and_written_again(void **state)
{
    (void)state;
    extfn_record record = {0};
    extfn_error err = {0};
    char *json = NULL;
    if (extfn_record_from_json(WHOLE, strlen(WHOLE), &record, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(record.arg_count, 6);
    assert_int_equal(record.args[4].type, EXTFN_ENUM);
    assert_int_equal(record.outcome.status, EXTFN_ERUNTIME);
    assert_string_equal(record.outcome.message, "ValueError: nope (line 1)");
    assert_int_equal(record.stderr_size, 3);
    assert_int_equal(record.timeout_us, 5000000);
    assert_int_equal(record.start_timeout_us, 30000000);
    assert_int_equal(record.memory_bytes, 1U << 30);
    assert_int_equal(record.tmp_bytes, 64U << 20);
    assert_string_equal(record.packages, "/a:/b");
    assert_true(record.is_unsandboxed);
    assert_int_equal(extfn_record_to_json(&record, &json, NULL), EXTFN_OK);
    assert_string_equal(json, WHOLE);
    extfn_text_free(json);
    extfn_record_clear(&record);
}

/* What is not known, and output that was not told, are left out. */
static void little_is_needed(void **state)
{
    (void)state;
    static const char least[] = "{\"extfn_record\":1,\n \"policy\":\"trusted\"" LIMITS FUNCTION
                                ",\n \"args\":[],\n \"outcome\":{\"kind\":\"Timeout\","
                                "\"message\":\"\"}}\n";
    extfn_record record = {0};
    char *json = NULL;
    assert_int_equal(extfn_record_from_json(least, strlen(least), &record, NULL), EXTFN_OK);
    assert_int_equal(record.policy, EXTFN_TRUSTED);
    assert_null(record.stderr_data);
    assert_null(record.interpreter);
    assert_int_equal(extfn_record_to_json(&record, &json, NULL), EXTFN_OK);
    assert_string_equal(json, least);
    extfn_text_free(json);
    extfn_record_clear(&record);
}

static void what_is_no_record_is_told(void **state)
{
    (void)state;
#define LIMIT(member) HEAD ",\"limits\":{" member "}" FUNCTION ARGS OUTCOME "}"
#define ONE_LIMIT(amount)                                                                          \
    LIMIT("\"timeout_us\":" amount ",\"start_timeout_us\":1,\"memory_bytes\":1,\"tmp_bytes\":1")
#define ENDS(outcome) HEAD LIMITS FUNCTION ARGS ",\"outcome\":{" outcome "}}"
    static const char *const cases[][2] = {
        {"", "invalid JSON at byte 0: expected an object, got the end"},
        {"{}", "member 'extfn_record' is missing"},
        {"{\"id\":1}", "unknown member 'id'"},
        {HEAD LIMITS FUNCTION ARGS "}", "member 'outcome' is missing"},
        {HEAD LIMITS FUNCTION OUTCOME "}", "member 'args' is missing"},
        {HEAD ",\"policy\":\"x\"" LIMITS FUNCTION ARGS OUTCOME "}", "member 'policy' stands twice"},
        {"{\"extfn_record\":2,\"policy\":\"x\"" LIMITS FUNCTION ARGS OUTCOME "}",
         "member 'extfn_record': not a whole number from 1 to 1"},
        {"{\"extfn_record\":1,\"policy\":\"x\"" LIMITS FUNCTION ARGS OUTCOME "}",
         "member 'policy': neither restricted nor trusted"},
        {"{\"extfn_record\":1,\"packages\":\"\\u0000\",\"policy\":\"trusted\"" LIMITS FUNCTION ARGS
             OUTCOME "}",
         "member 'packages' cannot hold U+0000"},
        {LIMIT("\"timeout_us\":1"), "member 'limits': member 'start_timeout_us' is missing"},
        {ONE_LIMIT("0"),
         "member 'limits': member 'timeout_us': not a whole number from 1 to 31536000000000"},
        {ONE_LIMIT("1.5"),
         "member 'limits': member 'timeout_us': not a whole number from 1 to 31536000000000"},
        {ONE_LIMIT("1e300"),
         "member 'limits': member 'timeout_us': not a whole number from 1 to 31536000000000"},
        {ENDS("\"kind\":\"Ok\",\"message\":\"\""),
         "member 'outcome': member 'kind': none of a failure"},
        {ENDS("\"kind\":\"Wrong\",\"message\":\"\""),
         "member 'outcome': member 'kind': none of a failure"},
        {ENDS("\"kind\":\"Runtime\""), "member 'outcome': member 'message' is missing"},
        {WHOLE "x", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        extfn_record record = {0};
        extfn_error err = {0};
        assert_int_equal(extfn_record_from_json(cases[i][0], strlen(cases[i][0]), &record, &err),
                         EXTFN_EINVAL);
        if (cases[i][1])
            assert_string_equal(err.message, cases[i][1]);
        assert_null(record.function);
    }
}

static void a_message_is_as_long_as_messages_are(void **state)
{
    (void)state;
    static char json[8192];
    for (int size = EXTFN_MESSAGE_SIZE - 1; size <= EXTFN_MESSAGE_SIZE; size++) {
        (void)snprintf(json, sizeof(json),
                       HEAD LIMITS FUNCTION ARGS
                       ",\"outcome\":{\"kind\":\"Runtime\",\"message\":\"%0*d\"}}",
                       size, 0);
        extfn_record record = {0};
        extfn_status status = extfn_record_from_json(json, strlen(json), &record, NULL);
        assert_int_equal(status, size < EXTFN_MESSAGE_SIZE ? EXTFN_OK : EXTFN_EINVAL);
        extfn_record_clear(&record);
    }
}

static void more_arguments_than_any_function_has_are_refused(void **state)
{
    (void)state;
    for (size_t count = EXTFN_ARGUMENT_LIMIT; count <= EXTFN_ARGUMENT_LIMIT + 1; count++) {
        char json[4096] = HEAD LIMITS FUNCTION ",\"args\":[1";
        for (size_t i = 1; i < count; i++)
            (void)strncat(json, ",1", sizeof(json) - strlen(json) - 1);
        (void)strncat(json, "]" OUTCOME "}", sizeof(json) - strlen(json) - 1);
        extfn_record record = {0};
        extfn_status status = extfn_record_from_json(json, strlen(json), &record, NULL);
        assert_int_equal(status, count == EXTFN_ARGUMENT_LIMIT ? EXTFN_OK : EXTFN_EINVAL);
        extfn_record_clear(&record);
    }
}

static void reading_and_writing_survive_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        extfn_record record = {0};
        char *json = NULL;
        status = extfn_record_from_json(WHOLE, strlen(WHOLE), &record, NULL);
        if (status == EXTFN_OK)
            status = extfn_record_to_json(&record, &json, NULL);
        extfn_text_free(json);
        extfn_record_clear(&record);
    });
}

/* Of a call in a language that is not here, which asks nobody. */
static void making_survives_oom(void **state)
{
    (void)state;
    extfn_record record = {0};
    extfn_host *host = NULL;
    extfn_column *column = NULL;
    const extfn_host_options options = {.struct_size = sizeof(options),
                                        .interpreters = {"/nonexistent/python"},
                                        .packages = {"/some/folder"}};
    assert_int_equal(extfn_host_new(&options, &host, NULL), EXTFN_OK);
    assert_int_equal(extfn_record_from_json(WHOLE, strlen(WHOLE), &record, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_new(EXTFN_TEXT, &column, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_text(column, "abc", 3, NULL), EXTFN_OK);
    const extfn_column *columns[] = {column};
    const extfn_error error = {.status = EXTFN_ERUNTIME, .message = "no UTF-8: \xff"};
    const extfn_failure failure = {.function = record.function,
                                   .columns = columns,
                                   .column_count = 1,
                                   .error = &error,
                                   .timeout_us = 7,
                                   .is_output_told = true,
                                   .stderr_data = "\xff",
                                   .stderr_size = 1};
    extfn_record made = {0};
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, status = extfn_record_make(host, &failure, &made, NULL));
    assert_string_equal(made.packages, "/some/folder");
    assert_string_equal(made.outcome.message, "no UTF-8: ?");
    assert_string_equal(made.stderr_data, "\xef\xbf\xbd");
    assert_int_equal(made.timeout_us, 7);
    extfn_record_clear(&made);
    extfn_record_clear(&record);
    extfn_column_free(column);
    extfn_host_free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_and_written_again),
        cmocka_unit_test(little_is_needed),
        cmocka_unit_test(what_is_no_record_is_told),
        cmocka_unit_test(a_message_is_as_long_as_messages_are),
        cmocka_unit_test(more_arguments_than_any_function_has_are_refused),
        cmocka_unit_test(reading_and_writing_survive_oom),
        cmocka_unit_test(making_survives_oom),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
