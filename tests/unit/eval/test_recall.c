/* Questions to the memo, asked and told without a worker. */
#include "eval/recall.h"

#include "eval/host.h"
#include "support/host.h"

#define MEMO_BYTES (1 << 20)

typedef struct fixture {
    extfn_host *host;
    extfn_function *function;
    extfn_column *arguments[2];
    extfn_column *result;
    xf_question question;
    bool is_unsandboxed;
} fixture;

/* Of a language that has no files which may change. */
static fixture fixture_new(void)
{
    fixture fix = {
        .host = test_host(&(extfn_host_options){.memo_bytes = MEMO_BYTES}),
        .function = test_function(EXTFN_WASM, "TN->N", "wat:"),
    };
    assert_int_equal(extfn_column_new(EXTFN_TEXT, &fix.arguments[0], NULL), EXTFN_OK);
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &fix.arguments[1], NULL), EXTFN_OK);
    assert_int_equal(extfn_column_new(EXTFN_NUMBER, &fix.result, NULL), EXTFN_OK);
    return fix;
}

static void fixture_clear(fixture *fix)
{
    xf_question_clear(&fix->question);
    extfn_column_free(fix->arguments[0]);
    extfn_column_free(fix->arguments[1]);
    extfn_column_free(fix->result);
    extfn_function_unref(fix->function);
    extfn_host_free(fix->host);
}

static void set_arguments(const fixture *fix, size_t size)
{
    char *text = calloc(1, size + 1);
    assert_non_null(text);
    assert_int_equal(extfn_column_append_text(fix->arguments[0], text, size, NULL), EXTFN_OK);
    assert_int_equal(extfn_column_append_number(fix->arguments[1], 1, NULL), EXTFN_OK);
    free(text);
}

static bool ask(fixture *fix)
{
    const xf_arguments arguments = {
        .language = xf_language_get(EXTFN_WASM),
        .columns = (const extfn_column *const *)fix->arguments,
        .column_count = 2,
        .rows = 1,
    };
    return xf_recall(fix->host, fix->function, &arguments, 1, &fix->question, fix->result,
                     &fix->is_unsandboxed);
}

static void tell(fixture *fix, xf_wasm_stamp stamp)
{
    assert_int_equal(extfn_column_append_number(fix->result, 7, NULL), EXTFN_OK);
    xf_recall_tell(fix->host, &fix->question, fix->result, 0, false, &stamp);
    assert_false(fix->question.is_open);
}

static void what_is_told_is_known(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    set_arguments(&fix, 10);
    assert_false(ask(&fix));
    tell(&fix, (xf_wasm_stamp){0});
    assert_true(ask(&fix));
    assert_int_equal(extfn_column_rows(fix.result), 2);
    assert_int_equal(xf_memo_get_counts(&fix.host->memo).misses, 1);
    fixture_clear(&fix);
}

static void what_another_module_gave_is_not_known(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    set_arguments(&fix, 10);
    const xf_wasm_stamp others[] = {{.inode = 1}, XF_WASM_NO_STAMP};
    for (size_t i = 0; i < 2; i++) {
        assert_false(ask(&fix));
        tell(&fix, others[i]);
        assert_int_equal(xf_memo_get_counts(&fix.host->memo).entries, 0);
    }
    assert_int_equal(xf_memo_get_counts(&fix.host->memo).misses, 2);
    fixture_clear(&fix);
}

/* Nothing is copied of them, and they count as a call that had to be evaluated. */
static void arguments_that_are_too_large_are_left_alone(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    set_arguments(&fix, MEMO_BYTES / 8);
    assert_false(ask(&fix));
    assert_true(fix.question.is_open);
    assert_int_equal(fix.question.args.capacity, 0);
    tell(&fix, (xf_wasm_stamp){0});
    assert_int_equal(xf_memo_get_counts(&fix.host->memo).misses, 1);
    assert_int_equal(xf_memo_get_counts(&fix.host->memo).entries, 0);
    fixture_clear(&fix);
}

static void a_row_that_is_not_evaluated_asks_nothing(void **state)
{
    (void)state;
    fixture fix = fixture_new();
    assert_int_equal(extfn_column_append_error(fix.arguments[0], EXTFN_KIND_MISSING_INPUT, "none",
                                               NULL),
                     EXTFN_OK);
    assert_int_equal(extfn_column_append_number(fix.arguments[1], 1, NULL), EXTFN_OK);
    assert_false(ask(&fix));
    assert_false(fix.question.is_open);
    fixture_clear(&fix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_told_is_known),
        cmocka_unit_test(what_another_module_gave_is_not_known),
        cmocka_unit_test(arguments_that_are_too_large_are_left_alone),
        cmocka_unit_test(a_row_that_is_not_evaluated_asks_nothing),
    };
    return cmocka_run_group_tests_name("recall", tests, NULL, NULL);
}
