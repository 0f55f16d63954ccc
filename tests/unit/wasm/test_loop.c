#include "wasm/loop.h"

#include "base/auto.h"
#include "support/module.h"
#include "support/oom.h"
#include "wasm/binary.h"

static xf_wasm_signature signature_of(size_t count, const extfn_type *args, extfn_type ret)
{
    xf_wasm_signature signature = {.arg_count = count, .ret = ret};
    for (size_t i = 0; i < count; i++)
        signature.args[i] = args[i];
    return signature;
}

static xf_wasm_signature signature_of_all(void)
{
    static const extfn_type types[] = {EXTFN_NUMBER, EXTFN_BOOLEAN, EXTFN_DATETIME, EXTFN_ENUM};
    xf_wasm_signature signature = {.arg_count = EXTFN_ARGUMENT_LIMIT, .ret = EXTFN_NUMBER};
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++)
        signature.args[i] = types[i % 4];
    return signature;
}

/* Columns in their order, none over the other, each at a line of its own, all within the pages. */
static void assert_layout(const xf_wasm_signature *signature, const xf_wasm_loop *loop)
{
    static const uint32_t widths[] = {
        [EXTFN_NUMBER] = 8, [EXTFN_BOOLEAN] = 1, [EXTFN_DATETIME] = 8, [EXTFN_ENUM] = 4};
    uint32_t end = 0;
    for (size_t i = 0; i < signature->arg_count; i++) {
        assert_true(loop->arg_starts[i] >= end);
        assert_int_equal(loop->arg_starts[i] % 64, 0);
        end = loop->arg_starts[i] + loop->rows * widths[signature->args[i]];
    }
    assert_true(loop->ret_start >= end);
    assert_int_equal(loop->ret_start % 64, 0);
    end = loop->ret_start + loop->rows * (uint32_t)xf_wasm_loop_ret_width(signature->ret);
    assert_true(end <= loop->pages * 65536);
    assert_true(loop->pages * 65536 < end + 65536 + 128);
}

static void columns_do_not_overlap(void **state)
{
    (void)state;
    const extfn_type two[] = {EXTFN_NUMBER, EXTFN_NUMBER};
    const xf_wasm_signature signatures[] = {signature_of(0, two, EXTFN_BOOLEAN),
                                            signature_of(2, two, EXTFN_NUMBER),
                                            signature_of(1, two, EXTFN_ENUM), signature_of_all()};
    for (size_t i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++) {
        const xf_wasm_loop loop = xf_wasm_loop_plan(&signatures[i]);
        assert_layout(&signatures[i], &loop);
    }
}

static void many_columns_have_fewer_rows(void **state)
{
    (void)state;
    const xf_wasm_signature few = signature_of(0, NULL, EXTFN_NUMBER);
    const xf_wasm_signature many = signature_of_all();
    assert_int_equal(xf_wasm_loop_plan(&few).rows, 4096);
    assert_int_equal(xf_wasm_loop_plan(&many).rows, 256);
}

static void results_have_their_width(void **state)
{
    (void)state;
    assert_int_equal(xf_wasm_loop_ret_width(EXTFN_NUMBER), 8);
    assert_int_equal(xf_wasm_loop_ret_width(EXTFN_DATETIME), 8);
    assert_int_equal(xf_wasm_loop_ret_width(EXTFN_BOOLEAN), 4);
    assert_int_equal(xf_wasm_loop_ret_width(EXTFN_ENUM), 4);
}

/* Of (Number, Boolean) -> DateTime; look at it with wasm2wat before you change it. */
static const char golden[] =
    "0061736d01000000"                                         /* header */
    "018c808080000260027c7f017e60027f7f00"                     /* types */
    "028a808080000101660463616c6c0000"                         /* import */
    "0382808080000101"                                         /* function */
    "05848080800001010101"                                     /* memory */
    "068680808000017f0141000b"                                 /* global */
    "07968080800003066d656d6f7279020003726f7703000372756e0001" /* exports */
    "0ade8180800001d8818080000002400340200041046a20014b0d0120002400200041037420004103" /* code */
    "742b030020002d00c0800110003703809101200041016a2400200041037420004103742b03082000"
    "2d00c1800110003703889101200041026a2400200041037420004103742b031020002d00c2800110"
    "003703909101200041036a2400200041037420004103742b031820002d00c3800110003703989101"
    "200041046a21000c000b0b02400340200041016a20014b0d0120002400200041037420004103742b"
    "030020002d00c0800110003703809101200041016a21000c000b0b0b";

static void the_bytes_are_these(void **state)
{
    (void)state;
    const extfn_type args[] = {EXTFN_NUMBER, EXTFN_BOOLEAN};
    const xf_wasm_signature signature = signature_of(2, args, EXTFN_DATETIME);
    const xf_wasm_loop loop = xf_wasm_loop_plan(&signature);
    XF_AUTO(xf_buf_clear) xf_buf module = {0};
    XF_AUTO(xf_buf_clear) xf_buf expected = module_from_hex(golden);
    assert_int_equal(xf_wasm_loop_write(&signature, &loop, &module, NULL), EXTFN_OK);
    assert_int_equal(module.size, expected.size);
    assert_memory_equal(module.data, expected.data, expected.size);
}

static void our_own_reader_reads_it(void **state)
{
    (void)state;
    const xf_wasm_signature signature = signature_of_all();
    const xf_wasm_loop loop = xf_wasm_loop_plan(&signature);
    XF_AUTO(xf_buf_clear) xf_buf module = {0};
    xf_wasm_summary summary = {0};
    assert_int_equal(xf_wasm_loop_write(&signature, &loop, &module, NULL), EXTFN_OK);
    assert_int_equal(xf_wasm_binary_read(module.data, module.size, &summary, NULL), EXTFN_OK);
    assert_int_equal(summary.import_count, 1);
    assert_memory_equal(summary.import_module, XF_WASM_LOOP_IMPORT_MODULE, 1);
    assert_memory_equal(summary.import_field, XF_WASM_LOOP_IMPORT_FIELD, 4);
    assert_int_equal(summary.memory_pages, loop.pages);
    assert_int_equal(summary.mutable_global_count, 1);
    assert_int_equal(summary.function_count, 1);
}

static void writing_survives_oom_and_limits(void **state)
{
    (void)state;
    const xf_wasm_signature signature = signature_of_all();
    const xf_wasm_loop loop = xf_wasm_loop_plan(&signature);
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_buf_clear) xf_buf module = {0};
        status = xf_wasm_loop_write(&signature, &loop, &module, NULL);
    });
    XF_AUTO(xf_buf_clear) xf_buf small = {.limit = 100};
    assert_int_equal(xf_wasm_loop_write(&signature, &loop, &small, NULL), EXTFN_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_do_not_overlap),
        cmocka_unit_test(many_columns_have_fewer_rows),
        cmocka_unit_test(results_have_their_width),
        cmocka_unit_test(the_bytes_are_these),
        cmocka_unit_test(our_own_reader_reads_it),
        cmocka_unit_test(writing_survives_oom_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
