#include "unit/rpc/support.h"

#include <stdlib.h>

#define INVALID(id, message)                                                                       \
    "{\"id\":" id ",\"error\":{\"kind\":\"InvalidArgument\",\"message\":\"" message "\"}}"
#define CALL "\"call\":\"answer\",\"args\":[]"

static void members_that_do_not_fit_are_refused_by_name(void **state)
{
    (void)state;
    static const case_of_rpc cases[] = {
        {"{\"id\":1}", INVALID("1", "member 'call' or 'fn' is missing")},
        {"{\"id\":1,\"call\":\"add\"}", INVALID("1", "member 'args' or 'columns' is missing")},
        {"{\"id\":1,\"call\":\"add\",\"fn\":{},\"args\":[]}",
         INVALID("1", "members 'call' and 'fn' exclude each other")},
        {"{\"id\":1,\"call\":\"add\",\"args\":[],\"columns\":[]}",
         INVALID("1", "members 'args' and 'columns' exclude each other")},
        {"{\"id\":1,\"price\":true," CALL "}", INVALID("1", "unknown member 'price'")},
        {"{\"price\":true," CALL ",\"id\":1}", INVALID("1", "unknown member 'price'")},
        {"{\"id\":1," CALL ",\"args\":[]}", INVALID("1", "member 'args' stands twice")},
        {"{\"id\":1," CALL ",\"id\":2}", INVALID("1", "member 'id' stands twice")},
        {"{\"id\":1,\"call\":null,\"args\":[]}",
         INVALID("1", "member 'call': expected string, got null")},
        {"{\"id\":1,\"call\":\"add\",\"args\":{}}",
         INVALID("1", "member 'args': expected array, got object")},
        {"{\"id\":1,\"fn\":\"add\",\"args\":[]}",
         INVALID("1", "member 'fn': expected object, got string")},
        {"{\"id\":1,\"call\":\"a\\u0000b\",\"args\":[]}",
         INVALID("1", "member 'call': a name cannot hold U+0000")},
        {"{\"id\":1,\"fn\":{\"bodi\":1},\"args\":[]}",
         INVALID("1", "member 'fn': unknown member 'bodi'")},
        {"{\"id\":1,\"call\":\"number\",\"columns\":[1]}",
         INVALID("1", "member 'columns': expected arrays, got number")},
    };
    ASSERT_REPLIES(cases);
}

static void time_limits_are_positive_seconds(void **state)
{
    (void)state;
    static const case_of_rpc cases[] = {
        {"{\"id\":1,\"timeout\":0," CALL "}",
         INVALID("1", "member 'timeout': must be above 0 and at most 1000000000 seconds")},
        {"{\"id\":1,\"timeout\":-1," CALL "}",
         INVALID("1", "member 'timeout': must be above 0 and at most 1000000000 seconds")},
        {"{\"id\":1,\"timeout\":1e300," CALL "}",
         INVALID("1", "member 'timeout': must be above 0 and at most 1000000000 seconds")},
        {"{\"id\":1,\"timeout\":\"2\"," CALL "}",
         INVALID("1", "member 'timeout': expected number, got string")},
        {"{\"id\":1,\"cost\":1," CALL "}",
         INVALID("1", "member 'cost': expected boolean, got number")},
        {"{\"id\":1,\"timeout\":1e9," CALL "}", "{\"id\":1,\"ok\":42.0}"},
    };
    ASSERT_REPLIES(cases);
}

static void rows_are_for_functions_without_arguments(void **state)
{
    (void)state;
    static const case_of_rpc cases[] = {
        {"{\"id\":1,\"call\":\"answer\",\"columns\":[]}",
         INVALID("1", "member 'rows' is missing: function answer has no arguments to count")},
        {"{\"id\":1,\"rows\":1," CALL "}",
         INVALID("1", "member 'rows' is for the columns of a function without arguments")},
        {"{\"id\":1,\"call\":\"number\",\"columns\":[[1]],\"rows\":1}",
         INVALID("1", "member 'rows' is for the columns of a function without arguments")},
        {"{\"id\":1,\"call\":\"answer\",\"columns\":[],\"rows\":1.5}",
         INVALID("1", "member 'rows': not a whole number from 0 to 1048576")},
        {"{\"id\":1,\"call\":\"answer\",\"columns\":[],\"rows\":-1}",
         INVALID("1", "member 'rows': not a whole number from 0 to 1048576")},
        {"{\"id\":1,\"call\":\"answer\",\"columns\":[],\"rows\":1048577}",
         INVALID("1", "member 'rows': not a whole number from 0 to 1048576")},
    };
    ASSERT_REPLIES(cases);
}

static void what_is_not_json_is_answered_too(void **state)
{
    (void)state;
    static const case_of_rpc cases[] = {
        {"", INVALID("null", "invalid JSON at byte 0: expected an object, got the end")},
        {"hello", INVALID("null", "invalid JSON at byte 0: expected an object")},
        {"[]", INVALID("null", "invalid JSON at byte 0: expected an object")},
        {"{\"id\":1,\"call\":\"add\",\"ar",
         INVALID("1", "invalid JSON at byte 24: expected '\\\"', got the end")},
        {"{\"id\":1," CALL "} x",
         INVALID("1", "invalid JSON at byte 35: unexpected text after the value")},
        {"{\"id\":1,\"call\":\"\xff\"}",
         INVALID("1", "invalid JSON at byte 16: text is not UTF-8")},
    };
    ASSERT_REPLIES(cases);
}

static void a_line_over_the_limit_is_not_read(void **state)
{
    (void)state;
    extfn_host host = {0};
    char *reply = NULL;
    size_t size = 0;
    assert_int_equal(extfn_rpc_answer(&host, NULL, "{", EXTFN_RPC_LINE_LIMIT + 1, NULL, &reply,
                                      &size, NULL),
                     EXTFN_OK);
    assert_string_equal(reply,
                        INVALID("null", "a request of 67108865 bytes is over the limit of 64 MiB"));
    extfn_text_free(reply);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    static const char start[] = "{\"id\":";
    char *line = malloc(DEPTH);
    assert_non_null(line);
    memset(line, '[', DEPTH);
    for (size_t i = 0; start[i]; i++)
        line[i] = start[i];
    extfn_host host = {0};
    char *reply = NULL;
    size_t size = 0;
    assert_int_equal(extfn_rpc_answer(&host, NULL, line, DEPTH, NULL, &reply, &size, NULL),
                     EXTFN_OK);
    assert_string_equal(reply, INVALID("null", "invalid JSON at byte 69: nested too deeply"));
    extfn_text_free(reply);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_that_do_not_fit_are_refused_by_name),
        cmocka_unit_test(time_limits_are_positive_seconds),
        cmocka_unit_test(rows_are_for_functions_without_arguments),
        cmocka_unit_test(what_is_not_json_is_answered_too),
        cmocka_unit_test(a_line_over_the_limit_is_not_read),
        cmocka_unit_test(deep_nesting_is_refused),
    };
    return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
