/* Reads the input as a record; what is one is written, read and written again, twice the same. */
#include <extfn/record.h>

#include <stdlib.h>
#include <string.h>

/* NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *written(const char *json, size_t size)
{
    extfn_record record = {0};
    extfn_error err = {0};
    char *text = NULL;
    if (extfn_record_from_json(json, size, &record, &err) != EXTFN_OK) {
        if (!err.message[0] || record.function)
            abort();
        return NULL;
    }
    if (extfn_record_to_json(&record, &text, NULL) != EXTFN_OK)
        abort();
    extfn_record_clear(&record);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *once = written((const char *)data, size);
    char *twice = once ? written(once, strlen(once)) : NULL;
    if (once && (!twice || strcmp(once, twice) != 0))
        abort();
    extfn_text_free(once);
    extfn_text_free(twice);
    return 0;
}
