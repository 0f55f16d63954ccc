/* What is known of stacks, and threads with one of their own. SPDX-License-Identifier: MIT */
#include "os/stack.h"

#include "support/unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#define STACK_SIZE ((size_t)4 << 20) /* of which a sanitizer takes some */

typedef struct seen {
    size_t left;
    pthread_t thread;
    bool is_signal_blocked;
} seen;

static void look(void *context)
{
    seen *it = context;
    sigset_t mask;
    (void)pthread_sigmask(SIG_SETMASK, NULL, &mask);
    it->left = xf_stack_left();
    it->thread = pthread_self();
    it->is_signal_blocked = sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGALRM) == 1;
}

static void a_thread_of_our_own_has_its_stack_and_no_signals(void **state)
{
    (void)state;
    seen it = {.left = 0};
    assert_int_equal(xf_stack_call(STACK_SIZE, look, &it, NULL), EXTFN_OK);
    assert_true(it.left <= STACK_SIZE);
    assert_true(it.left >= STACK_SIZE / 2);
    assert_false(pthread_equal(it.thread, pthread_self()));
    assert_true(it.is_signal_blocked);
    sigset_t mask;
    (void)pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_int_equal(sigismember(&mask, SIGALRM), 0);
}

static void what_a_call_uses_is_no_longer_left(void **state)
{
    (void)state;
    size_t left = xf_stack_left();
    assert_true(left > STACK_SIZE);
    volatile char used[8192];
    used[0] = 1;
    used[sizeof(used) - 1] = used[0];
    seen it;
    look(&it);
    assert_true(it.left <= left);
}

static ucontext_t back;
static size_t left_elsewhere = 1;

static void look_elsewhere(void)
{
    left_elsewhere = xf_stack_left();
}

/* A host with coroutines gives us a stack of which nothing is known. */
static void nothing_is_known_of_a_stack_that_is_not_the_threads(void **state)
{
    (void)state;
    ucontext_t there;
    assert_int_equal(getcontext(&there), 0);
    void *stack = malloc(STACK_SIZE);
    assert_non_null(stack);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = STACK_SIZE;
    there.uc_link = &back;
    makecontext(&there, look_elsewhere, 0);
    assert_int_equal(swapcontext(&back, &there), 0);
    assert_int_equal(left_elsewhere, 0);
    free(stack);
}

static void a_stack_that_cannot_be_had_is_an_error(void **state)
{
    (void)state;
    seen it = {.left = 0};
    extfn_error err = {0};
    assert_int_equal(xf_stack_call(1, look, &it, &err), EXTFN_EIO);
    assert_string_equal(err.message, "start a thread: Invalid argument");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_of_our_own_has_its_stack_and_no_signals),
        cmocka_unit_test(what_a_call_uses_is_no_longer_left),
        cmocka_unit_test(nothing_is_known_of_a_stack_that_is_not_the_threads),
        cmocka_unit_test(a_stack_that_cannot_be_had_is_an_error),
    };
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
