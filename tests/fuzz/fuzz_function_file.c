/* Reads the input as a function file of each kind; what is accepted must declare itself again, or,
 * a module, be what its descriptor says. */
#include "base/buf.h"
#include "registry/function_file.h"

#include <stdlib.h>
#include <string.h>

/* NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The leader stands before the signature that the library writes. */
static void check_signature(const char *path, const char *leader, extfn_function *function)
{
    char *signature = NULL;
    char *again = NULL;
    extfn_function *copy = NULL;
    xf_buf text = {0};
    if (extfn_function_signature(function, &signature, NULL) != EXTFN_OK ||
        xf_buf_append(&text, leader, strlen(leader), NULL) != EXTFN_OK ||
        xf_buf_append(&text, signature, strlen(signature), NULL) != EXTFN_OK ||
        xf_function_file_parse(path, text.data, text.size, &copy, NULL) != EXTFN_OK ||
        extfn_function_signature(copy, &again, NULL) != EXTFN_OK || strcmp(signature, again) != 0)
        abort();
    extfn_function_unref(copy);
    extfn_text_free(signature);
    extfn_text_free(again);
    xf_buf_clear(&text);
}

static void check_descriptor(extfn_function *function)
{
    char *json = NULL;
    extfn_function *copy = NULL;
    if (extfn_function_to_json(function, &json, NULL) != EXTFN_OK ||
        extfn_function_from_json(json, strlen(json), &copy, NULL) != EXTFN_OK ||
        strcmp(extfn_function_body(copy, NULL), extfn_function_body(function, NULL)) != 0)
        abort();
    extfn_function_unref(copy);
    extfn_text_free(json);
}

static void read_module(const uint8_t *data, size_t size)
{
    extfn_function *function = NULL;
    if (xf_function_file_parse("f.wasm", (const char *)data, size, &function, NULL) == EXTFN_OK)
        check_descriptor(function);
    extfn_function_unref(function);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const kinds[][2] = {
        {"f.py", "# extfn: "},    {"f.R", "# extfn: "},    {"f.jl", "# extfn: "},
        {"f.pure", "// extfn: "}, {"f.wat", ";; extfn: "},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        extfn_function *function = NULL;
        extfn_error err = {0};
        if (xf_function_file_parse(kinds[i][0], (const char *)data, size, &function, &err) ==
            EXTFN_OK)
            check_signature(kinds[i][0], kinds[i][1], function);
        extfn_function_unref(function);
    }
    read_module(data, size);
    return 0;
}
