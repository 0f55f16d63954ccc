#include "base/auto.h"
#include "sandbox/find.h"
#include "support/oom.h"
#include "support/require.h"
#include "support/tree.h"

#include <errno.h>

static void assert_found(const char *search_path, const char *expected)
{
    XF_AUTO_FREE char *path = NULL;
    assert_int_equal(xf_bwrap_find(search_path, &path, NULL), EXTFN_OK);
    assert_string_equal(path, expected);
}

static void the_first_executable_one_is_found(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_folder(&tree, "/folder/bwrap");
    xf_test_file(&tree, "/plain/bwrap", 0644, "");
    xf_test_file(&tree, "/good/bwrap", 0755, "");
    char list[512];
    (void)snprintf(list, sizeof(list), ":relative:%s/none:%s/folder:%s/plain:%s/good:%s/late",
                   tree.root, tree.root, tree.root, tree.root, tree.root);
    assert_found(list, xf_test_path(&tree, "/good/bwrap"));
    xf_test_tree_free(&tree);
}

static void none_is_refused_with_advice(void **state)
{
    (void)state;
    static const char *const lists[] = {"", ":", "/nonexistent", "bin:.", "/"};
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        char *path = NULL;
        extfn_error err = {0};
        assert_int_equal(xf_bwrap_find(lists[i], &path, &err), EXTFN_ESANDBOX);
        assert_string_equal(err.message, "sandbox unavailable: bubblewrap (bwrap) was not found; "
                                         "install the package bubblewrap");
        assert_null(path);
    }
}

static void a_setuid_root_one_is_refused(void **state)
{
    (void)state;
    XF_TEST_REQUIRE("root", geteuid() == 0);
    xf_test_tree tree = xf_test_tree_new();
    xf_test_file(&tree, "/bwrap", 04755, "");
    char *path = NULL;
    extfn_error err = {0};
    assert_int_equal(xf_bwrap_find(tree.root, &path, &err), EXTFN_ESANDBOX);
    assert_non_null(strstr(err.message, "sandbox unavailable: '/tmp/extfn-test-"));
    assert_non_null(strstr(err.message, "/bwrap' is setuid root; "));
    xf_test_tree_free(&tree);
}

static void find_survives_oom(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_file(&tree, "/bwrap", 0755, "");
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO_FREE char *path = NULL;
        status = xf_bwrap_find(tree.root, &path, NULL);
    });
    xf_test_tree_free(&tree);
}

static const struct {
    const char *said;
    const char *reason;
    const char *advice;
} complaints[] = {
    {"bwrap: setting up uid map: Permission denied", "AppArmor", "kernel.apparmor_restrict"},
    {"bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "AppArmor", "profile"},
    {"bwrap: No permissions to creating new namespace, likely because", "switched off",
     "kernel.unprivileged_userns_clone to 1"},
    {"bwrap: No permissions to create new namespace, likely because", "switched off",
     "user.max_user_namespaces"},
    {"bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces "
     "exceeded (ENOSPC)",
     "used up", "user.max_user_namespaces"},
    {"bwrap: Creating new namespace failed: Resource temporarily unavailable", "too many processes",
     "ulimit -u"},
    {"bwrap: Can't fork for pid 1: Resource temporarily unavailable", "too many processes",
     "ulimit -u"},
    {"extfn-enter: the system call filter ends nobody: errno 11", "too many processes",
     "ulimit -u"},
    {"bwrap: Failed to make / slave: Permission denied", "forbids to mount", "AppArmor"},
    {"bwrap: Can't read /proc/sys/kernel/overflowuid: No such file or directory",
     "masks parts of /proc", "unmasked"},
    {"bwrap: Unexpected capabilities but not setuid, old file caps config?", "has capabilities",
     "ambient"},
    {"bwrap: Unable to set up system call filtering as requested", "no system call filters",
     "CONFIG_SECCOMP_FILTER"},
    {"bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "masks parts of /proc",
     "unmasked"},
    {"bwrap: cannot open /proc/sys/user/max_user_namespaces: Read-only file system",
     "no writable /proc/sys", "unmasked"},
    {"bwrap: Unknown option --disable-userns", "too old", "0.8 or newer"},
    {"bwrap: Can't find source path /none/py: Permission denied", "cannot reach a path",
     "readable for all users"},
    {"bwrap: Can't find source path /opt/py: No such file or directory", "is gone", "install"},
    {"extfn-enter: the system call filter is not in force: errno 0",
     "the first system call filter does not hold here", "without a wrapper"},
    {"extfn-enter: the system call filter ends nobody: errno 0",
     "the first system call filter does not hold here", "without a wrapper"},
    {"extfn-enter: the network is the host's: errno 0", "the network namespace does not hold here",
     "without a wrapper"},
    {"extfn-enter: the process cannot be limited: errno 1", "could not be completed",
     "extfn doctor"},
    {"/usr/bin/bwrap: error while loading shared libraries: libcap.so.2: cannot open",
     "lacks a library", "again"},
    {"/x/bwrap: 2: exec: /b/extfn-enter: not found", "is not bubblewrap", "without a wrapper"},
    {"Traceback (most recent call last):", "is not bubblewrap", "without a wrapper"},
    {"bwrap: something new", "did not start (bwrap: something new)", "extfn doctor"},
    {"", "did not start (without a word)", "extfn doctor"},
};

static void each_complaint_has_a_reason_and_advice(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++) {
        extfn_error err = {0};
        const char *said = complaints[i].said;
        assert_int_equal(xf_sandbox_reason(said, strlen(said), &err), EXTFN_ESANDBOX);
        assert_int_equal(strncmp(err.message, "sandbox unavailable: ", 21), 0);
        assert_non_null(strstr(err.message, said));
        assert_non_null(strstr(err.message, complaints[i].reason));
        assert_non_null(strstr(strstr(err.message, "; "), complaints[i].advice));
    }
}

static void a_complaint_is_quoted_as_one_clean_line(void **state)
{
    (void)state;
    extfn_error err = {0};
    const char said[] = "bwrap: \033[1m\001\x7f caf\303\251\nsecond line";
    assert_int_equal(xf_sandbox_reason(said, sizeof(said) - 1, &err), EXTFN_ESANDBOX);
    assert_non_null(strstr(err.message, "(bwrap: ?[1m?? caf\303\251);"));
    assert_int_equal(xf_sandbox_reason("\303\nx", 3, &err), EXTFN_ESANDBOX);
    assert_non_null(strstr(err.message, "(?);"));
    assert_int_equal(xf_sandbox_reason(NULL, 0, &err), EXTFN_ESANDBOX); /* it said nothing */
    char flood[5000];
    memset(flood, 'x', sizeof(flood));
    assert_int_equal(xf_sandbox_reason(flood, sizeof(flood), &err), EXTFN_ESANDBOX);
    assert_true(strlen(err.message) < 600);
}

static void the_closed_folder_above_a_path_is_named(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_folder(&tree, "/open/closed/python/bin");
    const char *closed = xf_test_path(&tree, "/open/closed");
    char said[600];
    (void)snprintf(said, sizeof(said), "bwrap: Can't find source path %s/python: Permission denied",
                   closed);
    extfn_error err = {0};
    assert_int_equal(xf_sandbox_reason(said, strlen(said), &err), EXTFN_ESANDBOX);
    assert_non_null(strstr(err.message, "cannot reach a path")); /* of modes nothing is wrong */
    assert_int_equal(chmod(closed, 0), 0);
    assert_int_equal(xf_sandbox_reason(said, strlen(said), &err), EXTFN_ESANDBOX);
    assert_int_equal(chmod(closed, 0755), 0);
    char wanted[1200];
    (void)snprintf(wanted, sizeof(wanted), " may not enter %s (%s); let all users", closed, said);
    assert_non_null(strstr(err.message, wanted));
    xf_test_tree_free(&tree);
}

static void what_this_process_lacks_is_told_with_advice(void **state)
{
    (void)state;
    static const struct {
        int os_errno;
        extfn_status status;
        const char *message;
    } cases[] = {
        {EMFILE, EXTFN_ESANDBOX,
         "sandbox unavailable: make: Too many open files; raise the limit of open files "
         "(ulimit -n)"},
        {EAGAIN, EXTFN_ESANDBOX,
         "sandbox unavailable: make: Resource temporarily unavailable; raise the limit of "
         "processes (ulimit -u)"},
        {EFBIG, EXTFN_ESANDBOX,
         "sandbox unavailable: make: File too large; raise the limit of file sizes (ulimit -f)"},
        {EPERM, EXTFN_ESANDBOX,
         "sandbox unavailable: make: Operation not permitted; let this container's profile of "
         "system calls allow it, and set the sysctl vm.memfd_noexec to 0"},
        {EIO, EXTFN_EIO, "make: Input/output error"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        extfn_error failure = {0};
        extfn_error err = {0};
        assert_int_equal(xf_fail_os(&failure, cases[i].os_errno, "make"), EXTFN_EIO);
        assert_int_equal(xf_sandbox_shortage(&failure, NULL), cases[i].status);
        assert_int_equal(xf_sandbox_shortage(&failure, &err), cases[i].status);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.os_errno, cases[i].os_errno);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_executable_one_is_found),
        cmocka_unit_test(none_is_refused_with_advice),
        cmocka_unit_test(a_setuid_root_one_is_refused),
        cmocka_unit_test(find_survives_oom),
        cmocka_unit_test(each_complaint_has_a_reason_and_advice),
        cmocka_unit_test(the_closed_folder_above_a_path_is_named),
        cmocka_unit_test(what_this_process_lacks_is_told_with_advice),
        cmocka_unit_test(a_complaint_is_quoted_as_one_clean_line),
    };
    return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
