/* Skips a test on a machine that lacks something, and says what. EXTFN_TEST_REQUIRE=bwrap,python,r
 * turns these skips into failures. */
#ifndef XF_TESTS_REQUIRE_H
#define XF_TESTS_REQUIRE_H

#include "support/unit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool xf_test_is_required(const char *name)
{
    const char *rest = secure_getenv("EXTFN_TEST_REQUIRE");
    size_t size = strlen(name);
    while (rest && *rest) {
        size_t item = strcspn(rest, ",");
        if (item == size && strncmp(rest, name, size) == 0)
            return true;
        rest += item + (rest[item] == ',');
    }
    return false;
}

#define XF_TEST_REQUIRE(name, is_there)                                                            \
    do {                                                                                           \
        if (!(is_there)) {                                                                         \
            print_message("# needs %s, which this machine lacks\n", (name));                       \
            if (xf_test_is_required(name))                                                         \
                fail();                                                                            \
            skip();                                                                                \
        }                                                                                          \
    } while (0)

#endif
