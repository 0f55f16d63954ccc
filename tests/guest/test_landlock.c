/* What is asked of Landlock, by its version, and which loader a program has; that it holds is shown
 * by test_enter.c. SPDX-License-Identifier: MIT */
#include "guest/enter/landlock.h"
#include "guest/enter/loader.h"
#include "support/unit.h"
#include "wire/proof.h"

#include <string.h>

static void each_version_has_its_layers(void **state)
{
    (void)state;
    assert_int_equal(xf_landlock_layers(0, true), 0);
    assert_int_equal(xf_landlock_layers(1, true), XF_LAYER_FILES);
    assert_int_equal(xf_landlock_layers(3, true), XF_LAYER_FILES);
    assert_int_equal(xf_landlock_layers(4, true), XF_LAYER_FILES | XF_LAYER_NETWORK);
    assert_int_equal(xf_landlock_layers(5, true), XF_LAYER_FILES | XF_LAYER_NETWORK);
    assert_int_equal(xf_landlock_layers(6, true),
                     XF_LAYER_FILES | XF_LAYER_NETWORK | XF_LAYER_SCOPES);
    assert_int_equal(xf_landlock_layers(99, false), XF_LAYER_NETWORK | XF_LAYER_SCOPES);
    assert_int_equal(xf_landlock_layers(3, false), 0);
}

static void a_program_names_its_loader(void **state)
{
    (void)state;
    char path[XF_LOADER_SIZE];
    assert_true(xf_loader_of("/bin/sh", path));
    assert_int_equal(path[0], '/');
    assert_non_null(strstr(path, "/ld-"));
}

static void what_is_no_program_has_no_loader(void **state)
{
    (void)state;
    char path[XF_LOADER_SIZE];
    assert_false(xf_loader_of("/nonexistent", path));
    assert_false(xf_loader_of("/tmp", path));
    assert_false(xf_loader_of("/dev/null", path));
    assert_false(xf_loader_of("/etc/passwd", path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_version_has_its_layers),
        cmocka_unit_test(a_program_names_its_loader),
        cmocka_unit_test(what_is_no_program_has_no_loader),
    };
    return cmocka_run_group_tests_name("landlock", tests, NULL, NULL);
}
