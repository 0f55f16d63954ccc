/* The rule for names of arguments. SPDX-License-Identifier: MIT */
#include "registry/identifier.h"

#include "base/text.h"
#include "registry/function.h"

#include <string.h>

static bool is_start(char byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte == '_';
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

bool xf_identifier_is_valid(const char *text, size_t size)
{
    if (size == 0 || !is_start(text[0]))
        return false;
    for (size_t i = 1; i < size; i++) {
        if (!is_start(text[i]) && !is_digit(text[i]))
            return false;
    }
    return true;
}

extfn_status xf_argument_name_check(extfn_language language, const char *name, extfn_error *err)
{
    size_t size = strlen(name);
    char quoted[XF_QUOTE_SIZE];
    if (size > XF_NAME_LIMIT) {
        return xf_fail(err, EXTFN_EINVAL, "the name of an argument is longer than %d bytes",
                       XF_NAME_LIMIT);
    }
    if (!xf_identifier_is_valid(name, size)) {
        return xf_fail(err, EXTFN_EINVAL, "argument %s is not an identifier",
                       xf_text_quote(name, size, quoted));
    }
    if (xf_word_is_ours(name)) {
        return xf_fail(err, EXTFN_EINVAL,
                       "argument '%s' is named like what every body is given; give it another name",
                       name);
    }
    if (xf_word_is_reserved(language, name)) {
        return xf_fail(err, EXTFN_EINVAL,
                       "argument '%s' is a word that %s reserves; give it another name", name,
                       extfn_language_text(language));
    }
    return EXTFN_OK;
}
