#include "registry/library.h"
#include "registry/registry.h"
#include "support/oom.h"
#include "support/unit.h"

#include "support/files.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct library {
    char folder[FOLDER_SIZE];
    extfn_registry *registry;
    unsigned problems;
    char problem[EXTFN_MESSAGE_SIZE]; /* the last */
} library;

static void note_problem(const char *path, const extfn_error *problem, void *context)
{
    library *lib = context;
    assert_memory_equal(path, lib->folder, strlen(lib->folder));
    assert_memory_equal(problem->message, lib->folder, strlen(lib->folder));
    lib->problems++;
    (void)snprintf(lib->problem, sizeof(lib->problem), "%s", problem->message);
}

static void load(library *lib, const char *path)
{
    assert_int_equal(extfn_registry_load(lib->registry, path, note_problem, lib, NULL), EXTFN_OK);
}

static void refresh(library *lib)
{
    extfn_error err = {0};
    if (extfn_registry_refresh(lib->registry, note_problem, lib, &err) != EXTFN_OK)
        fail_msg("%s", err.message);
}

static const char *put(library *lib, const char *name, const char *text)
{
    return folder_write(lib->folder, name, text, strlen(text));
}

/* A library of f (Python) and g (R). */
static int library_setup(void **state)
{
    static library lib;
    lib = (library){0};
    folder_open(lib.folder);
    *state = &lib;
    assert_int_equal(extfn_registry_new(&lib.registry, NULL), EXTFN_OK);
    (void)put(&lib, "f.py", "# extfn: f() -> text");
    (void)put(&lib, "g.R", "# extfn: g() -> text");
    load(&lib, lib.folder);
    return 0;
}

static int library_teardown(void **state)
{
    library *lib = *state;
    extfn_registry_free(lib->registry);
    folder_close(lib->folder);
    return 0;
}

static void assert_names(const library *lib, const char *names)
{
    char all[200] = "";
    for (size_t i = 0; i < extfn_registry_count(lib->registry); i++) {
        extfn_function *function = extfn_registry_at(lib->registry, i);
        size_t size = strlen(all);
        (void)snprintf(all + size, sizeof(all) - size, "%s%s", i ? " " : "",
                       extfn_function_name(function));
        extfn_function_unref(function);
    }
    assert_string_equal(all, names);
}

static extfn_type type_of(const library *lib, const char *name)
{
    extfn_function *function = extfn_registry_get(lib->registry, name);
    assert_non_null(function);
    extfn_type type = extfn_function_return_type(function);
    extfn_function_unref(function);
    return type;
}

/* Evaluating by name fails before any host is asked. */
static void assert_fails(const library *lib, const char *name, extfn_status status,
                         const char *part)
{
    extfn_error err = {0};
    extfn_function *function = NULL;
    assert_int_equal(xf_registry_find(lib->registry, name, &function, &err), status);
    if (!strstr(err.message, part))
        fail_msg("got '%s'", err.message);
}

static void a_change_of_one_byte_is_seen_at_once(void **state)
{
    library *lib = *state;
    refresh(lib);
    assert_int_equal(type_of(lib, "f"), EXTFN_TEXT);
    (void)put(lib, "f.py", "# extfn: f() -> enum");
    refresh(lib);
    assert_int_equal(type_of(lib, "f"), EXTFN_ENUM);
    (void)put(lib, "f.py", "# extfn: f() -> text");
    refresh(lib);
    assert_int_equal(type_of(lib, "f"), EXTFN_TEXT);
    assert_names(lib, "f g");
}

static void a_new_file_is_found_and_a_lost_one_is_gone(void **state)
{
    library *lib = *state;
    (void)put(lib, "h.py", "# extfn: h() -> text");
    refresh(lib);
    assert_names(lib, "f g h");
    assert_int_equal(unlink(folder_path(lib->folder, "f.py")), 0);
    refresh(lib);
    assert_names(lib, "g h");
    assert_fails(lib, "f", EXTFN_ENOTFOUND, "external function not found: f");
}

static void a_file_may_give_another_function(void **state)
{
    library *lib = *state;
    (void)put(lib, "f.py", "# extfn: k() -> text");
    refresh(lib);
    assert_names(lib, "g k");
}

static void a_bad_file_answers_with_its_problem_until_it_is_good(void **state)
{
    library *lib = *state;
    (void)put(lib, "f.py", "\n# extfn: f() -> txt");
    refresh(lib);
    assert_int_equal(lib->problems, 1);
    assert_names(lib, "g");
    assert_fails(lib, "f", EXTFN_EINVAL, "f.py:2: unknown type 'txt'");
    assert_int_equal(type_of(lib, "g"), EXTFN_TEXT);

    (void)put(lib, "g.R", "# extfn: g() -> number"); /* f.py is read again, too */
    refresh(lib);
    assert_int_equal(lib->problems, 1);
    assert_fails(lib, "f", EXTFN_EINVAL, "f.py:2: unknown type 'txt'");
    assert_int_equal(type_of(lib, "g"), EXTFN_NUMBER);

    (void)put(lib, "f.py", "");
    refresh(lib);
    assert_int_equal(lib->problems, 2);
    (void)put(lib, "f.py", "# extfn: f() -> text");
    refresh(lib);
    assert_names(lib, "f g");
    assert_int_equal(lib->problems, 2);
}

static void a_name_that_stands_twice_is_a_problem_of_the_second_file(void **state)
{
    library *lib = *state;
    (void)put(lib, "z.py", "# extfn: f() -> number");
    refresh(lib);
    assert_int_equal(lib->problems, 1);
    assert_int_equal(type_of(lib, "f"), EXTFN_TEXT);
    assert_int_equal(unlink(folder_path(lib->folder, "f.py")), 0);
    refresh(lib);
    assert_int_equal(type_of(lib, "f"), EXTFN_NUMBER);
}

static void what_did_not_change_stays_the_same_object(void **state)
{
    library *lib = *state;
    extfn_function *before = extfn_registry_get(lib->registry, "g");
    (void)put(lib, "f.py", "# extfn: f() -> enum");
    refresh(lib);
    extfn_function *after = extfn_registry_get(lib->registry, "g");
    assert_ptr_equal(before, after);
    extfn_function_unref(before);
    extfn_function_unref(after);
}

static void what_was_registered_by_hand_stays(void **state)
{
    library *lib = *state;
    static const extfn_function_options options = {.struct_size = sizeof(options),
                                                   .name = "g",
                                                   .language = EXTFN_R,
                                                   .body = "1",
                                                   .return_type = EXTFN_BOOLEAN};
    extfn_function *mine = NULL;
    assert_int_equal(extfn_function_new(&options, &mine, NULL), EXTFN_OK);
    assert_int_equal(extfn_registry_register(lib->registry, mine, NULL, NULL), EXTFN_OK);
    (void)put(lib, "f.py", "# extfn: f() -> enum");
    refresh(lib);
    assert_int_equal(type_of(lib, "g"), EXTFN_BOOLEAN);
    assert_int_equal(unlink(folder_path(lib->folder, "g.R")), 0);
    refresh(lib);
    assert_int_equal(type_of(lib, "g"), EXTFN_BOOLEAN);
    extfn_function_unref(mine);
}

static void a_library_that_is_gone_and_comes_back(void **state)
{
    library *lib = *state;
    char aside[FOLDER_SIZE + 8];
    (void)snprintf(aside, sizeof(aside), "%s.aside", lib->folder);
    assert_int_equal(rename(lib->folder, aside), 0);
    refresh(lib);
    assert_names(lib, "");
    assert_fails(lib, "f", EXTFN_EIO, "No such file or directory");
    refresh(lib);
    assert_fails(lib, "f", EXTFN_EIO, "No such file or directory");
    assert_int_equal(lib->problems, 1);
    assert_int_equal(rename(aside, lib->folder), 0);
    refresh(lib);
    assert_names(lib, "f g");
}

static void files_and_descriptors_are_refreshed_alone(void **state)
{
    library *lib = *state;
    extfn_registry_free(lib->registry);
    assert_int_equal(extfn_registry_new(&lib->registry, NULL), EXTFN_OK);
    const char *text = "{\"name\":\"g\",\"language\":\"R\",\"body\":\"\",\"arg_types\":[],"
                       "\"return_type\":\"Text\",\"pure\":true}";
    load(lib, put(lib, "all.json", text));
    load(lib, put(lib, "f.py", "# extfn: f() -> text"));
    load(lib, folder_path(lib->folder, "f.py"));
    assert_int_equal(unlink(folder_path(lib->folder, "all.json")), 0);
    refresh(lib);
    assert_names(lib, "f");
    assert_fails(lib, "g", EXTFN_EIO, "all.json: No such file or directory");
    (void)put(lib, "all.json", text);
    refresh(lib);
    assert_names(lib, "f g");
}

static void files_that_settled_are_not_read_again(void **state)
{
    library *lib = *state;
    const struct timespec wait = {.tv_nsec = 50000000};
    (void)nanosleep(&wait, NULL);
    refresh(lib);
    xf_registry_lock_libraries(lib->registry);
    assert_true(xf_library_is_current(xf_registry_library(lib->registry, 0)));
    xf_registry_unlock_libraries(lib->registry);
}

static void *use_many_times(void *context)
{
    library *lib = context;
    for (int i = 0; i < 50; i++) {
        extfn_function *function = NULL;
        if (extfn_registry_refresh(lib->registry, NULL, NULL, NULL) != EXTFN_OK ||
            xf_registry_find(lib->registry, "g", &function, NULL) != EXTFN_OK)
            return context;
        extfn_function_unref(function);
        if (xf_registry_find(lib->registry, "f", &function, NULL) == EXTFN_OK)
            extfn_function_unref(function);
    }
    return NULL;
}

static void threads_may_refresh_and_find_at_once(void **state)
{
    library *lib = *state;
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_many_times, lib), 0);
    for (int i = 0; i < 50; i++)
        (void)put(lib, "f.py", i % 2 ? "# extfn: f() -> enum" : "bad");
    for (size_t i = 0; i < 2; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
}

static void refreshing_survives_oom(void **state)
{
    library *lib = *state;
    (void)put(lib, "f.py", "bad");
    (void)put(lib, "g.R", "# extfn: g() -> enum");
    (void)put(lib, "h.R", "# extfn: h() -> enum");
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        status = extfn_registry_refresh(lib->registry, NULL, NULL, NULL);
        if (status != EXTFN_OK)
            assert_int_equal(extfn_registry_count(lib->registry), 2);
    });
    assert_names(lib, "g h");
    assert_fails(lib, "f", EXTFN_EINVAL, "f.py");
}

#define LIBRARY_TEST(test) cmocka_unit_test_setup_teardown(test, library_setup, library_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIBRARY_TEST(a_change_of_one_byte_is_seen_at_once),
        LIBRARY_TEST(a_new_file_is_found_and_a_lost_one_is_gone),
        LIBRARY_TEST(a_file_may_give_another_function),
        LIBRARY_TEST(a_bad_file_answers_with_its_problem_until_it_is_good),
        LIBRARY_TEST(a_name_that_stands_twice_is_a_problem_of_the_second_file),
        LIBRARY_TEST(what_did_not_change_stays_the_same_object),
        LIBRARY_TEST(what_was_registered_by_hand_stays),
        LIBRARY_TEST(a_library_that_is_gone_and_comes_back),
        LIBRARY_TEST(files_and_descriptors_are_refreshed_alone),
        LIBRARY_TEST(files_that_settled_are_not_read_again),
        LIBRARY_TEST(threads_may_refresh_and_find_at_once),
        LIBRARY_TEST(refreshing_survives_oom),
    };
    return cmocka_run_group_tests_name("refresh", tests, NULL, NULL);
}
