#include "wasm/code.h"

#include "base/auto.h"
#include "support/module.h"

static bool may_write(const char *hex)
{
    XF_AUTO(xf_buf_clear) xf_buf code = module_from_hex(hex);
    const xf_wasm_cursor body = {.bytes = (const uint8_t *)code.data, .end = code.size};
    return xf_wasm_code_may_write(body);
}

static void what_only_reads_does_not_write(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "0b",                                           /* nothing at all */
        "20 80 01 21 00 22 01 23 02 0b",                /* locals, a global */
        "41 a4 7f 42 b6 80 80 80 80 00 0b",             /* integers with bytes of writes in them */
        "43 36 37 38 24 44 24 26 36 3e 40 fc fd fe 0b", /* floats of such bytes */
        "02 40 03 7f 0c 00 0d 01 0b 04 7c 05 0b 0b 0b", /* blocks */
        "0e 03 00 01 36 00 0b",                         /* a table of labels */
        "10 36 11 24 00 12 40 13 26 40 0b",             /* calls */
        "28 02 24 2d 00 ff ff 03 35 03 80 80 80 80 10 0b", /* loads */
        "1a 1b 1c 01 7f 25 36 3f 00 0b",                   /* selects, table.get, memory.size */
        "fc 00 fc 07 fc 10 24 d0 70 d1 d2 36 0b",          /* conversions, table.size, references */
        "00 01 0f 45 6a c4 0b",
    };
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        if (may_write(bodies[i]))
            fail_msg("row %zu", i);
    }
}

static void each_instruction_that_writes_is_seen(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "24 00 0b",                   /* global.set */
        "26 00 0b",                   /* table.set */
        "36 02 00 0b",                /* i32.store */
        "3e 02 00 0b",                /* i64.store32 */
        "40 00 0b",                   /* memory.grow */
        "fc 08 00 00 0b",             /* memory.init */
        "fc 09 00 0b",                /* data.drop */
        "fc 0a 00 00 0b",             /* memory.copy */
        "fc 0b 00 0b",                /* memory.fill */
        "fc 0c 00 00 0b",             /* table.init */
        "fc 0d 00 0b",                /* elem.drop */
        "fc 0e 00 00 0b",             /* table.copy */
        "fc 0f 00 0b",                /* table.grow */
        "fc 11 00 0b",                /* table.fill */
        "20 00 02 40 36 02 00 0b 0b", /* behind others */
        "fd 0b 04 00 0b",             /* vectors are not looked into */
        "fe 17 02 00 0b",             /* nor are threads */
        "06 40 0b",                   /* nor what is unknown */
        "02 63 41 24 00 00 0b 0b",    /* a write behind a type of two bytes */
        "02 64 41 24 00 00 0b 0b",    /* the same */
        "1c 01 63 41 24 00 0b",       /* the same in a select */
        "ff",
    };
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        if (!may_write(bodies[i]))
            fail_msg("row %zu", i);
    }
}

static void what_breaks_off_may_write(void **state)
{
    (void)state;
    static const char *const bodies[] = {"20",          "20 80",
                                         "41",          "41 80",
                                         "43 00 00 00", "28 00",
                                         "0e 02 00",    "1c 02 7f",
                                         "fc",          "44 00 00 00 00 00 00 00"};
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        if (!may_write(bodies[i]))
            fail_msg("row %zu", i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_only_reads_does_not_write),
        cmocka_unit_test(each_instruction_that_writes_is_seen),
        cmocka_unit_test(what_breaks_off_may_write),
    };
    return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
