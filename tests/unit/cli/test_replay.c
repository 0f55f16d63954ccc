/* Outcomes compared and told. SPDX-License-Identifier: MIT */
#include "cli/replay.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

#include <string.h>

static extfn_record outcome(extfn_status status, const char *message, char *text)
{
    extfn_record record = {.outcome.status = status,
                           .stderr_data = text,
                           .stderr_size = text ? strlen(text) : 0};
    memcpy(record.outcome.message, message, strlen(message) + 1);
    return record;
}

static void every_part_of_an_outcome_counts(void **state)
{
    (void)state;
    char a[] = "a";
    char b[] = "b";
    char ab[] = "ab";
    const extfn_record recorded = outcome(EXTFN_ERUNTIME, "nope", a);
    const struct {
        extfn_status status;
        const char *message;
        char *text;
        bool is_same;
    } cases[] = {
        {EXTFN_ERUNTIME, "nope", a, true},
        {EXTFN_ERUNTIME, "nope", NULL, true}, /* it is not known */
        {EXTFN_ERUNTIME, "nope", b, false},
        {EXTFN_ERUNTIME, "nope", ab, false},
        {EXTFN_ERUNTIME, "nope!", a, false},
        {EXTFN_ETIMEOUT, "nope", a, false},
        {EXTFN_OK, "", NULL, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const extfn_record live = outcome(cases[i].status, cases[i].message, cases[i].text);
        assert_int_equal(cli_replay_is_same(&recorded, &live), cases[i].is_same);
    }
}

/* What an author wrote cannot command a terminal. */
static void text_is_plain(void **state)
{
    (void)state;
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    extfn_error err = {0};
    const cli_session session = CLI_SESSION_CLOSED;
    const extfn_record record = outcome(EXTFN_ERUNTIME, "\x1b[31m\n", NULL);
    const cli_replay replay = {.is_same = true};
    assert_int_equal(cli_replay_append_text(&buf, "a\n.json", &record, &replay, &session, &err),
                     EXTFN_OK);
    assert_string_equal(buf.data, "a\\n.json: same: Runtime: \\x1b[31m\\n\n");
}

static void telling_survives_oom(void **state)
{
    (void)state;
    char text[] = "oops";
    const extfn_record record = outcome(EXTFN_ERUNTIME, "nope", text);
    const cli_replay replay = {.live = outcome(EXTFN_ETIMEOUT, "late", text)};
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
        extfn_error err = {0};
        status = cli_replay_append_json(&buf, "a.json", &record, &replay, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_of_an_outcome_counts),
        cmocka_unit_test(text_is_plain),
        cmocka_unit_test(telling_survives_oom),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
