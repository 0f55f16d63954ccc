#include "base/kernel.h"
#include "support/require.h"

#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_NAMESPACE 9

static void the_version_of_landlock_is_told_or_0(void **state)
{
    (void)state;
    assert_in_range(xf_kernel_landlock_version(), 0, 1000);
}

/* 0: another network has another number. */
static int compare_with_another(uint64_t here)
{
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return NO_NAMESPACE;
    uint64_t there = xf_kernel_network();
    return there != 0 && there != here ? 0 : 1;
}

static void each_network_has_a_number_of_its_own(void **state)
{
    (void)state;
    uint64_t here = xf_kernel_network();
    XF_TEST_REQUIRE("SO_NETNS_COOKIE", here != 0);
    assert_true(xf_kernel_network() == here);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(compare_with_another(here));
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    XF_TEST_REQUIRE("user namespaces", WEXITSTATUS(status) != NO_NAMESPACE);
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void processors_are_those_that_we_may_use(void **state)
{
    (void)state;
    cpu_set_t before;
    assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
    assert_int_equal(xf_kernel_processors(), (size_t)CPU_COUNT(&before));
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
    assert_int_equal(xf_kernel_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

/* The kernel's own word in another place, in KiB. */
static void memory_is_that_of_the_machine(void **state)
{
    (void)state;
    FILE *file = fopen("/proc/meminfo", "r");
    XF_TEST_REQUIRE("/proc/meminfo", file != NULL);
    unsigned long long total = 0;
    int count = fscanf(file, "MemTotal: %llu", &total); /* NOLINT(cert-err34-c) */
    (void)fclose(file);
    assert_int_equal(count, 1);
    assert_int_equal(xf_kernel_memory() / 1024, total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_of_landlock_is_told_or_0),
        cmocka_unit_test(each_network_has_a_number_of_its_own),
        cmocka_unit_test(memory_is_that_of_the_machine),
        cmocka_unit_test(processors_are_those_that_we_may_use),
    };
    return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
