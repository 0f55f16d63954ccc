/* Cuts the input as a body of Pure: statements follow each other, lie within the text, and hold no
 * `;` that ends one. */
#include "guest/lib/pure_statements.h"

#include <stdint.h>
#include <stdlib.h>

/* NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_inside(const char *text, const xf_pure_statement *statement)
{
    xf_pure_scanner scanner = {text, statement->end, statement->start, 0, 0};
    for (xf_pure_token token = xf_pure_scan(&scanner); token.kind != XF_PURE_END;
         token = xf_pure_scan(&scanner)) {
        if (token.kind == XF_PURE_SEMICOLON)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"x", "", NULL};
    const char *text = (const char *)data;
    xf_pure_scanner scanner = {text, size, 0, 0, 0};
    xf_pure_statement statement;
    size_t end = 0;
    size_t line = 1;
    while (xf_pure_cut(&scanner, &statement)) {
        if (statement.start < end || statement.end <= statement.start || statement.end > size ||
            statement.line < line || statement.value > statement.end ||
            statement.name + statement.name_size > statement.end)
            abort();
        check_inside(text, &statement);
        end = statement.end;
        line = statement.line;
    }
    (void)xf_pure_needs(text, size, names, sizeof(names) / sizeof(names[0]));
    return 0;
}
