/* From a body to bytes. SPDX-License-Identifier: MIT */
#include "wasm/source.h"

#include "base/auto.h"
#include "support/oom.h"
#include "support/temporary.h"
#include "support/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static extfn_status read_body(const char *body, size_t size, xf_buf *bytes, extfn_error *err)
{
    const xf_wasm_source source = {.body = body, .body_size = size};
    return xf_wasm_source_read(&source, bytes, NULL, err);
}

static void the_prefix_tells_the_form(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        xf_wasm_form form;
    } cases[] = {
        {"wat:(module)", XF_WASM_TEXT},
        {"\xef\xbb\xbfwat:(module)", XF_WASM_TEXT},
        {"base64:AGFzbQ==", XF_WASM_BYTES},
        {"m.wasm", XF_WASM_FILE},
        {"(module)", XF_WASM_FILE},
        {"WAT:(module)", XF_WASM_FILE},
        {"", XF_WASM_FILE},
        {"wat", XF_WASM_FILE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const xf_wasm_source source = {.body = cases[i].body, .body_size = strlen(cases[i].body)};
        assert_int_equal(xf_wasm_source_form(&source), cases[i].form);
    }
}

static void text_is_taken_without_its_mark(void **state)
{
    (void)state;
    static const char *const bodies[] = {"wat:(m)", "\xef\xbb\xbfwat:(m)", "wat:\xef\xbb\xbf(m)"};
    for (size_t i = 0; i < 3; i++) {
        XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
        assert_int_equal(read_body(bodies[i], strlen(bodies[i]), &bytes, NULL), EXTFN_OK);
        assert_int_equal(bytes.size, 3);
        assert_memory_equal(bytes.data, "(m)", 3);
    }
}

static void base64_is_read_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *bytes; /* NULL: refused */
        const char *reason;
    } cases[] = {
        {"Zm9vYmFy", "foobar", NULL},
        {"Zm9vYmE=", "fooba", NULL},
        {"Zm9vYg==", "foob", NULL},
        {" Zm9v\r\n\tYg = =\n", "foob", NULL},
        {"+/+/", "\xfb\xff\xbf", NULL},
        {"Zm9vYg=", NULL, "it ends too early"},
        {"Zm9vYg", NULL, "it ends too early"},
        {"Z", NULL, "it ends too early"},
        {"Zm9vYh==", NULL, "at byte 7 of it"}, /* bits beyond the last byte */
        {"Zm9v====", NULL, "at byte 4 of it"},
        {"Zg==Zg==", NULL, "at byte 4 of it"},
        {"Zg=a", NULL, "at byte 3 of it"},
        {"Zm9-", NULL, "at byte 3 of it"},
        {"Zm9\x80", NULL, "at byte 3 of it"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char body[64];
        int size = snprintf(body, sizeof(body), "base64:%s", cases[i].text);
        XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
        extfn_error err = {0};
        extfn_status status = read_body(body, (size_t)size, &bytes, &err);
        if (cases[i].bytes) {
            assert_int_equal(status, EXTFN_OK);
            assert_int_equal(bytes.size, strlen(cases[i].bytes));
            assert_memory_equal(bytes.data, cases[i].bytes, bytes.size);
        } else {
            assert_int_equal(status, EXTFN_ERUNTIME);
            assert_non_null(strstr(err.message, cases[i].reason));
        }
    }
    XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
    assert_int_equal(read_body("base64:Zg\0=", 11, &bytes, NULL), EXTFN_ERUNTIME);
}

static void an_empty_body_is_refused(void **state)
{
    (void)state;
    static const char *const bodies[] = {"", "wat:", "base64:", "\xef\xbb\xbf", "wat:\xef\xbb\xbf"};
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
        extfn_error err = {0};
        assert_int_equal(read_body(bodies[i], strlen(bodies[i]), &bytes, &err), EXTFN_ERUNTIME);
        assert_string_equal(err.message, "function body is empty");
    }
}

static void paths_that_lead_nowhere_are_refused(void **state)
{
    (void)state;
    char longest[5000];
    memset(longest, 'a', sizeof(longest));
    XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
    extfn_error err = {0};
    assert_int_equal(read_body(longest, sizeof(longest), &bytes, &err), EXTFN_ERUNTIME);
    assert_non_null(strstr(err.message, "'... cannot be used: "));
    assert_int_equal(read_body("/dev/null\0.wasm", 15, &bytes, &err), EXTFN_ERUNTIME);
    assert_non_null(strstr(err.message, "module file '/dev/null?.wasm' cannot be used: "));
    assert_int_equal(read_body("(module)", 8, &bytes, &err), EXTFN_ERUNTIME);
    assert_non_null(strstr(err.message, "; a body of text begins with wat:"));
}

static void a_file_is_read_from_the_folder_of_the_library(void **state)
{
    (void)state;
    char directory[TEMPORARY_SIZE];
    assert_non_null(temporary_folder(directory, sizeof(directory), "/tmp"));
    char path[64];
    char library[64];
    (void)snprintf(path, sizeof(path), "%s/m", directory);
    (void)snprintf(library, sizeof(library), "%s/f.json", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite("\0asm1234", 1, 8, file), 8);
    assert_int_equal(fclose(file), 0);
    xf_wasm_source source = {.body = "m", .body_size = 1, .library_path = library};
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
        status = xf_wasm_source_read(&source, &bytes, NULL, NULL);
        assert_true(status != EXTFN_OK || bytes.size == 8);
    });
    xf_wasm_stamp stamp = xf_wasm_source_stamp(&source);
    assert_int_equal(stamp.size, 8);
    source.are_paths_forbidden = true;
    XF_AUTO(xf_buf_clear) xf_buf bytes = {0};
    assert_int_equal(xf_wasm_source_read(&source, &bytes, NULL, NULL), EXTFN_ERUNTIME);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);
    stamp = xf_wasm_source_stamp(&source);
    assert_int_equal(stamp.inode, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_prefix_tells_the_form),
        cmocka_unit_test(text_is_taken_without_its_mark),
        cmocka_unit_test(base64_is_read_or_refused),
        cmocka_unit_test(an_empty_body_is_refused),
        cmocka_unit_test(paths_that_lead_nowhere_are_refused),
        cmocka_unit_test(a_file_is_read_from_the_folder_of_the_library),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
