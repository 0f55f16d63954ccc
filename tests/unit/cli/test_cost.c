/* How receipts are told and added up. SPDX-License-Identifier: MIT */
#include "cli/cost.h"
#include "support/unit.h"
#include "unit/cli/oom.h"

static const extfn_receipt cold = {.wall_us = 12540,
                                   .cpu_us = 3200,
                                   .peak_memory = 11U << 20,
                                   .rows = 1,
                                   .bytes_in = 16,
                                   .bytes_out = 8,
                                   .workers_started = 1};

static void assert_told(const extfn_receipt *receipt, const char *text)
{
    CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
    extfn_error err = {0};
    assert_int_equal(cli_cost_append(&buf, receipt, &err), EXTFN_OK);
    assert_string_equal(buf.data, text);
}

static void a_receipt_is_one_line(void **state)
{
    (void)state;
    assert_told(&cold, "12.5 ms, CPU 3.2 ms, memory 11.0 MiB, 1 row, 16 bytes in, 8 bytes out, "
                       "1 worker started");
    const extfn_receipt module = {.wall_us = 900, .rows = 2, .bytes_in = 1};
    assert_told(&module, "0.9 ms, CPU 0.0 ms, 2 rows, 1 byte in, 0 bytes out");
}

static void blocks_add_up(void **state)
{
    (void)state;
    extfn_receipt total = {0};
    cli_cost_add(&total, &cold);
    cli_cost_add(&total, &(extfn_receipt){.wall_us = 10000,
                                          .cpu_us = 1000,
                                          .peak_memory = 7U << 20,
                                          .rows = 2,
                                          .bytes_in = 4,
                                          .bytes_out = 5,
                                          .workers_warm = 2,
                                          .memo_hits = 1});
    assert_told(&total, "22.5 ms, CPU 4.2 ms, memory 11.0 MiB, 3 rows, 20 bytes in, 13 bytes out, "
                        "1 worker started, 2 warm workers, 1 memo hit");
}

static void telling_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    CLI_OOM_SWEEP(status, {
        CLI_AUTO(cli_buf_clear) cli_buf buf = {0};
        extfn_error err = {0};
        status = cli_cost_append(&buf, &cold, &err);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_receipt_is_one_line),
        cmocka_unit_test(blocks_add_up),
        cmocka_unit_test(telling_survives_oom),
    };
    return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
