/* Starts that go wrong, with an R that is a shell script: trusted, so that it needs no sandbox. */
#include "eval/acquire.h"

#include "support/host.h"
#include "support/tree.h"

typedef struct fixture {
    xf_test_tree tree;
    extfn_host *host;
    extfn_function *function;
    extfn_error err;
} fixture;

/* `script` is what starts in the place of R. */
static fixture fixture_new(const char *script, int64_t start_timeout_us)
{
    fixture fix = {.tree = xf_test_tree_new(),
                   .function = test_function(EXTFN_R, "->N", "result <- 1")};
    char text[200];
    (void)snprintf(text, sizeof(text), "#!/bin/sh\necho %s\n", fix.tree.root);
    xf_test_file(&fix.tree, "/R", 0755, text);
    xf_test_file(&fix.tree, "/library/base/DESCRIPTION", 0644, "Package: base\nVersion: 4.2.2\n");
    xf_test_file(&fix.tree, "/bin/exec/R", 0755, script);
    char path[64];
    (void)snprintf(path, sizeof(path), "%s", xf_test_path(&fix.tree, "/R"));
    fix.host = test_host(&(extfn_host_options){.policy = EXTFN_TRUSTED,
                                               .start_timeout_us = start_timeout_us,
                                               .interpreters = {[EXTFN_R] = path}});
    return fix;
}

static void fixture_clear(fixture *fix)
{
    extfn_function_unref(fix->function);
    extfn_host_free(fix->host);
    xf_test_tree_free(&fix->tree);
}

static void assert_start_fails(const char *script, int64_t start_timeout_us,
                               extfn_call_options options, extfn_status status, const char *text)
{
    fixture fix = fixture_new(script, start_timeout_us);
    options.struct_size = sizeof(options);
    assert_int_equal(extfn_host_check(fix.host, fix.function, &options, &fix.err), status);
    assert_string_equal(fix.err.message, text);
    assert_int_equal(extfn_host_check(fix.host, fix.function, &options, NULL), status);
    fixture_clear(&fix);
}

static const extfn_call_options none = {0};

static void an_interpreter_that_ends_is_unavailable_in_its_own_words(void **state)
{
    (void)state;
    assert_start_fails("#!/bin/sh\nprintf 'broken\\ninstallation\\n\\n' >&2\nexit 3\n", 0, none,
                       EXTFN_EUNAVAILABLE,
                       "language runtime unavailable: R (R): its start ended with exit status 3: "
                       "broken installation; look at the interpreter's installation");
}

static void an_interpreter_that_is_killed_is_no_missing_one(void **state)
{
    (void)state;
    fixture fix = fixture_new("#!/bin/sh\nkill -SEGV $$\n", 0);
    assert_int_equal(extfn_host_check(fix.host, fix.function, NULL, &fix.err), EXTFN_ERUNTIME);
    assert_memory_equal(fix.err.message, "function died: signal 11 (SIGSEGV)", 34);
    fixture_clear(&fix);
}

static void an_interpreter_that_hangs_meets_the_limit_of_the_start(void **state)
{
    (void)state;
    assert_start_fails("#!/bin/sh\nexec sleep 100\n", 300000, none, EXTFN_ETIMEOUT,
                       "function start timed out after 300ms");
}

static void the_deadline_of_the_call_counts_while_a_worker_starts(void **state)
{
    (void)state;
    assert_start_fails("#!/bin/sh\nexec sleep 100\n", 0,
                       (extfn_call_options){.deadline_us = 200000}, EXTFN_ETIMEOUT,
                       "the deadline passed while a worker started");
}

static void a_start_can_be_canceled(void **state)
{
    (void)state;
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    extfn_cancel_trigger(cancel);
    assert_start_fails("#!/bin/sh\nexec sleep 100\n", 0, (extfn_call_options){.cancel = cancel},
                       EXTFN_ECANCELED, "canceled by the host");
    extfn_cancel_free(cancel);
}

static void a_start_that_floods_is_ended(void **state)
{
    (void)state;
    assert_start_fails("#!/bin/sh\nexec yes\n", 0, none, EXTFN_ERUNTIME, "output too large");
}

/* Frame FAILED of call 1 with the detail "language" or "seal": see wire.h. */
#define FAILED_FRAME(detail)                                                                       \
    "#!/bin/sh\nprintf 'exfn\\001\\000\\021\\000\\001\\000\\000\\000\\000\\000\\000\\000"          \
    "\\001\\000\\000\\000\\00" detail "\\000\\000\\000' >&4\nexec sleep 100\n"

static void a_driver_may_find_its_language_or_its_seal_wanting(void **state)
{
    (void)state;
    assert_start_fails(
        FAILED_FRAME("2"), 0, none, EXTFN_EUNAVAILABLE,
        "language runtime unavailable: R (R): the worker gives no reason; install a complete interpreter");
    assert_start_fails(FAILED_FRAME("3"), 0, none, EXTFN_ESANDBOX,
                       "sandbox unavailable: the worker could not be sealed: the worker gives "
                       "no reason; use a kernel with seccomp filters");
}

static void a_driver_that_speaks_out_of_turn_broke_the_protocol(void **state)
{
    (void)state;
    assert_start_fails("#!/bin/sh\nhead -c 24 /dev/zero >&4\nexec sleep 100\n", 0, none,
                       EXTFN_ERUNTIME, "worker broke the protocol: not a frame");
}

/* The host's own /tmp is cleared by nobody: these two live in it. */
static void only_a_confined_worker_is_told_that_tmp_is_its_own(void **state)
{
    (void)state;
    assert_int_equal(xf_setup_flags(XF_CONFINED), XF_SETUP_SEAL | XF_SETUP_OWN_TMP);
    assert_int_equal(xf_setup_flags(XF_UNCONFINED), XF_SETUP_SEAL);
    assert_int_equal(xf_setup_flags(XF_TRUSTED), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interpreter_that_ends_is_unavailable_in_its_own_words),
        cmocka_unit_test(an_interpreter_that_is_killed_is_no_missing_one),
        cmocka_unit_test(an_interpreter_that_hangs_meets_the_limit_of_the_start),
        cmocka_unit_test(the_deadline_of_the_call_counts_while_a_worker_starts),
        cmocka_unit_test(a_start_can_be_canceled),
        cmocka_unit_test(a_start_that_floods_is_ended),
        cmocka_unit_test(a_driver_may_find_its_language_or_its_seal_wanting),
        cmocka_unit_test(a_driver_that_speaks_out_of_turn_broke_the_protocol),
        cmocka_unit_test(only_a_confined_worker_is_told_that_tmp_is_its_own),
    };
    return cmocka_run_group_tests_name("acquire", tests, NULL, NULL);
}
