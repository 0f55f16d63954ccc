#include "base/auto.h"
#include "registry/function.h"
#include "registry/function_file.h"
#include "support/oom.h"
#include "support/unit.h"

#include "support/files.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define HYPOT "# extfn: hypot(x: number, y: number) -> number\nresult = (x * x + y * y) ** 0.5\n"

static int folder_setup(void **state)
{
    static char folder[FOLDER_SIZE];
    folder_open(folder);
    *state = folder;
    return 0;
}

static int folder_teardown(void **state)
{
    folder_close(*state);
    return 0;
}

static extfn_function *parse(const char *path, const char *text)
{
    extfn_function *function = NULL;
    extfn_error err = {0};
    extfn_status status = xf_function_file_parse(path, text, strlen(text), &function, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, EXTFN_OK);
    return function;
}

/* `ending` is what the message says after the path. */
static void assert_unreadable(const char *path, extfn_status status, const char *ending)
{
    extfn_function *function = NULL;
    extfn_error err = {0};
    assert_int_equal(extfn_function_from_file(path, &function, &err), status);
    assert_memory_equal(err.message, path, strlen(path));
    assert_string_equal(err.message + strlen(path), ending);
    assert_null(function);
}

static void a_file_is_its_body_byte_for_byte(void **state)
{
    static const char text[] = "\xef\xbb\xbf#!/usr/bin/python3\r\n\r\n# extfn: f() -> text\r\n"
                               "result = '\0\xff'";
    const char *path = folder_write(*state, "f.py", text, sizeof(text) - 1);
    extfn_function *function = NULL;
    size_t size = 0;
    assert_int_equal(extfn_function_from_file(path, &function, NULL), EXTFN_OK);
    assert_memory_equal(extfn_function_body(function, &size), text, sizeof(text));
    assert_int_equal(size, sizeof(text) - 1);
    assert_string_equal(extfn_function_name(function), "f");
    assert_string_equal(extfn_function_source_path(function), path);
    assert_true(extfn_function_is_pure(function));
    extfn_function_unref(function);
}

static void the_extension_gives_the_language(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text;
        extfn_language language;
    } cases[] = {
        {"lib/f.py", "# extfn: f() -> text", EXTFN_PYTHON},
        {"f.R", "# extfn: f() -> text", EXTFN_R},
        {"f.r", "# extfn: f() -> text", EXTFN_R},
        {"f.jl", "# extfn: f() -> text", EXTFN_JULIA},
        {"a.b.pure", "// extfn: f() -> text", EXTFN_PURE},
        {"f.wat", ";; extfn: f() -> text", EXTFN_WASM},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        extfn_function *function = parse(cases[i].path, cases[i].text);
        assert_int_equal(extfn_function_language(function), cases[i].language);
        extfn_function_unref(function);
    }
}

static void a_wat_file_says_so_in_its_body(void **state)
{
    (void)state;
    extfn_function *function = parse("f.wat", ";; extfn: f() -> number\n(module)");
    assert_string_equal(extfn_function_body(function, NULL),
                        "wat:;; extfn: f() -> number\n(module)");
    extfn_function_unref(function);
}

static void flags_are_kept(void **state)
{
    (void)state;
    extfn_function *function = parse("f.py", "# extfn: f() -> text impure");
    assert_false(extfn_function_is_pure(function));
    extfn_function_unref(function);
    function = parse("f.py", "# extfn: f() -> text vectorized");
    assert_true(extfn_function_is_pure(function));
    assert_true(extfn_function_is_vectorized(function));
    extfn_function_unref(function);
}

static void problems_name_the_file_and_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text, *message;
    } cases[] = {
        {"lib/f.py", "\n\n# extfn: f(x: numbr) -> text",
         "lib/f.py:3: unknown type 'numbr'; one of number, boolean, text, datetime, enum"},
        {"f.py", "", "f.py:1: no declaration; write '# extfn: NAME(ARGUMENT: TYPE, ...) -> TYPE'"},
        {"f.py", "\n# extfn: f(if: text) -> text",
         "f.py:2: argument 'if' is a word that Python reserves; give it another name"},
        {"f.py", "# extfn: f(result: text) -> text",
         "f.py:1: argument 'result' is named like what every body is given; give it another "
         "name"},
        {"f.R", "# extfn: f(x: text, x: text) -> text", "f.R:1: two arguments have the name 'x'"},
        {"f.pure", "# extfn: f() -> text",
         "f.pure:1: no declaration; write '// extfn: NAME(ARGUMENT: TYPE, ...) -> TYPE'"},
        {"m.wasm", "(module)", "m.wasm: this is no WebAssembly module (version 1)"},
        {"f.txt", "",
         "f.txt: not a function file; its name must end in .py, .R, .jl, .pure, .wat or .wasm"},
        {"a.py/f", "",
         "a.py/f: not a function file; its name must end in .py, .R, .jl, .pure, .wat or .wasm"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        extfn_function *function = NULL;
        extfn_error err = {0};
        assert_int_equal(xf_function_file_parse(cases[i].path, cases[i].text, strlen(cases[i].text),
                                                &function, &err),
                         EXTFN_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        assert_null(function);
    }
}

static void what_is_no_regular_file_is_refused_at_once(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = folder_path(*state, "fifo.py");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_unreadable(path, EXTFN_EINVAL, ": not a regular file");
    path = folder_path(*state, "device.py");
    assert_int_equal(symlink("/dev/zero", path), 0);
    assert_unreadable(path, EXTFN_EINVAL, ": not a regular file");
    path = folder_path(*state, "folder.py");
    assert_int_equal(mkdir(path, 0700), 0);
    assert_unreadable(path, EXTFN_EINVAL, ": not a regular file");
    path = folder_path(*state, "socket.py");
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_unreadable(path, EXTFN_EINVAL, ": not a regular file");
    assert_int_equal(close(fd), 0);
}

static void links_are_followed_to_regular_files_alone(void **state)
{
    (void)folder_write(*state, "real.py", HYPOT, strlen(HYPOT));
    const char *path = folder_path(*state, "link.py");
    assert_int_equal(symlink("real.py", path), 0);
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_from_file(path, &function, NULL), EXTFN_OK);
    extfn_function_unref(function);
    path = folder_path(*state, "dangling.py");
    assert_int_equal(symlink("nowhere", path), 0);
    assert_unreadable(path, EXTFN_EIO, ": No such file or directory");
    path = folder_path(*state, "loop.py");
    assert_int_equal(symlink("loop.py", path), 0);
    assert_unreadable(path, EXTFN_EIO, ": Too many levels of symbolic links");
}

static void a_file_over_the_limit_is_refused(void **state)
{
    const char *path = folder_write(*state, "big.py", HYPOT, strlen(HYPOT));
    assert_int_equal(truncate(path, XF_BODY_LIMIT), 0);
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_from_file(path, &function, NULL), EXTFN_OK);
    extfn_function_unref(function);
    assert_int_equal(truncate(path, XF_BODY_LIMIT + 1), 0);
    assert_unreadable(path, EXTFN_EINVAL, ": larger than 16 MiB");
    path = folder_write(*state, "big.wasm", "\0asm\1\0\0", 8);
    assert_int_equal(truncate(path, 4 << 20), 0);
    assert_unreadable(path, EXTFN_EINVAL, ": the WebAssembly module is broken at byte 10");
    assert_int_equal(truncate(path, (4 << 20) + 1), 0);
    assert_unreadable(path, EXTFN_EINVAL, ": larger than 4 MiB");
}

static void reading_survives_oom(void **state)
{
    const char *path = folder_write(*state, "f.py", HYPOT, strlen(HYPOT));
    extfn_status status = EXTFN_OK;
    XF_OOM_SWEEP(status, {
        extfn_function *function = NULL;
        status = extfn_function_from_file(path, &function, NULL);
        extfn_function_unref(function);
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_its_body_byte_for_byte, folder_setup,
                                        folder_teardown),
        cmocka_unit_test(the_extension_gives_the_language),
        cmocka_unit_test(a_wat_file_says_so_in_its_body),
        cmocka_unit_test(flags_are_kept),
        cmocka_unit_test(problems_name_the_file_and_the_line),
        cmocka_unit_test_setup_teardown(what_is_no_regular_file_is_refused_at_once, folder_setup,
                                        folder_teardown),
        cmocka_unit_test_setup_teardown(links_are_followed_to_regular_files_alone, folder_setup,
                                        folder_teardown),
        cmocka_unit_test_setup_teardown(a_file_over_the_limit_is_refused, folder_setup,
                                        folder_teardown),
        cmocka_unit_test_setup_teardown(reading_survives_oom, folder_setup, folder_teardown),
    };
    return cmocka_run_group_tests_name("function_file", tests, NULL, NULL);
}
