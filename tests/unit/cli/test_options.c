/* Options, operands and their values. SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/nearest.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <string.h>

#define WORDS_LIMIT 8

/* Parses words that end with NULL for the command. */
static extfn_status parse(const char *command, const char *const *words, cli_options *options,
                          extfn_error *err)
{
    const char *argv[WORDS_LIMIT];
    int count = 0;
    for (; words[count]; count++)
        argv[count] = words[count];
    return cli_options_parse(cli_command_find(command), count, argv, options, err);
}

typedef struct refusal {
    const char *command;
    const char *words[WORDS_LIMIT];
    const char *message;
} refusal;

static void usage_errors_say_what_to_do(void **state)
{
    (void)state;
    static const refusal refusals[] = {
        {"eval", {"--timout", "3", "x"}, "unknown option '--timout'; did you mean '--timeout'?"},
        {"eval", {"--jason=3", "x"}, "unknown option '--jason'; did you mean '--json'?"},
        {"list",
         {"--timeout", "3", "x"},
         "unknown option '--timeout'; see 'extfn list --help' (a value like this follows '--')"},
        {"call",
         {"lib", "f", "-x"},
         "unknown option '-x'; see 'extfn call --help' (a value like this follows '--')"},
        {"eval", {"-l"}, "option '--language' has no value; write '--language LANG'"},
        {"eval", {"--json=yes", "x"}, "option '--json' takes no value"},
        {"call", {"lib"}, "not enough arguments for 'call'; usage: extfn call LIB NAME [ARG...]"},
        {"list", {"a", "b"}, "too many arguments for 'list'; usage: extfn list LIB"},
        {"eval", {"--timeout", "soon", "x"}, "'soon' is no time; write seconds (0.5) or 500ms"},
        {"rpc", {"--memo", "9", "x"}, "'9' is less than 1 MiB; write it like --memo 64M"},
        {"call", {"--memo", "9M"}, "unknown option '--memo'; did you mean '--memory'?"},
        {"eval", {"--memory", "-1", "x"}, "'-1' is no size; write 512M or 2G"},
        {"apply", {"--workers", "0", "x"}, "'0' is no number of workers; write 1 to 1024"},
        {"apply", {"--workers", "2.5", "x"}, "'2.5' is no number of workers; write 1 to 1024"},
        {"apply", {"--workers=1025", "x"}, "'1025' is no number of workers; write 1 to 1024"},
        {"eval",
         {"--packages", "python", "x"},
         "'python' is not LANG=PATH; write python=/some/path"},
        {"eval",
         {"--packages", "python=", "x"},
         "'python=' is not LANG=PATH; write python=/some/path"},
        {"eval",
         {"--packages", "python=/a:b", "x"},
         "'python=/a:b' has a colon; link it under another name"},
        {"eval",
         {"--interpreter", "cobol=/x", "x"},
         "unknown language 'cobol'; one of Python, R, Julia, Pure, Wasm"},
    };
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        CLI_AUTO(cli_options_clear) cli_options options = {0};
        extfn_error err = {0};
        extfn_status status = parse(refusals[i].command, refusals[i].words, &options, &err);
        assert_string_equal(err.message, refusals[i].message);
        assert_int_equal(status, EXTFN_EINVAL);
    }
}

static void options_and_operands_may_stand_in_any_order(void **state)
{
    (void)state;
    const char *const words[] = {"body", "--json", "-l", "python", "7", "--timeout=0.5", NULL};
    CLI_AUTO(cli_options_clear) cli_options options = {0};
    extfn_error err = {0};
    assert_int_equal(parse("eval", words, &options, &err), EXTFN_OK);
    assert_true(options.is_json);
    assert_string_equal(options.language, "python");
    assert_int_equal(options.timeout_us, 500000);
    assert_int_equal(options.operand_count, 2);
    assert_string_equal(options.operands[0], "body");
    assert_string_equal(options.operands[1], "7");
}

static void negative_numbers_are_operands(void **state)
{
    (void)state;
    const char *const words[] = {"-lr", "body", "-3", "-.5e3", "-inf", NULL};
    CLI_AUTO(cli_options_clear) cli_options options = {0};
    extfn_error err = {0};
    assert_int_equal(parse("eval", words, &options, &err), EXTFN_OK);
    assert_string_equal(options.language, "r");
    assert_int_equal(options.operand_count, 4);
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    const char *const words[] = {"lib", "f", "--", "--json", "--", NULL};
    CLI_AUTO(cli_options_clear) cli_options options = {0};
    extfn_error err = {0};
    assert_int_equal(parse("call", words, &options, &err), EXTFN_OK);
    assert_false(options.is_json);
    assert_int_equal(options.operand_count, 4);
    assert_string_equal(options.operands[2], "--json");
    assert_string_equal(options.operands[3], "--");
}

static void help_needs_no_operands(void **state)
{
    (void)state;
    const char *const words[] = {"-h", NULL};
    CLI_AUTO(cli_options_clear) cli_options options = {0};
    extfn_error err = {0};
    assert_int_equal(parse("apply", words, &options, &err), EXTFN_OK);
    assert_true(options.is_help);
}

static void packages_add_up_and_interpreters_replace(void **state)
{
    (void)state;
    const char *const words[] = {"--packages=python=/a",
                                 "--packages=python=/b",
                                 "--packages=r=/c",
                                 "--interpreter=r=/old",
                                 "--interpreter=r=/new",
                                 "x",
                                 NULL};
    CLI_AUTO(cli_options_clear) cli_options options = {0};
    extfn_error err = {0};
    assert_int_equal(parse("eval", words, &options, &err), EXTFN_OK);
    assert_string_equal(options.packages[EXTFN_PYTHON].data, "/a:/b");
    assert_string_equal(options.packages[EXTFN_R].data, "/c");
    assert_string_equal(options.interpreters[EXTFN_R].data, "/new");
    assert_int_equal(options.interpreters[EXTFN_PYTHON].size, 0);
}

static void relative_paths_become_absolute(void **state)
{
    (void)state;
    CLI_AUTO(cli_buf_clear) cli_buf path = {0};
    extfn_language language = EXTFN_PYTHON;
    extfn_error err = {0};
    assert_int_equal(cli_language_path_parse("Julia=bin/julia", &language, &path, &err), EXTFN_OK);
    assert_int_equal(language, EXTFN_JULIA);
    assert_int_equal(path.data[0], '/');
    assert_string_equal(path.data + path.size - strlen("/bin/julia"), "/bin/julia");
}

static void times_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t us;
    } times[] = {{"2", 2000000}, {"0.5", 500000},     {"2s", 2000000}, {"500ms", 500000},
                 {"7us", 7},     {"1e3", 1000000000}, {"0.000001", 1}};
    static const char *const refused[] = {"",    "s",   "0",   "-1", "1e9",
                                          "nan", "inf", "1 s", "1h", "0x10"};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        int64_t us = 0;
        extfn_error err = {0};
        assert_int_equal(cli_duration_parse(times[i].text, &us, &err), EXTFN_OK);
        assert_int_equal(us, times[i].us);
    }
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        int64_t us = 0;
        extfn_error err = {0};
        assert_int_equal(cli_duration_parse(refused[i], &us, &err), EXTFN_EINVAL);
    }
}

static void sizes_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } sizes[] = {{"16777216", 16777216},
                 {"16384K", 16777216},
                 {"512M", 536870912},
                 {"1.5G", 1610612736}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint64_t bytes = 0;
        extfn_error err = {0};
        assert_int_equal(cli_memory_parse(sizes[i].text, &bytes, &err), EXTFN_OK);
        assert_int_equal(bytes, sizes[i].bytes);
    }
    uint64_t bytes = 0;
    extfn_error err = {0};
    assert_int_equal(cli_memory_parse("1e99", &bytes, &err), EXTFN_EINVAL);
    assert_int_equal(cli_memory_parse("M", &bytes, &err), EXTFN_EINVAL);
    assert_int_equal(cli_memory_parse("1", &bytes, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "'1' is less than 16 MiB; write it like 512M");
}

static void every_command_is_found_and_accepts_help(void **state)
{
    (void)state;
    const cli_command *command = NULL;
    size_t count = 0;
    for (; (command = cli_command_at(count)) != NULL; count++) {
        assert_ptr_equal(cli_command_find(command->name), command);
        assert_true(command->accepted & CLI_OPTION_BIT(HELP));
    }
    assert_int_equal(count, 12);
    assert_null(cli_command_find("frobnicate"));
}

static void distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(cli_word_distance("", ""), 0);
    assert_int_equal(cli_word_distance("abc", ""), 3);
    assert_int_equal(cli_word_distance("kitten", "sitting"), 3);
    assert_int_equal(cli_word_distance("aply", "apply"), 1);
}

static void parsing_survives_oom(void **state)
{
    (void)state;
    const char *const words[] = {"--packages=python=/a", "--packages=python=b",
                                 "--interpreter=r=/old", "x", NULL};
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_options_clear) cli_options options = {0};
        extfn_error err = {0};
        status = parse("eval", words, &options, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_errors_say_what_to_do),
        cmocka_unit_test(options_and_operands_may_stand_in_any_order),
        cmocka_unit_test(negative_numbers_are_operands),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(help_needs_no_operands),
        cmocka_unit_test(packages_add_up_and_interpreters_replace),
        cmocka_unit_test(relative_paths_become_absolute),
        cmocka_unit_test(times_have_units),
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(every_command_is_found_and_accepts_help),
        cmocka_unit_test(distance_counts_edits),
        cmocka_unit_test(parsing_survives_oom),
    };
    return cmocka_run_group_tests_name("cli/options", tests, NULL, NULL);
}
