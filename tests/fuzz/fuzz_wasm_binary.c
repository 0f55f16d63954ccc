/* Reads the input as a module, and once more after the header that it may lack; what is summed up
 * has to hold together. */
#include "wasm/binary.h"

#include <stdlib.h>
#include <string.h>

/* NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool lies_within(const char *name, size_t name_size, const uint8_t *data, size_t size)
{
    uintptr_t start = (uintptr_t)name;
    return !name_size || (start >= (uintptr_t)data && start <= (uintptr_t)data + size &&
                          name_size <= (uintptr_t)data + size - start);
}

static void read_module(const uint8_t *data, size_t size)
{
    xf_wasm_summary summary = {0};
    char text[XF_WASM_TYPE_TEXT_SIZE];
    extfn_error err = {0};
    if (xf_wasm_binary_read(data, size, &summary, &err) != EXTFN_OK) {
        if (!err.message[0])
            abort();
        return;
    }
    if (!lies_within(summary.import_module, summary.import_module_size, data, size) ||
        !lies_within(summary.import_field, summary.import_field_size, data, size) ||
        summary.largest_body > size || summary.mutable_global_count > summary.global_count ||
        strlen(xf_wasm_type_text(&summary.call.type, text)) >= sizeof(text))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t header[] = {0, 'a', 's', 'm', 1, 0, 0, 0};
    static uint8_t module[sizeof(header) + 65536];
    read_module(data, size);
    if (size > sizeof(module) - sizeof(header))
        return 0;
    memcpy(module, header, sizeof(header));
    if (size)
        memcpy(module + sizeof(header), data, size);
    read_module(module, sizeof(header) + size);
    return 0;
}
