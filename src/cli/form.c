/* The forms of values, one for a type. SPDX-License-Identifier: MIT */
#include "cli/form.h"

#include <string.h>

#define NUMBER_SIZE 64

static const char *const forms[] = {
    [EXTFN_NUMBER] = "is written like 2.5",
    [EXTFN_BOOLEAN] = "is written true or false",
    [EXTFN_TEXT] = "is written in UTF-8",
    [EXTFN_DATETIME] = "is written like 2025-01-02T03:04:05Z",
    [EXTFN_ENUM] = "is written as an index from 0 to 4294967295",
};

/* Whether a point in place of its one comma makes the text a number. */
static bool has_decimal_comma(const char *text, size_t size)
{
    char copy[NUMBER_SIZE];
    const char *comma = size > 0 && size < sizeof(copy) ? memchr(text, ',', size) : NULL;
    if (!comma)
        return false;
    memcpy(copy, text, size);
    copy[comma - text] = '.';
    extfn_value value = {0};
    return extfn_value_parse(copy, size, EXTFN_NUMBER, &value, NULL) == EXTFN_OK;
}

extfn_status cli_form_append(cli_buf *buf, const char *subject, extfn_type type, const char *text,
                             size_t size, const extfn_error *failure, extfn_error *err)
{
    CLI_TRY(cli_buf_append_text(buf, "; ", err));
    if (type == EXTFN_NUMBER && has_decimal_comma(text, size))
        return cli_buf_append_text(buf, "the decimal sign is a point", err);
    /* A text of the right form, but of no such date, or beyond the range. */
    if (failure->message[0] && !strstr(failure->message, "expected"))
        return cli_buf_append_plain(buf, failure->message, strlen(failure->message), err);
    CLI_TRY(cli_buf_append_text(buf, subject, err));
    CLI_TRY(cli_buf_append_text(buf, " ", err));
    return cli_buf_append_text(buf, forms[type], err);
}
