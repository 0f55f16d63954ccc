/* How often which text comes. SPDX-License-Identifier: MIT */
#include "cli/counts.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <string.h>

static void add(cli_counts *counts, int kind, const char *text, int64_t row)
{
    extfn_error err = {0};
    assert_int_equal(cli_counts_add(counts, kind, text, strlen(text), row, &err), EXTFN_OK);
}

static void assert_count(const cli_counts *counts, size_t at, const char *text, int64_t count,
                         int64_t first_row)
{
    size_t size = 0;
    const char *kept = cli_counts_text(counts, &counts->all[at], &size);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(kept, text, size);
    assert_int_equal(counts->all[at].count, count);
    assert_int_equal(counts->all[at].first_row, first_row);
}

static void the_most_frequent_come_first_and_equals_as_they_came(void **state)
{
    (void)state;
    CLI_AUTO(cli_counts_clear) cli_counts counts = {0};
    static const char *const texts[] = {"b", "a", "", "c", "a", "c", "a", ""};
    for (size_t i = 0; i < 8; i++)
        add(&counts, 0, texts[i], (int64_t)i);
    cli_counts_sort(&counts);
    assert_int_equal(counts.used, 4);
    assert_count(&counts, 0, "a", 3, 1);
    assert_count(&counts, 1, "", 2, 2);
    assert_count(&counts, 2, "c", 2, 3);
    assert_count(&counts, 3, "b", 1, 0);
    assert_int_equal(counts.others, 0);
}

static void a_text_of_another_kind_is_another(void **state)
{
    (void)state;
    CLI_AUTO(cli_counts_clear) cli_counts counts = {0};
    add(&counts, 1, "x", 0);
    add(&counts, 2, "x", 1);
    add(&counts, 2, "x", 2);
    assert_int_equal(counts.used, 2);
    assert_int_equal(counts.all[1].kind, 2);
    assert_count(&counts, 1, "x", 2, 1);
}

/* They differ behind what is kept, in a byte or in their size. */
static void long_texts_are_told_apart(void **state)
{
    (void)state;
    CLI_AUTO(cli_counts_clear) cli_counts counts = {0};
    char text[CLI_COUNTS_TEXT_SIZE + 20];
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    add(&counts, 0, text, 0);
    add(&counts, 0, text, 1);
    text[sizeof(text) - 2] = 'y';
    add(&counts, 0, text, 2);
    text[sizeof(text) - 2] = '\0';
    add(&counts, 0, text, 3);
    assert_int_equal(counts.used, 3);
    assert_int_equal(counts.all[0].count, 2);
    assert_int_equal(counts.all[0].size, sizeof(text) - 1);
}

static void a_long_text_is_cut_between_characters(void **state)
{
    (void)state;
    CLI_AUTO(cli_counts_clear) cli_counts counts = {0};
    char text[CLI_COUNTS_TEXT_SIZE + 3];
    memset(text, 'x', sizeof(text));
    memcpy(text + CLI_COUNTS_TEXT_SIZE - 1, "\xE2\x82\xAC", 4); /* a euro sign */
    add(&counts, 0, text, 0);
    size_t size = 0;
    (void)cli_counts_text(&counts, &counts.all[0], &size);
    assert_int_equal(size, CLI_COUNTS_TEXT_SIZE - 1);
}

static void beyond_the_limit_only_known_texts_are_counted(void **state)
{
    (void)state;
    CLI_AUTO(cli_counts_clear) cli_counts counts = {0};
    char text[16];
    for (int i = 0; i < (int)CLI_COUNTS_LIMIT + 5; i++) {
        (void)snprintf(text, sizeof(text), "t%d", i);
        add(&counts, 0, text, i);
    }
    add(&counts, 0, "t7", 9999);
    assert_int_equal(counts.used, CLI_COUNTS_LIMIT);
    assert_int_equal(counts.others, 5);
    cli_counts_sort(&counts);
    assert_count(&counts, 0, "t7", 2, 7);
}

static void counting_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_counts_clear) cli_counts counts = {0};
        extfn_error err = {0};
        status = cli_counts_add(&counts, 0, "a", 1, 0, &err);
        if (status == EXTFN_OK)
            status = cli_counts_add(&counts, 0, "b", 1, 0, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_frequent_come_first_and_equals_as_they_came),
        cmocka_unit_test(a_text_of_another_kind_is_another),
        cmocka_unit_test(long_texts_are_told_apart),
        cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(beyond_the_limit_only_known_texts_are_counted),
        cmocka_unit_test(counting_survives_oom),
    };
    return cmocka_run_group_tests_name("cli/counts", tests, NULL, NULL);
}
