/* A registry, a host double and a question for the tests of rpc. */
#ifndef XF_TESTS_RPC_SUPPORT_H
#define XF_TESTS_RPC_SUPPORT_H

#include "support/host_double.h"
#include "support/unit.h"

#include <extfn/rpc.h>

#define PURE "\"pure\":true}"
#define ADD                                                                                        \
    "{\"name\":\"add\",\"language\":\"R\",\"body\":\"\",\"return_type\":\"Number\","               \
    "\"arg_types\":[\"Number\",\"Number\"]," PURE
#define ANSWER                                                                                     \
    "{\"name\":\"answer\",\"language\":\"R\",\"body\":\"\",\"return_type\":\"Number\","            \
    "\"arg_types\":[]," PURE
#define SAME(name, type)                                                                           \
    "{\"name\":\"" name "\",\"language\":\"R\",\"body\":\"\",\"return_type\":\"" type "\","        \
    "\"arg_types\":[\"" type "\"]," PURE

static inline extfn_registry *make_functions(void)
{
    static const char *const descriptors[] = {
        ADD,
        ANSWER,
        SAME("number", "Number"),
        SAME("boolean", "Boolean"),
        SAME("text", "Text"),
        SAME("datetime", "DateTime"),
        SAME("enum", "Enum"),
    };
    extfn_registry *registry = NULL;
    assert_int_equal(extfn_registry_new(&registry, NULL), EXTFN_OK);
    for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++) {
        extfn_function *function = NULL;
        assert_int_equal(extfn_function_from_json(descriptors[i], strlen(descriptors[i]), &function,
                                                  NULL),
                         EXTFN_OK);
        assert_int_equal(extfn_registry_register(registry, function, NULL, NULL), EXTFN_OK);
        extfn_function_unref(function);
    }
    return registry;
}

typedef struct case_of_rpc {
    const char *line, *reply;
} case_of_rpc;

static inline void assert_reply(extfn_host *host, const extfn_call_options *options,
                                const char *line, const char *reply)
{
    extfn_registry *registry = make_functions();
    extfn_error err = {0};
    char *got = NULL;
    size_t size = 0;
    assert_int_equal(extfn_rpc_answer(host, registry, line, strlen(line), options, &got, &size,
                                      &err),
                     EXTFN_OK);
    assert_string_equal(got, reply);
    assert_int_equal(size, strlen(reply));
    extfn_text_free(got);
    extfn_registry_free(registry);
}

static inline void assert_replies(const case_of_rpc *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        extfn_host host = {0};
        assert_reply(&host, NULL, cases[i].line, cases[i].reply);
    }
}

#define ASSERT_REPLIES(cases) assert_replies(cases, sizeof(cases) / sizeof((cases)[0]))

#endif
