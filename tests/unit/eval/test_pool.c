#include "eval/pool.h"

#include "support/host.h"
#include "support/oom.h"

/* The pool never looks into a worker: empty ones will do. */
typedef struct fixture {
    xf_pool pool;
    xf_worker workers[3];
    extfn_function *f;
    extfn_function *g;
} fixture;

static fixture fixture_new(size_t limit)
{
    fixture fix = {.f = test_function(EXTFN_PYTHON, "->N", "result = 1"),
                   .g = test_function(EXTFN_PYTHON, "->N", "result = 2")};
    assert_int_equal(xf_pool_init(&fix.pool, limit, NULL), EXTFN_OK);
    return fix;
}

static void fixture_clear(fixture *fix)
{
    while (xf_pool_drain(&fix->pool)) {
    }
    xf_pool_clear(&fix->pool);
    extfn_function_unref(fix->f);
    extfn_function_unref(fix->g);
}

static void a_worker_serves_its_function_only(void **state)
{
    (void)state;
    fixture fix = fixture_new(3);
    assert_null(xf_pool_put(&fix.pool, &fix.workers[0], fix.f));
    assert_null(xf_pool_take(&fix.pool, fix.g));
    assert_ptr_equal(xf_pool_take(&fix.pool, fix.f), &fix.workers[0]);
    assert_null(xf_pool_take(&fix.pool, fix.f));
    fixture_clear(&fix);
}

static void an_equal_function_is_as_good(void **state)
{
    (void)state;
    fixture fix = fixture_new(3);
    assert_null(xf_pool_put(&fix.pool, &fix.workers[0], fix.f));
    extfn_function *again = test_function(EXTFN_PYTHON, "->N", "result = 1");
    assert_ptr_equal(xf_pool_take(&fix.pool, again), &fix.workers[0]);
    extfn_function_unref(again);
    fixture_clear(&fix);
}

static void the_newest_is_taken_and_the_oldest_has_to_go(void **state)
{
    (void)state;
    fixture fix = fixture_new(2);
    assert_null(xf_pool_put(&fix.pool, &fix.workers[0], fix.f));
    assert_null(xf_pool_put(&fix.pool, &fix.workers[1], fix.f));
    assert_ptr_equal(xf_pool_put(&fix.pool, &fix.workers[2], fix.g), &fix.workers[0]);
    assert_ptr_equal(xf_pool_drain(&fix.pool), &fix.workers[1]);
    assert_ptr_equal(xf_pool_drain(&fix.pool), &fix.workers[2]);
    assert_null(xf_pool_drain(&fix.pool));
    fixture_clear(&fix);
}

static void the_newest_of_several_comes_first(void **state)
{
    (void)state;
    fixture fix = fixture_new(3);
    assert_null(xf_pool_put(&fix.pool, &fix.workers[0], fix.f));
    assert_null(xf_pool_put(&fix.pool, &fix.workers[1], fix.g));
    assert_null(xf_pool_put(&fix.pool, &fix.workers[2], fix.f));
    assert_ptr_equal(xf_pool_take(&fix.pool, fix.f), &fix.workers[2]);
    assert_ptr_equal(xf_pool_take(&fix.pool, fix.f), &fix.workers[0]);
    assert_ptr_equal(xf_pool_take(&fix.pool, fix.g), &fix.workers[1]);
    fixture_clear(&fix);
}

static void what_its_workers_are_counted_with_adds_up(void **state)
{
    (void)state;
    fixture fix = fixture_new(3);
    assert_int_equal(xf_pool_memory(&fix.pool), 0);
    fix.workers[0].counted = 5;
    fix.workers[1].counted = 7;
    assert_null(xf_pool_put(&fix.pool, &fix.workers[0], fix.f));
    assert_null(xf_pool_put(&fix.pool, &fix.workers[1], fix.g));
    assert_int_equal(xf_pool_memory(&fix.pool), 12);
    fixture_clear(&fix);
}

static void a_pool_without_room_hands_the_worker_back(void **state)
{
    (void)state;
    fixture fix = fixture_new(0);
    assert_ptr_equal(xf_pool_put(&fix.pool, &fix.workers[0], fix.f), &fix.workers[0]);
    fixture_clear(&fix);
}

static void making_one_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    xf_pool pool = {0};
    XF_OOM_SWEEP(status, status = xf_pool_init(&pool, 4, NULL));
    xf_pool_clear(&pool);
    assert_int_equal(xf_pool_init(&pool, SIZE_MAX, NULL), EXTFN_ENOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_serves_its_function_only),
        cmocka_unit_test(an_equal_function_is_as_good),
        cmocka_unit_test(the_newest_is_taken_and_the_oldest_has_to_go),
        cmocka_unit_test(the_newest_of_several_comes_first),
        cmocka_unit_test(what_its_workers_are_counted_with_adds_up),
        cmocka_unit_test(a_pool_without_room_hands_the_worker_back),
        cmocka_unit_test(making_one_survives_oom),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
