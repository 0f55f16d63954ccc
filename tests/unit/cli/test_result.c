/* How outcomes and failures are told. SPDX-License-Identifier: MIT */
#include "cli/result.h"
#include "cli/tell.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

static void results_are_json_with_what_was_printed(void **state)
{
    (void)state;
    char printed[] = "hi\n";
    extfn_value value = extfn_value_number(5);
    extfn_error none = {0};
    extfn_error err = {0};
    extfn_output output = {.stdout_data = printed, .stdout_size = 3, .is_unsandboxed = true};
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    assert_int_equal(cli_append_outcome_json(&text,
                                             &(cli_outcome_of_call){&value, &none, &output, NULL},
                                             &err),
                     EXTFN_OK);
    assert_string_equal(text.data, "{\"ok\":5.0,\"stdout\":\"hi\\n\",\"unsandboxed\":true}");
}

static void failures_are_json_with_what_was_printed(void **state)
{
    (void)state;
    char printed[] = "oops";
    extfn_value value = {0};
    extfn_error failure = {.status = EXTFN_ETIMEOUT, .message = "function timed out after \"2s\""};
    extfn_error err = {0};
    extfn_output output = {.stderr_data = printed, .stderr_size = 4};
    CLI_AUTO(cli_buf_clear) cli_buf text = {0};
    assert_int_equal(cli_append_outcome_json(
                         &text, &(cli_outcome_of_call){&value, &failure, &output, NULL}, &err),
                     EXTFN_OK);
    assert_string_equal(text.data, "{\"error\":{\"kind\":\"Timeout\",\"message\":\"function timed "
                                   "out after \\\"2s\\\"\"},\"stderr\":\"oops\"}");
}

static void outcomes_survive_oom(void **state)
{
    (void)state;
    extfn_value value = {0};
    extfn_error failure = {.status = EXTFN_ERUNTIME, .message = "nope"};
    extfn_output output = {0};
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf text = {0};
        extfn_error err = {0};
        status =
            cli_append_outcome_json(&text, &(cli_outcome_of_call){&value, &failure, &output, NULL},
                                    &err);
    });
}

static void every_status_has_its_exit_status(void **state)
{
    (void)state;
    static const struct {
        extfn_status status;
        int exit_status;
    } pairs[] = {{EXTFN_OK, 0},       {EXTFN_EINVAL, 2},       {EXTFN_ENOMEM, 1},
                 {EXTFN_EIO, 1},      {EXTFN_ENOTFOUND, 2},    {EXTFN_EARITY, 2},
                 {EXTFN_ETYPE, 2},    {EXTFN_EUNAVAILABLE, 3}, {EXTFN_ERUNTIME, 1},
                 {EXTFN_ETIMEOUT, 5}, {EXTFN_ESANDBOX, 4},     {EXTFN_ECANCELED, 1}};
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        assert_int_equal(cli_exit_status(pairs[i].status), pairs[i].exit_status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_json_with_what_was_printed),
        cmocka_unit_test(failures_are_json_with_what_was_printed),
        cmocka_unit_test(outcomes_survive_oom),
        cmocka_unit_test(every_status_has_its_exit_status),
    };
    return cmocka_run_group_tests_name("cli/result", tests, NULL, NULL);
}
