#include "sandbox/proof.h"
#include "support/unit.h"
#include "wire/proof.h"

#include <string.h>

#define ALL_PROOFS ((XF_PROOF_SHARED_MEMORY << 1) - 1)
#define LANDLOCK (XF_PROOF_FILES | XF_PROOF_SCOPES)
#define BUBBLEWRAP                                                                                 \
    (XF_PROOF_VIEW | XF_PROOF_READ_ONLY | XF_PROOF_TMP | XF_PROOF_PROCESSES | XF_PROOF_SESSION |   \
     XF_PROOF_USER)

static xf_policy policy_of(xf_confinement confinement, int landlock_version)
{
    return (xf_policy){
        .confinement = confinement,
        .memory_bytes = 1U << 30,
        .tmp_bytes = 64U << 20,
        .landlock = xf_landlock_layers(landlock_version, true),
    };
}

static uint32_t promise(xf_confinement confinement, int landlock_version)
{
    xf_policy policy = policy_of(confinement, landlock_version);
    return xf_proof_promise(&policy);
}

static void a_sandbox_promises_all_that_the_kernel_has(void **state)
{
    (void)state;
    assert_int_equal(promise(XF_CONFINED, 6), ALL_PROOFS);
    assert_int_equal(promise(XF_CONFINED, 5), ALL_PROOFS & ~(uint32_t)XF_PROOF_SCOPES);
    assert_int_equal(promise(XF_CONFINED, 0), ALL_PROOFS & ~(uint32_t)LANDLOCK);
}

static void without_bubblewrap_what_it_makes_is_not_promised(void **state)
{
    (void)state;
    assert_int_equal(promise(XF_UNCONFINED, 6),
                     ALL_PROOFS & ~(uint32_t)(BUBBLEWRAP | XF_PROOF_FILES));
    assert_int_equal(promise(XF_UNCONFINED, 0), ALL_PROOFS & ~(uint32_t)(BUBBLEWRAP | LANDLOCK));
}

static void the_trusted_are_promised_nothing(void **state)
{
    (void)state;
    assert_int_equal(promise(XF_TRUSTED, 6), 0);
}

/* The attempts could succeed there, and rightly so. */
static void limits_beyond_what_is_tried_are_not_promised(void **state)
{
    (void)state;
    xf_policy policy = policy_of(XF_CONFINED, 6);
    policy.memory_bytes = UINT64_C(1) << 50;
    policy.tmp_bytes = 0;
    assert_int_equal(xf_proof_promise(&policy),
                     ALL_PROOFS & ~(uint32_t)(XF_PROOF_MEMORY | XF_PROOF_TMP));
}

static void each_missing_layer_is_told_with_what_to_do(void **state)
{
    (void)state;
    for (uint32_t bit = 1; bit & ALL_PROOFS; bit <<= 1) {
        extfn_error err = {0};
        assert_int_equal(xf_proof_missing(bit, &err), EXTFN_ESANDBOX);
        assert_ptr_equal(strstr(err.message, "sandbox unavailable: "), err.message);
        assert_non_null(strstr(err.message, " does not hold here: "));
        assert_non_null(strstr(err.message, "; use "));
    }
    extfn_error err = {0};
    assert_int_equal(xf_proof_missing(XF_PROOF_SCOPES | XF_PROOF_VIEW, &err), EXTFN_ESANDBOX);
    assert_string_equal(err.message,
                        "sandbox unavailable: the view of files does not hold here: a file of the "
                        "host could be seen; use the bubblewrap of the system's package, without a "
                        "wrapper around it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sandbox_promises_all_that_the_kernel_has),
        cmocka_unit_test(without_bubblewrap_what_it_makes_is_not_promised),
        cmocka_unit_test(the_trusted_are_promised_nothing),
        cmocka_unit_test(limits_beyond_what_is_tried_are_not_promised),
        cmocka_unit_test(each_missing_layer_is_told_with_what_to_do),
    };
    return cmocka_run_group_tests_name("proof", tests, NULL, NULL);
}
