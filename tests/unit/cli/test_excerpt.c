/* The line of a source, and the caret below it. SPDX-License-Identifier: MIT */
#include "cli/excerpt.h"
#include "cli/library.h"
#include "support/files.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_shown(const char *source, long line, const char *message, const char *wanted)
{
    const cli_place place = {.text = source, .size = strlen(source), .line = line};
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    extfn_error err = {0};
    assert_int_equal(cli_buf_append_text(&text, "", &err), EXTFN_OK);
    assert_int_equal(cli_excerpt_append(&text, &place, message, false, &err), EXTFN_OK);
    assert_string_equal(text.data, wanted);
}

static void the_caret_stands_below_what_is_quoted(void **state)
{
    (void)state;
    assert_shown("a = 1\nb = exp(x) + x\r\n", 2, "NameError: name 'x' is not defined",
                 "      2 | b = exp(x) + x\n"
                 "        |         ^\n");
    assert_shown("b = exp(x)", 1, "no such thing: 'nope' or `exp`",
                 "      1 | b = exp(x)\n"
                 "        |     ^~~\n");
    assert_shown("\ty <- ü + foo", 1,
                 "object \xe2\x80\x98"
                 "foo\xe2\x80\x99 not found",
                 "      1 |     y <- ü + foo\n"
                 "        |              ^~~\n");
}

static void the_caret_stands_at_the_beginning_else(void **state)
{
    (void)state;
    assert_shown("  stop()", 1, "it isn't 'here' or \"open",
                 "      1 |   stop()\n"
                 "        |   ^\n");
    assert_shown("\n   \n", 2, "'' and `` are no words",
                 "      2 |    \n"
                 "        |    ^\n");
    assert_shown("\n", 1, "",
                 "      1 | \n"
                 "        | ^\n");
}

static void nothing_is_shown_of_lines_that_are_not_there(void **state)
{
    (void)state;
    assert_shown("a\nb\n", 0, "m", "");
    assert_shown("a\nb\n", 3, "m", "");
    assert_shown("", 1, "m", "");
}

static void a_line_cannot_command_the_terminal(void **state)
{
    (void)state;
    assert_shown("\033[2J = \xff", 1, "m",
                 "      1 | \\x1b[2J = \\xff\n"
                 "        | ^~~~\n");
}

static void a_long_line_is_cut_round_the_caret(void **state)
{
    (void)state;
    char line[400];
    memset(line, 'a', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    memcpy(line + 200, " foo ", 5);
    const cli_place place = {.text = line, .size = strlen(line), .line = 1};
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    extfn_error err = {0};
    assert_int_equal(cli_excerpt_append(&text, &place, "'foo'", false, &err), EXTFN_OK);
    const char *below = strchr(text.data, '\n') + 1;
    assert_in_range(below - text.data, 100, 120);
    size_t column = (size_t)(strchr(below, '^') - below);
    assert_memory_equal(text.data + column, "foo ", 4);
    assert_non_null(strstr(text.data, "| ...aaa"));
    assert_non_null(strstr(text.data, "aaa...\n"));
}

static void colours_enclose_the_caret(void **state)
{
    (void)state;
    const cli_place place = {.text = "foo", .size = 3, .line = 1};
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    extfn_error err = {0};
    assert_int_equal(cli_excerpt_append(&text, &place, "'foo'", true, &err), EXTFN_OK);
    assert_string_equal(text.data, "      1 | foo\n        | \033[1;32m^~~\033[0m\n");
}

static void places_are_found_in_functions_and_files(void **state)
{
    (void)state;
    extfn_function_options options = {.struct_size = sizeof(options),
                                      .name = "f",
                                      .language = EXTFN_WASM,
                                      .body = "wat:;; a\nb",
                                      .return_type = EXTFN_NUMBER};
    CLI_AUTO(cli_function_clear) extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    extfn_error failure = {.status = EXTFN_ERUNTIME, .message = "no (line 7) here (line 2)"};
    cli_place place = cli_place_in_function(function, &failure);
    assert_int_equal(place.line, 2);
    assert_memory_equal(place.text, ";; a\nb", place.size);

    char folder[FOLDER_SIZE];
    folder_open(folder);
    const char *path = folder_write(folder, "f.py", "one\ntwo\n", 8);
    extfn_error problem = {.status = EXTFN_EINVAL};
    (void)snprintf(problem.message, sizeof(problem.message), "%s:2: no", path);
    place = cli_place_in_file(path, &problem);
    assert_int_equal(place.line, 2);
    assert_memory_equal(place.text, "one\ntwo\n", place.size);
    cli_place_clear(&place);
    (void)snprintf(problem.message, sizeof(problem.message), "%s: no (line 2)", path);
    place = cli_place_in_file(path, &problem);
    assert_int_equal(place.line, 0);
    cli_place_clear(&place);
    assert_int_equal(unlink(path), 0);
    (void)snprintf(problem.message, sizeof(problem.message), "%s:2: no", path);
    place = cli_place_in_file(path, &problem);
    assert_int_equal(place.line, 0);
    folder_close(folder);
}

static void excerpts_survive_oom(void **state)
{
    (void)state;
    const cli_place place = {.text = "\tfoo", .size = 4, .line = 1};
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf text = {0};
        extfn_error err = {0};
        status = cli_excerpt_append(&text, &place, "'foo'", true, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_caret_stands_below_what_is_quoted),
        cmocka_unit_test(the_caret_stands_at_the_beginning_else),
        cmocka_unit_test(nothing_is_shown_of_lines_that_are_not_there),
        cmocka_unit_test(a_line_cannot_command_the_terminal),
        cmocka_unit_test(a_long_line_is_cut_round_the_caret),
        cmocka_unit_test(colours_enclose_the_caret),
        cmocka_unit_test(places_are_found_in_functions_and_files),
        cmocka_unit_test(excerpts_survive_oom),
    };
    return cmocka_run_group_tests_name("cli/excerpt", tests, NULL, NULL);
}
