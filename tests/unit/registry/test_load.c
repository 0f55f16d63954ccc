#include "registry/registry.h"
#include "support/oom.h"
#include "support/unit.h"

#include "support/files.h"

#include <string.h>

#define G                                                                                          \
    "{\"name\":\"g\",\"language\":\"R\",\"body\":\"\",\"arg_types\":[],"                           \
    "\"return_type\":\"Text\",\"pure\":true}"
#define H                                                                                          \
    "{\"name\":\"h\",\"language\":\"R\",\"body\":\"\",\"arg_types\":[],"                           \
    "\"return_type\":\"Text\",\"pure\":true}"

typedef struct library {
    char folder[FOLDER_SIZE];
    extfn_registry *registry;
    extfn_error err;
    unsigned problems;
    char problem[EXTFN_MESSAGE_SIZE]; /* the last */
} library;

static int library_setup(void **state)
{
    static library lib;
    lib = (library){0};
    folder_open(lib.folder);
    *state = &lib;
    return extfn_registry_new(&lib.registry, NULL);
}

static int library_teardown(void **state)
{
    library *lib = *state;
    extfn_registry_free(lib->registry);
    folder_close(lib->folder);
    return 0;
}

static const char *put(library *lib, const char *name, const char *text)
{
    return folder_write(lib->folder, name, text, strlen(text));
}

static void note_problem(const char *path, const extfn_error *problem, void *context)
{
    library *lib = context;
    assert_memory_equal(problem->message, path, strlen(path));
    assert_true(problem->status == EXTFN_EINVAL || problem->status == EXTFN_EIO);
    lib->problems++;
    (void)snprintf(lib->problem, sizeof(lib->problem), "%s", problem->message);
}

static extfn_status load(library *lib, const char *path)
{
    return extfn_registry_load(lib->registry, path, NULL, NULL, &lib->err);
}

/* What the message says after the folder's path and a slash. */
static const char *message(const library *lib)
{
    assert_memory_equal(lib->err.message, lib->folder, strlen(lib->folder));
    return lib->err.message + strlen(lib->folder) + 1;
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

static void a_function_file_is_loaded(void **state)
{
    library *lib = *state;
    assert_int_equal(load(lib, put(lib, "a.py", "# extfn: f() -> text")), EXTFN_OK);
    assert_names(lib, "f");
}

static void a_folder_is_loaded_without_what_is_no_function_file(void **state)
{
    library *lib = *state;
    (void)put(lib, "z.py", "# extfn: a() -> text");
    (void)put(lib, "b.R", "# extfn: b() -> text");
    (void)put(lib, "notes.txt", "hello");
    (void)put(lib, "g.json", "broken");
    (void)put(lib, ".#z.py", "no declaration");
    assert_int_equal(mkdir(folder_path(lib->folder, "below.py"), 0700), 0);
    assert_int_equal(load(lib, lib->folder), EXTFN_OK);
    assert_names(lib, "a b");
    char with_slash[FOLDER_SIZE + 1];
    (void)snprintf(with_slash, sizeof(with_slash), "%s/", lib->folder);
    assert_int_equal(load(lib, with_slash), EXTFN_OK);
    extfn_function *function = extfn_registry_get(lib->registry, "b");
    assert_string_equal(extfn_function_source_path(function), folder_path(lib->folder, "b.R"));
    extfn_function_unref(function);
}

static void an_empty_folder_is_fine(void **state)
{
    library *lib = *state;
    assert_int_equal(load(lib, lib->folder), EXTFN_OK);
    assert_names(lib, "");
}

static void descriptors_are_loaded_alone_or_in_an_array(void **state)
{
    library *lib = *state;
    assert_int_equal(load(lib, put(lib, "one.json", G)), EXTFN_OK);
    assert_names(lib, "g");
    assert_int_equal(load(lib, put(lib, "two.json", " [" H "," G "] ")), EXTFN_OK);
    assert_names(lib, "g h");
    assert_int_equal(load(lib, put(lib, "none.json", "[]")), EXTFN_OK);
}

static void loading_again_replaces(void **state)
{
    library *lib = *state;
    const char *path = put(lib, "a.py", "# extfn: f() -> text");
    assert_int_equal(load(lib, path), EXTFN_OK);
    (void)put(lib, "a.py", "# extfn: f() -> number");
    assert_int_equal(load(lib, path), EXTFN_OK);
    extfn_function *function = extfn_registry_get(lib->registry, "f");
    assert_int_equal(extfn_function_return_type(function), EXTFN_NUMBER);
    extfn_function_unref(function);
}

static void the_first_bad_file_fails_and_nothing_is_added(void **state)
{
    library *lib = *state;
    (void)put(lib, "a.py", "# extfn: f() -> text");
    (void)put(lib, "b.py", "\n# extfn: g(x: numbr) -> text");
    (void)put(lib, "c.py", "");
    assert_int_equal(load(lib, lib->folder), EXTFN_EINVAL);
    assert_string_equal(
        message(lib), "b.py:2: unknown type 'numbr'; one of number, boolean, text, datetime, enum");
    assert_names(lib, "");
}

static void with_somebody_to_tell_the_rest_is_loaded(void **state)
{
    library *lib = *state;
    (void)put(lib, "a.py", "# extfn: f() -> text");
    (void)put(lib, "b.py", "");
    (void)put(lib, "c.wasm", "");
    (void)put(lib, "d.py", "# extfn: f() -> number");
    (void)put(lib, "e.py", "# extfn: e() -> text");
    assert_int_equal(mkfifo(folder_path(lib->folder, "f.py"), 0600), 0);
    assert_int_equal(symlink("nowhere", folder_path(lib->folder, "g.py")), 0);
    assert_int_equal(extfn_registry_load(lib->registry, lib->folder, note_problem, lib, NULL),
                     EXTFN_OK);
    assert_int_equal(lib->problems, 5);
    assert_names(lib, "e f");
    extfn_function *function = extfn_registry_get(lib->registry, "f");
    assert_int_equal(extfn_function_return_type(function), EXTFN_TEXT);
    extfn_function_unref(function);
    const char *path = put(lib, "bad.json", "[" G ",{}]");
    assert_int_equal(extfn_registry_load(lib->registry, path, note_problem, lib, NULL), EXTFN_OK);
    assert_string_equal(lib->problem + strlen(path), ": descriptor 1: member 'name' is missing");
    assert_names(lib, "e f");
}

static void two_functions_of_one_name_are_refused(void **state)
{
    library *lib = *state;
    (void)put(lib, "a.py", "# extfn: f() -> text");
    (void)put(lib, "b.py", "# extfn: f() -> text");
    assert_int_equal(load(lib, lib->folder), EXTFN_EINVAL);
    char expected[FOLDER_SIZE + 100];
    (void)snprintf(expected, sizeof(expected),
                   "b.py: function 'f' is in %s/a.py already; give one of them another name",
                   lib->folder);
    assert_string_equal(message(lib), expected);
    assert_int_equal(load(lib, put(lib, "two.json", "[" G "," G "]")), EXTFN_EINVAL);
    assert_string_equal(message(lib), "two.json: descriptor 1: a second function has the name 'g'");
    assert_names(lib, "");
}

static void what_cannot_be_read_is_told_with_its_path(void **state)
{
    library *lib = *state;
    assert_int_equal(load(lib, folder_path(lib->folder, "nothing.py")), EXTFN_EIO);
    assert_string_equal(message(lib), "nothing.py: No such file or directory");
    assert_int_equal(load(lib, folder_path(lib->folder, "nothing.json")), EXTFN_EIO);
    assert_int_equal(load(lib, folder_path(lib->folder, "nothing")), EXTFN_EIO);
    assert_string_equal(message(lib), "nothing: No such file or directory");
    extfn_status status = extfn_registry_load(lib->registry, folder_path(lib->folder, "nothing"),
                                              note_problem, lib, &lib->err);
    assert_int_equal(status, EXTFN_EIO);
    assert_int_equal(lib->problems, 0);
    extfn_function *function = NULL;
    status = extfn_function_from_file(folder_path(lib->folder, "nothing"), &function, &lib->err);
    assert_int_equal(status, EXTFN_EIO);
    assert_string_equal(message(lib), "nothing: No such file or directory");
    assert_int_equal(load(lib, put(lib, "notes.txt", "")), EXTFN_EINVAL);
    assert_int_equal(load(lib, put(lib, "bad.json", "[" G)), EXTFN_EINVAL);
    assert_string_equal(message(lib),
                        "bad.json: invalid JSON at byte 86: expected ',' or ']', got the end");
    assert_int_equal(load(lib, put(lib, "more.json", G G)), EXTFN_EINVAL);
    assert_names(lib, "");
}

static void loading_survives_oom(void **state)
{
    library *lib = *state;
    (void)put(lib, "a.py", "# extfn: f(x: text) -> text");
    (void)put(lib, "b.py", "# extfn: g() -> text");
    const char *paths[] = {lib->folder, put(lib, "two.json", "[" H "," G "]")};
    for (size_t i = 0; i < 2; i++) {
        extfn_status status = EXTFN_OK;
        XF_OOM_SWEEP(status, {
            extfn_registry *registry = NULL;
            status = extfn_registry_new(&registry, NULL);
            if (status == EXTFN_OK)
                status = extfn_registry_load(registry, paths[i], NULL, NULL, NULL);
            if (status != EXTFN_OK && registry)
                assert_true(extfn_registry_is_empty(registry));
            extfn_registry_free(registry);
        });
    }
}

#define LIBRARY_TEST(test) cmocka_unit_test_setup_teardown(test, library_setup, library_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIBRARY_TEST(a_function_file_is_loaded),
        LIBRARY_TEST(a_folder_is_loaded_without_what_is_no_function_file),
        LIBRARY_TEST(an_empty_folder_is_fine),
        LIBRARY_TEST(descriptors_are_loaded_alone_or_in_an_array),
        LIBRARY_TEST(loading_again_replaces),
        LIBRARY_TEST(the_first_bad_file_fails_and_nothing_is_added),
        LIBRARY_TEST(with_somebody_to_tell_the_rest_is_loaded),
        LIBRARY_TEST(two_functions_of_one_name_are_refused),
        LIBRARY_TEST(what_cannot_be_read_is_told_with_its_path),
        LIBRARY_TEST(loading_survives_oom),
    };
    return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
