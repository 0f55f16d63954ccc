/* Answers the input as one request with a double of the host; the reply must be one line of JSON.
 */
#include "../support/host_double.h"
#include "base/json.h"

#include <extfn/rpc.h>

#include <stdlib.h>

/* NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const descriptors[] = {
    "{\"name\":\"f\",\"language\":\"R\",\"body\":\"\",\"return_type\":\"Number\","
    "\"arg_types\":[],\"pure\":true}",
    "{\"name\":\"g\",\"language\":\"R\",\"body\":\"\",\"return_type\":\"Text\","
    "\"arg_types\":[\"Text\",\"Number\",\"DateTime\",\"Enum\",\"Boolean\"],\"pure\":true}",
};

static extfn_registry *make_registry(void)
{
    extfn_registry *registry = NULL;
    if (extfn_registry_new(&registry, NULL) != EXTFN_OK)
        abort();
    for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++) {
        extfn_function *function = NULL;
        if (extfn_function_from_json(descriptors[i], strlen(descriptors[i]), &function, NULL) !=
                EXTFN_OK ||
            extfn_registry_register(registry, function, NULL, NULL) != EXTFN_OK)
            abort();
        extfn_function_unref(function);
    }
    return registry;
}

static void check_reply(const char *reply, size_t size)
{
    xf_json scan = {.data = reply, .size = size};
    const char *start = NULL;
    size_t skipped = 0;
    if (memchr(reply, '\n', size) || xf_json_skip(&scan, &start, &skipped, NULL) != EXTFN_OK ||
        xf_json_end(&scan, NULL) != EXTFN_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    extfn_registry *registry = make_registry();
    extfn_host host = {.stdout_text = "out", .stderr_text = "\xff"};
    char *reply = NULL;
    size_t reply_size = 0;
    if (extfn_rpc_answer(&host, registry, (const char *)data, size, NULL, &reply, &reply_size,
                         NULL) != EXTFN_OK)
        abort();
    check_reply(reply, reply_size);
    extfn_text_free(reply);
    extfn_registry_free(registry);
    return 0;
}
