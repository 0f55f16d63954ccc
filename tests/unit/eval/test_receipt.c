/* Receipts as JSON. SPDX-License-Identifier: MIT */
#include "support/oom.h"
#include "support/unit.h"

#include <extfn/receipt.h>
#include <extfn/value.h>

static const extfn_receipt receipt = {.struct_size = sizeof(receipt),
                                      .wall_us = 1,
                                      .cpu_us = 2,
                                      .peak_memory = 3,
                                      .rows = 4,
                                      .bytes_in = 5,
                                      .bytes_out = UINT64_MAX,
                                      .workers_started = 7,
                                      .workers_warm = 8,
                                      .memo_hits = 9};

static void every_figure_has_its_member(void **state)
{
    (void)state;
    char *json = NULL;
    assert_int_equal(extfn_receipt_to_json(&receipt, &json, NULL), EXTFN_OK);
    assert_string_equal(json, "{\"wall_us\":1,\"cpu_us\":2,\"peak_memory\":3,\"rows\":4,"
                              "\"bytes_in\":5,\"bytes_out\":18446744073709551615,"
                              "\"workers_started\":7,\"workers_warm\":8,\"memo_hits\":9}");
    extfn_text_free(json);
}

static void writing_survives_oom(void **state)
{
    (void)state;
    char *json = NULL;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, status = extfn_receipt_to_json(&receipt, &json, NULL));
    extfn_text_free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_has_its_member),
        cmocka_unit_test(writing_survives_oom),
    };
    return cmocka_run_group_tests_name("receipt", tests, NULL, NULL);
}
