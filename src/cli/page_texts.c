#include "cli/page_texts.h"

#include <inttypes.h>
#include <stdio.h>

cli_page_text cli_page_count(int64_t count)
{
    char digits[32];
    cli_page_text text = {{0}};
    int size = snprintf(digits, sizeof(digits), "%" PRId64, count);
    size_t used = 0;
    for (int i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0)
            text.data[used++] = ',';
        text.data[used++] = digits[i];
    }
    return text;
}

cli_page_text cli_page_counted(int64_t count, const char *noun)
{
    cli_page_text number = cli_page_count(count);
    cli_page_text text = {{0}};
    (void)snprintf(text.data, sizeof(text.data), "%.32s %.24s%s", number.data, noun,
                   count == 1 ? "" : "s");
    return text;
}

cli_page_text cli_page_share(int64_t part, int64_t whole)
{
    cli_page_text text = {"0"};
    double share = whole > 0 ? 100.0 * (double)part / (double)whole : 0;
    if (part > 0 && share < 0.1) {
        (void)snprintf(text.data, sizeof(text.data), "<0.1");
    } else if (part > 0) {
        (void)snprintf(text.data, sizeof(text.data), "%.*f", share < 99.95 ? 1 : 0, share);
    }
    return text;
}
