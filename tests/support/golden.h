/* Compares text with a file beside the test; EXTFN_TEST_UPDATE=1 writes the file instead, to be
 * reviewed like code. */
#ifndef XF_TESTS_GOLDEN_H
#define XF_TESTS_GOLDEN_H

#include "support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void xf_test_golden(const char *path, const char *text)
{
    static char expected[65536];
    if (secure_getenv("EXTFN_TEST_UPDATE")) {
        FILE *out = fopen(path, "we");
        assert_non_null(out);
        assert_true(fputs(text, out) >= 0);
        assert_int_equal(fclose(out), 0);
        return;
    }
    FILE *in = fopen(path, "re");
    assert_non_null(in);
    expected[fread(expected, 1, sizeof(expected) - 1, in)] = 0;
    assert_int_equal(fclose(in), 0);
    assert_string_equal(text, expected);
}

#endif
