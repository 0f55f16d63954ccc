/* The page of a report. SPDX-License-Identifier: MIT */
#include "cli/library.h"
#include "cli/page.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <extfn/extfn.h>

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HOSTILE "<script>alert(\"1\")</script>'&\x1B\xFF"
#define HARMLESS                                                                                   \
    "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;\xE2\x90\x9B\xEF\xBF\xBD"

static const char *const names[] = {"x"};

static extfn_function *make_function(const char *name, extfn_language language, const char *body,
                                     extfn_type type)
{
    static const extfn_type types[] = {EXTFN_NUMBER};
    extfn_function_options options = {.struct_size = sizeof(options),
                                      .name = name,
                                      .language = language,
                                      .body = body,
                                      .arg_types = types,
                                      .arg_names = names,
                                      .arg_count = 1,
                                      .return_type = type,
                                      .is_pure = true,
                                      .source_path = "lib/" HOSTILE ".py"};
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    return function;
}

static void column_clear(extfn_column **slot)
{
    extfn_column_free(*slot);
}

/* One function and what it made of the rows of a table. */
static void survey(cli_survey *it, extfn_function *function, const extfn_value *values,
                   size_t count)
{
    cli_survey_init(it, function);
    CLI_AUTO(cli_csv_reader_clear) cli_csv_reader reader;
    CLI_AUTO(column_clear) extfn_column *results = NULL;
    extfn_error err = {0};
    cli_csv_reader_init(&reader, "a.csv");
    assert_int_equal(cli_csv_reader_feed(&reader, "x\n", 2, &err), EXTFN_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(cli_csv_reader_feed(&reader, "<b>\n", 4, &err), EXTFN_OK);
    assert_int_equal(cli_survey_bind(it, &reader, &err), EXTFN_OK);
    assert_int_equal(extfn_column_new(extfn_function_return_type(function), &results, &err),
                     EXTFN_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(extfn_column_append(results, &values[i], &err), EXTFN_OK);
    assert_int_equal(cli_survey_add(it, &reader, results, &err), EXTFN_OK);
}

static extfn_value failure(const char *message)
{
    extfn_value value = {0};
    assert_int_equal(extfn_value_error(EXTFN_KIND_CUSTOM, message, &value, NULL), EXTFN_OK);
    return value;
}

static extfn_status write_page(cli_survey *surveys, size_t count, const cli_table *bad_files,
                               cli_buf *ret_page, extfn_error *err)
{
    int fd = memfd_create("page", MFD_CLOEXEC);
    assert_true(fd >= 0);
    const cli_page page = {.library = "lib" HOSTILE,
                           .table = HOSTILE ".csv",
                           .made = 0,
                           .rows = 3,
                           .surveys = surveys,
                           .count = count,
                           .bad_files = bad_files};
    CLI_AUTO(cli_output_close) cli_output output = {.fd = fd, .directory_fd = -1, .label = "page"};
    CLI_TRY(cli_page_write(&page, &output, err));
    CLI_TRY(cli_output_flush(&output, err));
    off_t size = lseek(fd, 0, SEEK_END);
    assert_true(size > 0);
    CLI_TRY(cli_buf_reserve(ret_page, (size_t)size, err));
    assert_int_equal(pread(fd, ret_page->data, (size_t)size, 0), size);
    ret_page->size = (size_t)size;
    ret_page->data[size] = '\0';
    return EXTFN_OK;
}

static size_t count_of(const cli_buf *page, const char *text)
{
    size_t count = 0;
    for (const char *at = strstr(page->data, text); at; at = strstr(at + 1, text))
        count++;
    return count;
}

static void assert_shown(const cli_buf *page, const char *text)
{
    if (!strstr(page->data, text))
        fail_msg("the page has no '%s'", text);
}

static void texts_of_anybody_are_harmless(void **state)
{
    (void)state;
    CLI_AUTO(cli_survey_clear) cli_survey it;
    CLI_AUTO(cli_table_clear) cli_table bad_files = {0};
    CLI_AUTO(cli_buf_clear) cli_buf page = {0};
    extfn_error err = {0};
    CLI_AUTO(extfn_value_clear) extfn_value failed = failure("no <i> (line 2)");
    CLI_AUTO(extfn_value_clear) extfn_value text = {0};
    assert_int_equal(extfn_value_text("</td><img src=x>", 16, &text, &err), EXTFN_OK);
    const extfn_value values[] = {text, failed};
    static const char body[] = "# </code></ol><script>\nresult = 1";
    survey(&it, make_function("<b>\"f\"", EXTFN_PYTHON, body, EXTFN_TEXT), values, 2);
    assert_int_equal(cli_table_append(&bad_files, HOSTILE, strlen(HOSTILE), &err), EXTFN_OK);
    assert_int_equal(write_page(&it, 1, &bad_files, &page, &err), EXTFN_OK);
    assert_int_equal(count_of(&page, "<script"), 0);
    assert_int_equal(count_of(&page, "<img"), 0);
    assert_int_equal(count_of(&page, "<i>"), 0);
    assert_int_equal(count_of(&page, "<b>"), 0);
    assert_shown(&page, "<title>Functions over " HARMLESS ".csv</title>");
    assert_shown(&page, "<bdi class=\"path\">lib/" HARMLESS ".py</bdi>");
    assert_shown(&page, "<li><bdi>" HARMLESS "</bdi></li>");
    assert_shown(&page, "<h2 id=\"function-1-title\"><bdi>&lt;b&gt;&quot;f&quot;</bdi></h2>");
    assert_shown(&page, "<code># &lt;/code&gt;&lt;/ol&gt;&lt;script&gt;</code></li>");
    assert_shown(&page,
                 "<li class=\"bad\"><code>result = 1</code> <span class=\"note\">1 row failed "
                 "here</span></li>");
    assert_shown(&page, "<bdi class=\"message\">no &lt;i&gt; (line 2)</bdi>");
}

static void numbers_have_a_histogram_and_their_figures(void **state)
{
    (void)state;
    CLI_AUTO(cli_survey_clear) cli_survey it;
    CLI_AUTO(cli_table_clear) cli_table bad_files = {0};
    CLI_AUTO(cli_buf_clear) cli_buf page = {0};
    extfn_error err = {0};
    const extfn_value values[] = {extfn_value_number(0), extfn_value_number(30),
                                  extfn_value_number(3), extfn_value_number((double)NAN),
                                  extfn_value_number(-(double)INFINITY)};
    survey(&it, make_function("f", EXTFN_PYTHON, "x", EXTFN_NUMBER), values, 5);
    assert_int_equal(write_page(&it, 1, &bad_files, &page, &err), EXTFN_OK);
    assert_int_equal(count_of(&page, "class=\"bar\""), 32);
    assert_shown(&page, "<g><title>3 to 4: 1 row</title>");
    assert_shown(&page, "Distribution of 3 finite numbers; the line is the median");
    assert_shown(&page, "<dt>min</dt><dd>0.0</dd>");
    assert_shown(&page, "<dt>median</dt><dd>3.0</dd>");
    assert_shown(&page, "<dt>mean</dt><dd>11</dd>");
    assert_shown(&page, "<dt>max</dt><dd>30.0</dd>");
    assert_shown(&page, "<dt>NaN</dt><dd>1</dd>");
    assert_shown(&page, "<dt>negative infinite</dt><dd>1</dd>");
    assert_int_equal(count_of(&page, "<dt>infinite</dt>"), 0);
}

static void assert_source(const char *body, const char *shown)
{
    CLI_AUTO(cli_survey_clear) cli_survey it;
    CLI_AUTO(cli_table_clear) cli_table bad_files = {0};
    CLI_AUTO(cli_buf_clear) cli_buf page = {0};
    extfn_error err = {0};
    survey(&it, make_function("f", EXTFN_WASM, body, EXTFN_NUMBER), NULL, 0);
    assert_int_equal(write_page(&it, 1, &bad_files, &page, &err), EXTFN_OK);
    assert_shown(&page, shown);
    assert_shown(&page, "No row was evaluated.");
    assert_int_equal(count_of(&page, "AGFzbQ"), 0);
}

static void only_a_module_in_text_is_shown(void **state)
{
    (void)state;
    assert_source("base64:AGFzbQ==", "The module is no text.");
    assert_source("wat:(module)", "<li><code>(module)</code></li>");
}

static void pages_survive_oom(void **state)
{
    (void)state;
    CLI_AUTO(cli_survey_clear) cli_survey it;
    CLI_AUTO(cli_table_clear) cli_table bad_files = {0};
    extfn_error err = {0};
    CLI_AUTO(extfn_value_clear) extfn_value failed = failure("no (line 1)");
    const extfn_value values[] = {extfn_value_datetime(0), extfn_value_datetime(1), failed};
    survey(&it, make_function("f", EXTFN_PYTHON, "x", EXTFN_DATETIME), values, 3);
    assert_int_equal(cli_table_append(&bad_files, "x", 1, &err), EXTFN_OK);
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf page = {0};
        status = write_page(&it, 1, &bad_files, &page, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_of_anybody_are_harmless),
        cmocka_unit_test(numbers_have_a_histogram_and_their_figures),
        cmocka_unit_test(only_a_module_in_text_is_shown),
        cmocka_unit_test(pages_survive_oom),
    };
    return cmocka_run_group_tests_name("cli/page", tests, NULL, NULL);
}
