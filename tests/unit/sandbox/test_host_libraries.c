#include "base/auto.h"
#include "sandbox/host_libraries.h"
#include "support/oom.h"
#include "support/tree.h"

static void assert_list(const xf_strings *list, const char *const expected[])
{
    size_t count = 0;
    while (expected[count])
        count++;
    for (size_t i = 0; i < count && i < list->count; i++)
        assert_string_equal(list->items[i], expected[i]);
    assert_int_equal(list->count, count);
}

static void assert_system(const xf_test_tree *tree, const char *const binds[],
                          const char *const symlinks[])
{
    XF_AUTO(xf_host_libraries_clear) xf_host_libraries libraries = {0};
    assert_int_equal(xf_host_libraries_look(tree->root, &libraries, NULL), EXTFN_OK);
    assert_list(&libraries.binds, binds);
    assert_list(&libraries.symlinks, symlinks);
}

static void a_merged_debian_has_its_folders_and_symlinks(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_folder(&tree, "/usr/lib/x86_64-linux-gnu");
    xf_test_folder(&tree, "/usr/lib/locale/C.utf8");
    xf_test_folder(&tree, "/usr/share/zoneinfo");
    xf_test_folder(&tree, "/usr/lib64");
    xf_test_symlink(&tree, "usr/lib", "/lib");
    xf_test_symlink(&tree, "usr/lib64", "/lib64");
    assert_system(&tree,
                  (const char *[]){"/usr/lib/x86_64-linux-gnu", "/usr/lib64",
                                   "/usr/lib/locale/C.utf8", "/usr/share/zoneinfo", NULL},
                  (const char *[]){"usr/lib", "/lib", "usr/lib64", "/lib64", NULL});
    xf_test_tree_free(&tree);
}

static void a_debian_that_is_not_merged_has_both_halves(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_folder(&tree, "/usr/lib/aarch64-linux-gnu");
    xf_test_folder(&tree, "/lib/aarch64-linux-gnu");
    xf_test_folder(&tree, "/lib64");
    assert_system(&tree,
                  (const char *[]){"/usr/lib/aarch64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64",
                                   NULL},
                  (const char *[]){NULL});
    xf_test_tree_free(&tree);
}

static void a_system_with_one_library_folder_shows_it_whole(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_folder(&tree, "/usr/lib");
    xf_test_symlink(&tree, "lib", "/usr/lib64");
    xf_test_symlink(&tree, "usr/lib", "/lib");
    xf_test_symlink(&tree, "usr/lib", "/lib64");
    assert_system(&tree, (const char *[]){"/usr/lib", NULL},
                  (const char *[]){"usr/lib", "/lib", "lib", "/usr/lib64", "usr/lib", "/lib64",
                                   NULL});
    xf_test_tree_free(&tree);
}

static void blas_is_reached_without_etc(void **state)
{
    (void)state;
    xf_test_tree tree = xf_test_tree_new();
    xf_test_folder(&tree, "/lib");
    xf_test_file(&tree, "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11", 0644, "");
    xf_test_symlink(&tree, "libblas.so.3.11", "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3");
    xf_test_symlink(&tree, "/etc/alternatives/libblas", "/usr/lib/x86_64-linux-gnu/libblas.so.3");
    xf_test_symlink(&tree, "../../usr/lib/x86_64-linux-gnu/blas/libblas.so.3",
                    "/etc/alternatives/libblas");
    xf_test_symlink(&tree, "/etc/alternatives/gone", "/usr/lib/x86_64-linux-gnu/liblapack.so.3");
    assert_system(&tree, (const char *[]){"/usr/lib/x86_64-linux-gnu", NULL},
                  (const char *[]){"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11",
                                   "/etc/alternatives/libblas", NULL});
    xf_test_tree_free(&tree);
}

static void this_machine_has_libraries(void **state)
{
    (void)state;
    XF_AUTO(xf_host_libraries_clear) xf_host_libraries libraries = {0};
    assert_int_equal(xf_host_libraries_look("", &libraries, NULL), EXTFN_OK);
    assert_true(libraries.binds.count > 0);
}

static void look_survives_oom(void **state)
{
    (void)state;
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        XF_AUTO(xf_host_libraries_clear) xf_host_libraries libraries = {0};
        status = xf_host_libraries_look("", &libraries, NULL);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_merged_debian_has_its_folders_and_symlinks),
        cmocka_unit_test(a_debian_that_is_not_merged_has_both_halves),
        cmocka_unit_test(a_system_with_one_library_folder_shows_it_whole),
        cmocka_unit_test(blas_is_reached_without_etc),
        cmocka_unit_test(this_machine_has_libraries),
        cmocka_unit_test(look_survives_oom),
    };
    return cmocka_run_group_tests_name("host_libraries", tests, NULL, NULL);
}
