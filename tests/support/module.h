/* Modules as hexadecimal text; spaces do not count. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_MODULE_H
#define XF_TESTS_MODULE_H

#include "base/buf.h"
#include "support/unit.h"

#include <string.h>

#define MODULE_HEADER "0061736d 01000000 "

static inline xf_buf module_from_hex(const char *text)
{
    static const char digits[] = "0123456789abcdef";
    xf_buf module = {0};
    int high = -1;
    for (; *text; text++) {
        const char *digit = strchr(digits, *text);
        if (!digit)
            continue;
        int value = (int)(digit - digits);
        if (high < 0) {
            high = value;
            continue;
        }
        char byte = (char)(high * 16 + value);
        assert_int_equal(xf_buf_append(&module, &byte, 1, NULL), EXTFN_OK);
        high = -1;
    }
    assert_int_equal(high, -1);
    return module;
}

#endif
