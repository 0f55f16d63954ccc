#include "unit/rpc/support.h"

static void single_requests_are_answered(void **state)
{
    (void)state;
    static const case_of_rpc cases[] = {
        {"{\"id\":1,\"call\":\"add\",\"args\":[2,3]}", "{\"id\":1,\"ok\":5.0}"},
        {"{\"args\":[2,3],\"fn\":" ADD ",\"id\":1}", "{\"id\":1,\"ok\":5.0}"},
        {"{\"id\":1,\"call\":\"answer\",\"args\":[]}", "{\"id\":1,\"ok\":42.0}"},
        {"{\"id\":1,\"call\":\"text\",\"args\":[\"\\u00e4\\n\"]}",
         "{\"id\":1,\"ok\":\"\xc3\xa4\\n\"}"},
        {"{\"id\":1,\"call\":\"boolean\",\"args\":[true]}", "{\"id\":1,\"ok\":true}"},
        {"{\"id\":1,\"call\":\"enum\",\"args\":[7]}",
         "{\"id\":1,\"ok\":{\"__improv__\":\"enum\",\"value\":7}}"},
        {"{\"id\":1,\"call\":\"number\",\"args\":[{\"__improv__\":\"number\",\"value\":\"NaN\"}]}",
         "{\"id\":1,\"ok\":{\"__improv__\":\"number\",\"value\":\"NaN\"}}"},
        {"{\"id\":1,\"call\":\"datetime\",\"args\":[\"2025-01-02T03:04:05+01:00\"]}",
         "{\"id\":1,\"ok\":{\"__improv__\":\"datetime\",\"value\":\"2025-01-02T02:04:05Z\"}}"},
    };
    ASSERT_REPLIES(cases);
}

static void batches_are_answered_row_by_row(void **state)
{
    (void)state;
    static const case_of_rpc cases[] = {
        {"{\"id\":1,\"call\":\"add\",\"columns\":[[3,6],[4,8]]}", "{\"id\":1,\"rows\":[7.0,14.0]}"},
        {"{\"id\":1,\"call\":\"add\",\"columns\":[[],[]]}", "{\"id\":1,\"rows\":[]}"},
        {"{\"id\":1,\"call\":\"answer\",\"columns\":[],\"rows\":3}",
         "{\"id\":1,\"rows\":[42.0,42.0,42.0]}"},
        {"{\"id\":1,\"rows\":0,\"columns\":[],\"call\":\"answer\"}", "{\"id\":1,\"rows\":[]}"},
        {"{\"id\":1,\"call\":\"number\",\"columns\":[[1,null]]}",
         "{\"id\":1,\"rows\":[1.0,{\"__improv__\":\"error\",\"kind\":\"missing_input\","
         "\"message\":\"missing input: argument 0\"}]}"},
        {"{\"id\":1,\"call\":\"text\",\"columns\":[[\"a\","
         "{\"__improv__\":\"error\",\"kind\":\"custom\",\"message\":\"m\"}]]}",
         "{\"id\":1,\"rows\":[\"a\",{\"__improv__\":\"error\",\"kind\":\"custom\","
         "\"message\":\"m\"}]}"},
    };
    ASSERT_REPLIES(cases);
}

static void ids_come_back_as_they_stood(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "1",  "1.50e+3", "\"\\u0061b\"", "null", "[1, {\"a\": 2}]",
        "-0", "true",    "{}",           "\"\"", "12345678901234567890"};
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        extfn_host host = {0};
        char line[200];
        char reply[200];
        (void)snprintf(line, sizeof(line), "{\"call\":\"answer\",\"args\":[],\"id\": %s }", ids[i]);
        (void)snprintf(reply, sizeof(reply), "{\"id\":%s,\"ok\":42.0}", ids[i]);
        assert_reply(&host, NULL, line, reply);
    }
}

static void a_reply_is_one_line_whatever_the_id(void **state)
{
    (void)state;
    extfn_host host = {0};
    assert_reply(&host, NULL, "{\"id\":[1,\r\n2],\n\"call\":\"answer\",\"args\":[]}",
                 "{\"id\":[1,  2],\"ok\":42.0}");
}

static void a_request_without_an_id_is_answered_with_null(void **state)
{
    (void)state;
    extfn_host host = {0};
    assert_reply(&host, NULL, "{\"call\":\"answer\",\"args\":[]}", "{\"id\":null,\"ok\":42.0}");
}

#define ERROR(kind, message)                                                                       \
    "{\"id\":1,\"error\":{\"kind\":\"" kind "\",\"message\":\"" message "\"}}"

static void counts_and_types_are_checked_in_the_contracts_order(void **state)
{
    (void)state;
    static const case_of_rpc cases[] = {
        {"{\"id\":1,\"call\":\"nope\",\"args\":[1]}",
         ERROR("NotFound", "external function not found: nope")},
        {"{\"id\":1,\"call\":\"add\",\"args\":[\"a\"]}",
         ERROR("ArityMismatch", "function add: expected 2 argument(s), got 1")},
        {"{\"id\":1,\"call\":\"add\",\"args\":[1,2,null,[]]}",
         ERROR("ArityMismatch", "function add: expected 2 argument(s), got 4")},
        {"{\"id\":1,\"call\":\"add\",\"columns\":[[1]]}",
         ERROR("ArityMismatch", "function add: expected 2 argument(s), got 1")},
        {"{\"id\":1,\"call\":\"add\",\"args\":[1,\"a\"]}",
         ERROR("TypeMismatch",
               "function add: argument 1 type mismatch, expected Number, got Text")},
        {"{\"id\":1,\"call\":\"add\",\"args\":[true,\"a\"]}",
         ERROR("TypeMismatch",
               "function add: argument 0 type mismatch, expected Number, got Boolean")},
        {"{\"id\":1,\"call\":\"text\",\"args\":[1]}",
         ERROR("TypeMismatch",
               "function text: argument 0 type mismatch, expected Text, got Number")},
        {"{\"id\":1,\"call\":\"text\",\"args\":[null]}",
         ERROR("TypeMismatch", "function text: argument 0 type mismatch, expected Text, got null")},
        {"{\"id\":1,\"call\":\"text\",\"args\":[[]]}",
         ERROR("TypeMismatch",
               "function text: argument 0 type mismatch, expected Text, got array")},
        {"{\"id\":1,\"call\":\"text\",\"args\":[{\"a\":1}]}",
         ERROR("TypeMismatch",
               "function text: argument 0 type mismatch, expected Text, got object")},
        {"{\"id\":1,\"call\":\"text\",\"args\":[{\"__improv__\":\"enum\",\"value\":7}]}",
         ERROR("TypeMismatch", "function text: argument 0 type mismatch, expected Text, got Enum")},
        {"{\"id\":1,\"call\":\"text\",\"args\":[{\"__improv__\":\"error\",\"kind\":\"custom\","
         "\"message\":\"m\"}]}",
         ERROR("TypeMismatch",
               "function text: argument 0 type mismatch, expected Text, got Error")},
        {"{\"id\":1,\"call\":\"datetime\",\"args\":[1]}",
         ERROR("TypeMismatch",
               "function datetime: argument 0 type mismatch, expected DateTime, got Number")},
        {"{\"id\":1,\"call\":\"add\",\"columns\":[[1,null],[2,\"a\"]]}",
         ERROR("TypeMismatch",
               "function add: argument 1 type mismatch, expected Number, got Text")},
        {"{\"id\":1,\"call\":\"add\",\"columns\":[[1],[2,3]]}",
         ERROR("InvalidArgument", "function add: argument 1 has 2 rows, argument 0 has 1")},
    };
    ASSERT_REPLIES(cases);
}

static void malformed_values_are_told_from_other_types(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"id\":1,\"call\":\"datetime\",\"args\":[\"2025\"]}",
        "{\"id\":1,\"call\":\"enum\",\"args\":[-1]}",
        "{\"id\":1,\"call\":\"number\",\"args\":[1e999]}",
        "{\"id\":1,\"call\":\"number\",\"args\":[{\"__improv__\":\"number\",\"value\":\"x\"}]}",
        "{\"id\":1,\"call\":\"enum\",\"columns\":[[1,2,7.5]]}",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        extfn_registry *registry = make_functions();
        extfn_host host = {0};
        char *reply = NULL;
        size_t size = 0;
        assert_int_equal(extfn_rpc_answer(&host, registry, lines[i], strlen(lines[i]), NULL, &reply,
                                          &size, NULL),
                         EXTFN_OK);
        assert_non_null(strstr(reply, "\"kind\":\"InvalidArgument\""));
        assert_non_null(strstr(reply, ": argument 0: "));
        assert_int_equal(host.calls, 0);
        extfn_text_free(reply);
        extfn_registry_free(registry);
    }
}

static void failures_carry_their_kind_and_what_was_printed(void **state)
{
    (void)state;
    extfn_host host = {.status = EXTFN_ETIMEOUT,
                       .message = "function timed out after 2s",
                       .stdout_text = "so far\n",
                       .stderr_text = "\xff!"};
    assert_reply(&host, NULL, "{\"id\":1,\"call\":\"answer\",\"args\":[]}",
                 "{\"id\":1,\"error\":{\"kind\":\"Timeout\",\"message\":\"function timed out after "
                 "2s\"},\"stdout\":\"so far\\n\",\"stderr\":\"\xef\xbf\xbd!\"}");
    host = (extfn_host){.stdout_text = "hello", .is_unsandboxed = true};
    assert_reply(&host, NULL, "{\"id\":1,\"call\":\"answer\",\"columns\":[],\"rows\":1}",
                 "{\"id\":1,\"rows\":[42.0],\"stdout\":\"hello\",\"unsandboxed\":true}");
}

static void the_nearest_time_limit_counts(void **state)
{
    (void)state;
    static const char call[] = "{\"id\":1,\"call\":\"answer\",\"args\":[]}";
    static const char inline_call[] = "{\"id\":1,\"fn\":" ANSWER ",\"args\":[]}";
    static const char reply[] = "{\"id\":1,\"ok\":42.0}";
    extfn_host host = {0};
    extfn_call_options options = {.struct_size = sizeof(options), .timeout_us = 7};
    assert_reply(&host, NULL, call, reply);
    assert_int_equal(host.options.timeout_us, 5000000);
    assert_reply(&host, NULL, inline_call, reply);
    assert_int_equal(host.options.timeout_us, 0);
    assert_reply(&host, &options, call, reply);
    assert_int_equal(host.options.timeout_us, 7);
    assert_reply(&host, &options, "{\"id\":1,\"call\":\"answer\",\"args\":[],\"timeout\":0.25}",
                 reply);
    assert_int_equal(host.options.timeout_us, 250000);
    assert_reply(&host, &options, "{\"id\":1,\"call\":\"answer\",\"args\":[],\"timeout\":1e-9}",
                 reply);
    assert_int_equal(host.options.timeout_us, 1);
}

static void the_receipt_comes_where_it_is_asked_for(void **state)
{
    (void)state;
    static const char receipt[] =
        "\"cost\":{\"wall_us\":12,\"cpu_us\":0,\"peak_memory\":0,\"rows\":0,\"bytes_in\":0,"
        "\"bytes_out\":0,\"workers_started\":0,\"workers_warm\":0,\"memo_hits\":0}}";
    char reply[400];
    extfn_host host = {0};
    (void)snprintf(reply, sizeof(reply), "{\"id\":1,\"ok\":42.0,%s", receipt);
    assert_reply(&host, NULL, "{\"id\":1,\"call\":\"answer\",\"args\":[],\"cost\":true}", reply);
    assert_reply(&host, NULL, "{\"id\":1,\"call\":\"answer\",\"args\":[],\"cost\":false}",
                 "{\"id\":1,\"ok\":42.0}");
    assert_null(host.options.receipt);
    host = (extfn_host){.status = EXTFN_ERUNTIME, .message = "nope"};
    (void)snprintf(reply, sizeof(reply),
                   "{\"id\":1,\"error\":{\"kind\":\"Runtime\",\"message\":\"nope\"},%s", receipt);
    assert_reply(&host, NULL, "{\"id\":1,\"call\":\"answer\",\"args\":[],\"cost\":true}", reply);
}

static void a_registry_is_optional(void **state)
{
    (void)state;
    static const char line[] = "{\"id\":1,\"call\":\"add\",\"args\":[]}";
    extfn_host host = {0};
    char *reply = NULL;
    size_t size = 0;
    assert_int_equal(extfn_rpc_answer(&host, NULL, line, strlen(line), NULL, &reply, &size, NULL),
                     EXTFN_OK);
    assert_string_equal(reply, ERROR("NotFound", "external function not found: add"));
    extfn_text_free(reply);
}

/* Each allocation fails once: the answer is then missing, or says why. */
static void answering_survives_oom(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "{\"id\":1,\"fn\":" ADD ",\"args\":[2,3]}",
        "{\"id\":1,\"call\":\"text\",\"columns\":[[\"a\",null]]}",
        "{\"id\":1,\"call\":\"add\",\"columns\":[[1],[{\"__improv__\":\"x\"}]]}",
        "{\"id\":1,\"call\":\"add\",\"args\":[1,{\"a\":1}]}",
        "{\"id\":1,\"call\":\"answer\",\"args\":[],\"cost\":true}",
    };
    extfn_registry *registry = make_functions();
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        bool is_complete = false;
        for (long nth = 0; !is_complete; nth++) {
            extfn_host host = {0};
            char *reply = NULL;
            size_t size = 0;
            assert_true(nth < 1000);
            xf_alloc_fail_after(nth);
            extfn_status status = extfn_rpc_answer(&host, registry, lines[i], strlen(lines[i]),
                                                   NULL, &reply, &size, NULL);
            xf_alloc_fail_after(-1);
            assert_true(status == EXTFN_OK || status == EXTFN_ENOMEM);
            is_complete = status == EXTFN_OK && !strstr(reply, "OutOfMemory");
            extfn_text_free(reply);
        }
    }
    extfn_registry_free(registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_requests_are_answered),
        cmocka_unit_test(batches_are_answered_row_by_row),
        cmocka_unit_test(ids_come_back_as_they_stood),
        cmocka_unit_test(a_reply_is_one_line_whatever_the_id),
        cmocka_unit_test(a_request_without_an_id_is_answered_with_null),
        cmocka_unit_test(counts_and_types_are_checked_in_the_contracts_order),
        cmocka_unit_test(malformed_values_are_told_from_other_types),
        cmocka_unit_test(failures_carry_their_kind_and_what_was_printed),
        cmocka_unit_test(the_nearest_time_limit_counts),
        cmocka_unit_test(the_receipt_comes_where_it_is_asked_for),
        cmocka_unit_test(a_registry_is_optional),
        cmocka_unit_test(answering_survives_oom),
    };
    return cmocka_run_group_tests_name("rpc", tests, NULL, NULL);
}
