#include "eval/cancel.h"

#include "support/fds.h"
#include "support/oom.h"
#include "support/process.h"

#include <poll.h>
#include <sys/resource.h>

static bool is_triggered(const extfn_cancel *cancel)
{
    struct pollfd watched = {.fd = cancel->read_end, .events = POLLIN};
    return poll(&watched, 1, 0) == 1;
}

static void it_is_seen_from_the_trigger_on_and_for_ever(void **state)
{
    (void)state;
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    assert_false(is_triggered(cancel));
    extfn_cancel_trigger(cancel);
    assert_true(is_triggered(cancel));
    assert_true(is_triggered(cancel));
    extfn_cancel_free(cancel);
}

/* A signal handler may trigger any number of times. */
static void it_never_blocks(void **state)
{
    (void)state;
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    for (int i = 0; i < 200000; i++)
        extfn_cancel_trigger(cancel);
    assert_true(is_triggered(cancel));
    extfn_cancel_free(cancel);
}

static void freeing_nothing_is_fine(void **state)
{
    (void)state;
    extfn_cancel_free(NULL);
}

static void making_one_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    extfn_cancel *cancel = NULL;
    XF_OOM_SWEEP(status, status = extfn_cancel_new(&cancel, NULL));
    extfn_cancel_free(cancel);
}

static void without_descriptors_it_cannot_be_made(void **state)
{
    (void)state;
    struct rlimit former;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &former), 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = former.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    extfn_cancel *cancel = NULL;
    extfn_error err = {0};
    extfn_status status = extfn_cancel_new(&cancel, &err);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &former), 0);
    assert_int_equal(status, EXTFN_EIO);
    assert_int_equal(err.os_errno, EMFILE);
    assert_null(cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_seen_from_the_trigger_on_and_for_ever),
        cmocka_unit_test(it_never_blocks),
        cmocka_unit_test(freeing_nothing_is_fine),
        cmocka_unit_test(making_one_survives_oom),
        cmocka_unit_test(without_descriptors_it_cannot_be_made),
    };
    return cmocka_run_group_tests_name("cancel", tests, NULL, NULL);
}
