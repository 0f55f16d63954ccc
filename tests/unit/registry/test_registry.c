#include "registry/registry.h"
#include "support/oom.h"
#include "support/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static extfn_function *make(const char *name, const char *body)
{
    extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = name,
        .body = body,
        .return_type = EXTFN_NUMBER,
    };
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    return function;
}

static extfn_registry *make_registry(void)
{
    extfn_registry *registry = NULL;
    assert_int_equal(extfn_registry_new(&registry, NULL), EXTFN_OK);
    return registry;
}

static void add(extfn_registry *registry, const char *name, const char *body)
{
    extfn_function *function = make(name, body);
    assert_int_equal(extfn_registry_register(registry, function, NULL, NULL), EXTFN_OK);
    extfn_function_unref(function);
}

static void a_new_registry_is_empty_and_waits_five_seconds(void **state)
{
    (void)state;
    extfn_registry *registry = make_registry();
    assert_true(extfn_registry_is_empty(registry));
    assert_int_equal(extfn_registry_count(registry), 0);
    assert_int_equal(extfn_registry_timeout(registry), 5000000);
    assert_null(extfn_registry_get(registry, "f"));
    assert_null(extfn_registry_at(registry, 0));
    extfn_registry_free(registry);
    extfn_registry_free(NULL);
}

static void the_time_limit_is_at_least_a_microsecond(void **state)
{
    (void)state;
    extfn_registry *registry = make_registry();
    extfn_error err = {0};
    assert_int_equal(extfn_registry_set_timeout(registry, 1, &err), EXTFN_OK);
    assert_int_equal(extfn_registry_timeout(registry), 1);
    assert_int_equal(extfn_registry_set_timeout(registry, 0, &err), EXTFN_EINVAL);
    assert_string_equal(err.message, "a time limit is at least one microsecond");
    assert_int_equal(extfn_registry_timeout(registry), 1);
    extfn_registry_free(registry);
}

static void register_hands_back_the_former_function(void **state)
{
    (void)state;
    extfn_registry *registry = make_registry();
    extfn_function *first = make("f", "1");
    extfn_function *second = make("f", "2");
    extfn_function *former = first;
    assert_int_equal(extfn_registry_register(registry, first, &former, NULL), EXTFN_OK);
    assert_null(former);
    assert_int_equal(extfn_registry_register(registry, second, &former, NULL), EXTFN_OK);
    assert_ptr_equal(former, first);
    assert_int_equal(extfn_registry_count(registry), 1);
    extfn_function *now = extfn_registry_get(registry, "f");
    assert_ptr_equal(now, second);
    extfn_registry_free(registry);
    assert_string_equal(extfn_function_body(now, NULL), "2");
    extfn_function_unref(now);
    extfn_function_unref(former);
    extfn_function_unref(first);
    extfn_function_unref(second);
    registry = make_registry();
    assert_int_equal(extfn_registry_register(registry, NULL, NULL, NULL), EXTFN_EINVAL);
    extfn_registry_free(registry);
}

static void functions_stand_in_the_order_of_their_names(void **state)
{
    (void)state;
    static const char *const sorted[] = {"B", "a", "a1", "aa", "b", "\xc3\xa4"};
    static const size_t order[] = {3, 0, 5, 1, 4, 2};
    extfn_registry *registry = make_registry();
    for (size_t i = 0; i < 6; i++)
        add(registry, sorted[order[i]], "1");
    assert_int_equal(extfn_registry_count(registry), 6);
    for (size_t i = 0; i < 6; i++) {
        extfn_function *function = extfn_registry_at(registry, i);
        assert_string_equal(extfn_function_name(function), sorted[i]);
        extfn_function_unref(function);
    }
    assert_null(extfn_registry_at(registry, 6));
    extfn_registry_free(registry);
}

static void a_missing_function_is_told_in_the_contracts_words(void **state)
{
    (void)state;
    extfn_registry *registry = make_registry();
    extfn_function *function = NULL;
    extfn_error err = {0};
    add(registry, "f", "1");
    assert_int_equal(xf_registry_find(registry, "f", &function, &err), EXTFN_OK);
    extfn_function_unref(function);
    assert_int_equal(xf_registry_find(registry, "g", &function, &err), EXTFN_ENOTFOUND);
    assert_string_equal(err.message, "external function not found: g");
    assert_int_equal(xf_registry_find(NULL, "f", &function, &err), EXTFN_ENOTFOUND);
    extfn_registry_free(registry);
}

typedef struct worker {
    extfn_registry *registry;
    unsigned number;
} worker;

/* Registers its own names and one that all threads share. */
static void *work(void *context)
{
    worker *self = context;
    for (unsigned i = 0; i < 200; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "f%u_%u", self->number, i % 20);
        extfn_function *function = make(i % 2 ? name : "shared", "1");
        extfn_function *former = NULL;
        extfn_function *got = NULL;
        extfn_error err = {0};
        (void)!extfn_registry_register(self->registry, function, &former, &err);
        (void)!extfn_registry_set_timeout(self->registry, i + 1, &err);
        (void)extfn_registry_timeout(self->registry);
        extfn_function_unref(function);
        extfn_function_unref(former);
        got = extfn_registry_get(self->registry, "shared");
        extfn_function_unref(got);
        got = extfn_registry_at(self->registry, i % 30);
        extfn_function_unref(got);
    }
    return NULL;
}

static void many_threads_may_use_one_registry(void **state)
{
    (void)state;
    extfn_registry *registry = make_registry();
    pthread_t threads[4];
    worker workers[4];
    for (unsigned i = 0; i < 4; i++) {
        workers[i] = (worker){.registry = registry, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(extfn_registry_count(registry), 4 * 10 + 1);
    extfn_registry_free(registry);
}

static void registering_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    extfn_function *function = make("f", "1");
    XF_OOM_SWEEP(status, {
        extfn_registry *registry = NULL;
        status = extfn_registry_new(&registry, NULL);
        if (status == EXTFN_OK)
            status = extfn_registry_register(registry, function, NULL, NULL);
        extfn_registry_free(registry);
    });
    extfn_function_unref(function);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_registry_is_empty_and_waits_five_seconds),
        cmocka_unit_test(the_time_limit_is_at_least_a_microsecond),
        cmocka_unit_test(register_hands_back_the_former_function),
        cmocka_unit_test(functions_stand_in_the_order_of_their_names),
        cmocka_unit_test(a_missing_function_is_told_in_the_contracts_words),
        cmocka_unit_test(many_threads_may_use_one_registry),
        cmocka_unit_test(registering_survives_oom),
    };
    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
