#include "eval/memo.h"

#include "registry/function.h"
#include "support/oom.h"
#include "support/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 65536

static extfn_function *function_of(const char *body)
{
    const extfn_function_options options = {.struct_size = sizeof(options),
                                            .name = "f",
                                            .language = EXTFN_PYTHON,
                                            .body = body,
                                            .return_type = EXTFN_NUMBER,
                                            .is_pure = true};
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    return function;
}

static xf_memo_key key_of(extfn_function *function, const char *args, uint64_t hash)
{
    return (xf_memo_key){.scope = {.function = function, .limit_us = 1},
                         .args = args,
                         .size = strlen(args),
                         .hash = hash};
}

static void keep(xf_memo *memo, const xf_memo_key *key, const char *value)
{
    xf_memo_keep(memo, key, value, strlen(value), false);
}

/* NULL: there is none. */
static void assert_finds(xf_memo *memo, const xf_memo_key *key, const char *value)
{
    xf_buf found = {0};
    bool is_unsandboxed = true;
    assert_int_equal(xf_memo_find(memo, key, &found, &is_unsandboxed), value != NULL);
    assert_int_equal(is_unsandboxed, value == NULL); /* untouched where nothing is found */
    assert_int_equal(found.size, value ? strlen(value) : 0);
    if (found.size > 0)
        assert_memory_equal(found.data, value, found.size);
    xf_buf_clear(&found);
}

static void what_was_kept_is_found_and_nothing_else(void **state)
{
    (void)state;
    xf_memo memo;
    xf_memo_init(&memo, LIMIT);
    extfn_function *function = function_of("result = 1");
    const xf_memo_key key = key_of(function, "one", 7);
    assert_finds(&memo, &key, NULL);
    keep(&memo, &key, "1");
    assert_finds(&memo, &key, "1");
    const xf_memo_key longer = key_of(function, "one1", 7);
    assert_finds(&memo, &longer, NULL);
    const xf_memo_key empty = key_of(function, "", 7);
    assert_finds(&memo, &empty, NULL);
    keep(&memo, &empty, "");
    assert_finds(&memo, &empty, "");
    assert_finds(&memo, &key, "1");
    extfn_function_unref(function);
    xf_memo_clear(&memo);
}

/* All hashes are the same: what differs must be told apart by itself. */
static void equal_hashes_do_not_mix(void **state)
{
    (void)state;
    xf_memo memo;
    xf_memo_init(&memo, LIMIT);
    extfn_function *functions[] = {function_of("result = 1"), function_of("result = 2")};
    xf_memo_key keys[6];
    for (size_t i = 0; i < 6; i++)
        keys[i] = key_of(functions[0], "same", 0);
    keys[1].scope.function = functions[1];
    keys[2].scope.limit_us = 2;
    keys[3].scope.stamp.inode = 1;
    keys[4].scope.stamp.changed_ns = 1;
    keys[5].args = "sand";
    static const char *const values[] = {"0", "1", "2", "3", "4", "5"};
    for (size_t i = 0; i < 6; i++) {
        assert_finds(&memo, &keys[i], NULL);
        keep(&memo, &keys[i], values[i]);
    }
    for (size_t i = 0; i < 6; i++)
        assert_finds(&memo, &keys[i], values[i]);
    const xf_memo_counts counts = xf_memo_get_counts(&memo);
    assert_int_equal(counts.entries, 6);
    assert_int_equal(counts.hits, 6);
    xf_memo_clear(&memo);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(atomic_load(&functions[i]->refs), 1);
        extfn_function_unref(functions[i]);
    }
}

/* As rpc has them: each request its own descriptor. */
static void equal_functions_are_the_same(void **state)
{
    (void)state;
    xf_memo memo;
    xf_memo_init(&memo, LIMIT);
    extfn_function *first = function_of("result = 1");
    extfn_function *second = function_of("result = 1");
    const xf_memo_key kept = key_of(first, "x", 3);
    const xf_memo_key asked = key_of(second, "x", 3);
    keep(&memo, &kept, "1");
    extfn_function_unref(first);
    assert_finds(&memo, &asked, "1");
    extfn_function_unref(second);
    xf_memo_clear(&memo);
}

static void what_was_used_longest_ago_goes_first(void **state)
{
    (void)state;
    xf_memo memo;
    xf_memo_init(&memo, LIMIT);
    extfn_function *function = function_of("result = 1");
    char value[4001];
    memset(value, 'x', sizeof(value) - 1);
    value[sizeof(value) - 1] = '\0';
    static const char *const names = "abcdefghijklmnopqrstuvwxyz";
    char args[26][2];
    for (uint64_t i = 0; i < 26; i++) {
        memcpy(args[i], (char[]){names[i], '\0'}, 2);
        const xf_memo_key key = key_of(function, args[i], i);
        keep(&memo, &key, value);
        const xf_memo_key first = key_of(function, "a", 0);
        assert_finds(&memo, &first, value); /* in use all the time */
        assert_true(xf_memo_get_counts(&memo).bytes <= LIMIT);
    }
    const xf_memo_key second = key_of(function, "b", 1);
    assert_finds(&memo, &second, NULL);
    const xf_memo_key last = key_of(function, "z", 25);
    assert_finds(&memo, &last, value);
    const xf_memo_counts counts = xf_memo_get_counts(&memo);
    assert_int_equal(counts.entries + counts.evictions, 26);
    assert_in_range(counts.entries, 10, 16);
    extfn_function_unref(function);
    xf_memo_clear(&memo);
}

static void one_that_is_too_large_is_not_kept(void **state)
{
    (void)state;
    xf_memo memo;
    xf_memo_init(&memo, LIMIT);
    extfn_function *function = function_of("result = 1");
    const xf_memo_key key = key_of(function, "x", 1);
    char *value = calloc(1, LIMIT);
    assert_non_null(value);
    xf_memo_keep(&memo, &key, value, LIMIT / 8, false);
    assert_int_equal(xf_memo_get_counts(&memo).entries, 0);
    xf_memo_keep(&memo, &key, value, LIMIT / 9, true);
    assert_int_equal(xf_memo_get_counts(&memo).entries, 1);
    xf_buf found = {0};
    bool is_unsandboxed = false;
    assert_true(xf_memo_find(&memo, &key, &found, &is_unsandboxed));
    assert_true(is_unsandboxed);
    xf_buf_clear(&found);
    free(value);
    extfn_function_unref(function);
    xf_memo_clear(&memo);
}

/* The body of a function that nobody else holds any longer counts too. */
static void functions_count_and_go_with_their_last_entry(void **state)
{
    (void)state;
    xf_memo memo;
    xf_memo_init(&memo, LIMIT);
    static char body[7001];
    memset(body, '#', sizeof(body) - 1);
    body[sizeof(body) - 1] = '\0';
    extfn_function *functions[12];
    for (size_t i = 0; i < 12; i++) {
        body[0] = (char)('a' + i);
        functions[i] = function_of(body);
        const xf_memo_key key = key_of(functions[i], "x", i);
        keep(&memo, &key, "1");
        assert_true(xf_memo_get_counts(&memo).bytes <= LIMIT);
    }
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(atomic_load(&functions[i]->refs), i < 4 ? 1 : 2);
    xf_memo_clear(&memo);
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(atomic_load(&functions[i]->refs), 1);
        extfn_function_unref(functions[i]);
    }
}

/* One that would push all others out, and itself. */
static void a_function_that_is_too_large_leaves_the_others_alone(void **state)
{
    (void)state;
    xf_memo memo;
    xf_memo_init(&memo, LIMIT);
    extfn_function *small = function_of("result = 1");
    static char body[LIMIT];
    memset(body, '#', sizeof(body) - 1);
    extfn_function *large = function_of(body);
    const xf_memo_key first = key_of(small, "x", 1);
    const xf_memo_key second = key_of(large, "x", 2);
    keep(&memo, &first, "1");
    keep(&memo, &second, "2");
    assert_finds(&memo, &first, "1");
    assert_finds(&memo, &second, NULL);
    assert_int_equal(xf_memo_get_counts(&memo).evictions, 0);
    xf_memo_clear(&memo);
    extfn_function_unref(small);
    extfn_function_unref(large);
}

static void without_memory_nothing_is_kept_and_nothing_lost(void **state)
{
    (void)state;
    extfn_function *function = function_of("result = 1");
    xf_memo memo;
    xf_memo_init(&memo, LIMIT);
    const xf_memo_key key = key_of(function, "x", 1);
    long nth = 0;
    for (; xf_memo_get_counts(&memo).entries == 0; nth++) {
        assert_true(nth < 100);
        xf_alloc_fail_after(nth);
        keep(&memo, &key, "1");
        xf_alloc_fail_after(-1);
    }
    assert_int_equal(nth, 4); /* entry, table, scope; then it worked */
    xf_buf found = {0};
    bool is_unsandboxed = false;
    xf_alloc_fail_after(0);
    assert_false(xf_memo_find(&memo, &key, &found, &is_unsandboxed));
    xf_alloc_fail_after(-1);
    assert_finds(&memo, &key, "1");
    xf_memo_clear(&memo);
    assert_int_equal(atomic_load(&function->refs), 1);
    extfn_function_unref(function);
}

/* A repeatable sequence. */
static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 16;
}

#define MODEL_KEYS 500

/* Beside an array of what was kept last: the memo may have forgotten it, never changed it. */
static void random_use_finds_what_was_kept_or_nothing(void **state)
{
    (void)state;
    extfn_function *functions[] = {function_of("result = 1"), function_of("result = 2")};
    xf_memo memo;
    xf_memo_init(&memo, LIMIT);
    bool is_kept[MODEL_KEYS] = {false};
    uint32_t seed = 1;
    size_t found_count = 0;
    for (int i = 0; i < 50000; i++) {
        uint32_t id = next_random(&seed) % MODEL_KEYS;
        char args[32];
        char value[256];
        (void)snprintf(args, sizeof(args), "%0*u", (int)(id % 20), id / 2);
        (void)snprintf(value, sizeof(value), "%0*u", (int)(id % 200), id);
        const xf_memo_key key = key_of(functions[id % 2], args, id % 3 == 0 ? id : id % 7);
        xf_buf found = {0};
        bool is_unsandboxed = false;
        if (xf_memo_find(&memo, &key, &found, &is_unsandboxed)) {
            assert_true(is_kept[id]);
            assert_int_equal(found.size, strlen(value));
            assert_memory_equal(found.data, value, found.size);
            found_count++;
        } else {
            keep(&memo, &key, value);
            is_kept[id] = true;
        }
        xf_buf_clear(&found);
        assert_true(xf_memo_get_counts(&memo).bytes <= LIMIT);
    }
    const xf_memo_counts counts = xf_memo_get_counts(&memo);
    assert_int_equal(counts.hits, found_count);
    assert_true(counts.evictions > 0);
    assert_true(found_count > 1000);
    xf_memo_clear(&memo);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(atomic_load(&functions[i]->refs), 1);
        extfn_function_unref(functions[i]);
    }
}

typedef struct shared {
    xf_memo memo;
    extfn_function *function;
} shared;

static void *use(void *context)
{
    shared *all = context;
    for (uint64_t i = 0; i < 5000; i++) {
        char text[32];
        (void)snprintf(text, sizeof(text), "%u", (unsigned)(i * 7 % 1000));
        const xf_memo_key key = key_of(all->function, text, i % 13);
        xf_buf found = {0};
        bool is_unsandboxed = false;
        bool is_found = xf_memo_find(&all->memo, &key, &found, &is_unsandboxed);
        bool is_right =
            !is_found || (found.size == strlen(text) && memcmp(found.data, text, found.size) == 0);
        xf_buf_clear(&found);
        if (!is_right)
            return context;
        keep(&all->memo, &key, text);
    }
    return NULL;
}

static void threads_share_one(void **state)
{
    (void)state;
    shared all = {.function = function_of("result = 1")};
    xf_memo_init(&all.memo, LIMIT);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use, &all), 0);
    for (size_t i = 0; i < 4; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    xf_memo_clear(&all.memo);
    assert_int_equal(atomic_load(&all.function->refs), 1);
    extfn_function_unref(all.function);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_kept_is_found_and_nothing_else),
        cmocka_unit_test(equal_hashes_do_not_mix),
        cmocka_unit_test(equal_functions_are_the_same),
        cmocka_unit_test(what_was_used_longest_ago_goes_first),
        cmocka_unit_test(one_that_is_too_large_is_not_kept),
        cmocka_unit_test(functions_count_and_go_with_their_last_entry),
        cmocka_unit_test(a_function_that_is_too_large_leaves_the_others_alone),
        cmocka_unit_test(without_memory_nothing_is_kept_and_nothing_lost),
        cmocka_unit_test(random_use_finds_what_was_kept_or_nothing),
        cmocka_unit_test(threads_share_one),
    };
    return cmocka_run_group_tests_name("memo", tests, NULL, NULL);
}
