/* Bodies that are paths of modules, modules that are costly to compile, and modules that are kept.
 * SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"
#include "support/temporary.h"
#include "support/wasm.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

#define CANNOT                                                                                     \
    " cannot be used: it must be a readable regular file of at most 4 MiB that begins with "       \
    "\\0asm"

/* (module (func (export "improv_call") (result f64) (f64.const N))), N at its place. */
static const unsigned char constant[] =
    "\0asm\1\0\0\0\1\5\1\x60\0\1\x7c\3\2\1\0\7\x0f\1\x0bimprov_call\0\0\x0a\x0d\1\x0b\0\x44"
    "\0\0\0\0\0\0\0\0\x0b";
#define CONSTANT_SIZE (sizeof(constant) - 1)

static void write_file(const char *directory, const char *name, const void *data, size_t size)
{
    char path[256];
    (void)snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_constant(const char *directory, const char *name, double number)
{
    unsigned char bytes[CONSTANT_SIZE];
    memcpy(bytes, constant, CONSTANT_SIZE);
    memcpy(bytes + CONSTANT_SIZE - 9, &number, sizeof(number));
    write_file(directory, name, bytes, CONSTANT_SIZE);
}

static extfn_function *function_of(const char *directory, const char *body)
{
    char library[256];
    (void)snprintf(library, sizeof(library), "%s/library.json", directory);
    const extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = "f",
        .language = EXTFN_WASM,
        .body = body,
        .body_size = strlen(body),
        .return_type = EXTFN_NUMBER,
        .source_path = directory ? library : NULL,
    };
    extfn_function *function = NULL;
    assert_int_equal(extfn_function_new(&options, &function, NULL), EXTFN_OK);
    return function;
}

static test_result run_path(extfn_host *host, const char *directory, const char *body)
{
    extfn_function *function = function_of(directory, body);
    test_result result = test_call(host, function, NULL, 0, 5);
    extfn_function_unref(function);
    return result;
}

static void make_directory(char path[TEMPORARY_SIZE])
{
    assert_non_null(temporary_folder(path, TEMPORARY_SIZE, "/tmp"));
}

static void remove_directory(const char *directory, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char path[256];
        (void)snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
        (void)remove(path);
    }
    assert_int_equal(rmdir(directory), 0);
}

static void a_path_is_relative_to_the_library_and_read_again(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char here[TEMPORARY_SIZE];
    char there[TEMPORARY_SIZE];
    make_directory(here);
    make_directory(there);
    write_constant(here, "m.wasm", 1);
    write_constant(there, "m.wasm", 2);
    extfn_host *host = test_host(NULL);
    for (int i = 0; i < 2; i++) {
        test_result result = run_path(host, here, "m.wasm");
        ASSERT_NUMBER(result, 1.0);
        result = run_path(host, there, "m.wasm");
        ASSERT_NUMBER(result, 2.0);
    }
    char absolute[64];
    (void)snprintf(absolute, sizeof(absolute), "%s/m.wasm", there);
    test_result result = run_path(host, NULL, absolute);
    ASSERT_NUMBER(result, 2.0);
    write_constant(here, "m.new", 3);
    char from[64];
    char to[64];
    (void)snprintf(from, sizeof(from), "%s/m.new", here);
    (void)snprintf(to, sizeof(to), "%s/m.wasm", here);
    assert_int_equal(rename(from, to), 0);
    result = run_path(host, here, "m.wasm");
    ASSERT_NUMBER(result, 3.0);
    for (int i = 4; i < 6; i++) { /* what was kept while it was there is not found without it */
        assert_int_equal(unlink(to), 0);
        result = run_path(host, here, "m.wasm");
        assert_int_equal(result.status, EXTFN_ERUNTIME);
        test_result_clear(&result);
        write_constant(here, "m.wasm", i);
        result = run_path(host, here, "m.wasm");
        ASSERT_NUMBER(result, (double)i);
    }
    extfn_host_free(host);
    static const char *const names[] = {"m.wasm"};
    remove_directory(here, names, 1);
    remove_directory(there, names, 1);
}

/* All of these are the same to the author of a body: what the host has is none of his business. */
static void other_files_are_refused_in_the_same_words(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char directory[TEMPORARY_SIZE];
    char path[64];
    make_directory(directory);
    write_file(directory, "text", "secret of the host", 18);
    write_file(directory, "short", "\0as", 3);
    write_constant(directory, "large", 1);
    (void)snprintf(path, sizeof(path), "%s/large", directory);
    assert_int_equal(truncate(path, (4 << 20) + 1), 0);
    (void)snprintf(path, sizeof(path), "%s/fifo", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    (void)snprintf(path, sizeof(path), "%s/link", directory);
    assert_int_equal(symlink("/etc/shadow", path), 0);
    static const char *const bodies[] = {
        "text",           "short",    "large",     "fifo",
        "link",           "missing",  ".",         "/etc/shadow",
        "/dev/zero",      "/dev/tty", "/dev/null", "/proc/self/mem",
        "/proc/self/maps"};
    extfn_host *host = test_host(NULL);
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        char expected[256];
        (void)snprintf(expected, sizeof(expected), "module file '%s'" CANNOT, bodies[i]);
        test_result result = run_path(host, directory, bodies[i]);
        ASSERT_FAILS(result, EXTFN_ERUNTIME, expected);
    }
    extfn_host_free(host);
    static const char *const names[] = {"text", "short", "large", "fifo", "link"};
    remove_directory(directory, names, 5);
}

/* What is wrong inside of a file is said without a word of it: it may be no module of the author's.
 */
static void nothing_of_a_file_is_quoted(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char directory[TEMPORARY_SIZE];
    make_directory(directory);
    /* Its function is named `secret` and returns an i32 where an f64 is due. */
    static const unsigned char wrong[] =
        "\0asm\1\0\0\0\1\5\1\x60\0\1\x7c\3\2\1\0\7\x0f\1\x0bimprov_call\0\0\x0a\6\1\4\0\x41\0\x0b"
        "\0\x10\4name\1\x09\1\0\6secret";
    write_file(directory, "wrong", wrong, sizeof(wrong) - 1);
    /* The same, but it traps. */
    static const unsigned char trap[] =
        "\0asm\1\0\0\0\1\5\1\x60\0\1\x7c\3\2\1\0\7\x0f\1\x0bimprov_call\0\0\x0a\5\1\3\0\0\x0b"
        "\0\x10\4name\1\x09\1\0\6secret";
    write_file(directory, "trap", trap, sizeof(trap) - 1);
    extfn_host *host = test_host(NULL);
    test_result result = run_path(host, directory, "wrong");
    ASSERT_FAILS(result, EXTFN_ERUNTIME, "module does not compile");
    result = run_path(host, directory, "trap");
    ASSERT_FAILS(result, EXTFN_ERUNTIME,
                 "unreachable code reached: wasm trap: wasm `unreachable` instruction executed");
    extfn_host_free(host);
    static const char *const names[] = {"wrong", "trap"};
    remove_directory(directory, names, 2);
}

static void a_host_can_forbid_paths(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char directory[TEMPORARY_SIZE];
    make_directory(directory);
    write_constant(directory, "m.wasm", 1);
    extfn_host *host = test_host(&(extfn_host_options){.are_module_files_forbidden = true});
    static const char *const bodies[] = {"m.wasm", "missing"};
    for (size_t i = 0; i < 2; i++) {
        test_result result = run_path(host, directory, bodies[i]);
        ASSERT_FAILS(result, EXTFN_ERUNTIME,
                     "this host takes no modules from files; a body of text begins with wat:, one "
                     "of bytes with base64:");
    }
    test_result result = run_path(host, directory, WASM_FUNCTION("", "(f64.const 7)"));
    ASSERT_NUMBER(result, 7.0);
    extfn_host_free(host);
    static const char *const names[] = {"m.wasm"};
    remove_directory(directory, names, 1);
}

/* ---- Compiling ---- */

/* Loops in each other, each with its own mixture of locals: more than a minute for the compiler. */
static char *make_costly(size_t loops)
{
    size_t size = loops * 160 + 8192;
    char *text = malloc(size);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, size,
                                   "wat:(module (func (export \"improv_call\") (result "
                                   "f64) (local");
    for (int i = 0; i < 200; i++)
        used += (size_t)snprintf(text + used, size - used, " f64");
    used += (size_t)snprintf(text + used, size - used, ")\n");
    for (size_t i = 0; i < loops; i++)
        used += (size_t)snprintf(text + used, size - used,
                                 "loop (local.set %zu (f64.add (local.get %zu) (local.get %zu)))\n",
                                 (i * 13 + 3) % 200, i % 200, (i * 7 + 1) % 200);
    for (size_t i = 0; i < loops; i++)
        used += (size_t)snprintf(text + used, size - used,
                                 "(br_if 0 (f64.eq (local.get 0) (f64.const 0))) end\n");
    (void)snprintf(text + used, size - used, "(local.get 1)))");
    return text;
}

static void *cancel_soon(void *context)
{
    test_pause();
    extfn_cancel_trigger(context);
    return NULL;
}

static void compiling_ends_at_its_limits(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char *costly = make_costly(3000);
    extfn_host *host = test_host(&(extfn_host_options){.start_timeout_us = 100000});
    extfn_function *function = test_function(EXTFN_WASM, "->N", costly);
    test_result result = test_call(host, function, NULL, 0, 5);
    ASSERT_FAILS(result, EXTFN_ETIMEOUT, "function start timed out after 100ms");
    extfn_host_free(host);

    host = test_host(NULL);
    extfn_cancel *cancel = NULL;
    assert_int_equal(extfn_cancel_new(&cancel, NULL), EXTFN_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, cancel), 0);
    extfn_call_options options = {.struct_size = sizeof(options), .cancel = cancel};
    assert_int_equal(extfn_host_check(host, function, &options, NULL), EXTFN_ECANCELED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    extfn_cancel_free(cancel);
    options = (extfn_call_options){.struct_size = sizeof(options), .deadline_us = 50000};
    assert_int_equal(extfn_host_check(host, function, &options, NULL), EXTFN_ETIMEOUT);
    extfn_host_free(host);

    host = test_host(&(extfn_host_options){.memory_bytes = 64 << 20});
    result = test_call(host, function, NULL, 0, 5);
    ASSERT_FAILS(result, EXTFN_ERUNTIME,
                 "module does not compile: the compiler did not get by with 64 MiB of memory");
    extfn_function_unref(function);
    extfn_host_free(host);
    free(costly);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void a_large_module_is_compiled_all_the_same(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char *large = make_costly(60);
    test_result result = test_run(NULL, EXTFN_WASM, "->N", large, 0.02);
    ASSERT_FAILS(result, EXTFN_ETIMEOUT, "function timed out after 20ms");
    free(large);
}

static void more_functions_than_are_kept_work(void **state)
{
    (void)state;
    REQUIRE_WASM();
    extfn_host *host = test_host(NULL);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 260; i++) {
            char body[128];
            (void)snprintf(body, sizeof(body), WASM_FUNCTION("", "(f64.const %d)"), i);
            test_result result = run_path(host, "", body);
            ASSERT_NUMBER(result, (double)i);
        }
    }
    extfn_host_free(host);
}

/* Followed by a custom section of nearly 4 MiB. */
static void write_large_constant(const char *directory, const char *name, double number)
{
    static const unsigned char head[] = {0, 0x80, 0xfe, 0xff, 1, 1, 'x'};
    const size_t section = 0x3fff00;
    size_t size = CONSTANT_SIZE + 5 + section;
    unsigned char *bytes = calloc(1, size);
    assert_non_null(bytes);
    memcpy(bytes, constant, CONSTANT_SIZE);
    memcpy(bytes + CONSTANT_SIZE - 9, &number, sizeof(number));
    memcpy(bytes + CONSTANT_SIZE, head, sizeof(head));
    write_file(directory, name, bytes, size);
    free(bytes);
}

static void more_bytes_than_are_kept_work(void **state)
{
    (void)state;
    REQUIRE_WASM();
    char directory[TEMPORARY_SIZE];
    make_directory(directory);
    static const char *const names[] = {"a.wasm", "b.wasm", "c.wasm", "d.wasm", "e.wasm"};
    for (int i = 0; i < 5; i++)
        write_large_constant(directory, names[i], i);
    extfn_host *host = test_host(NULL);
    for (int i = 0; i < 10; i++) {
        test_result result = run_path(host, directory, names[i % 5]);
        ASSERT_NUMBER(result, (double)(i % 5));
    }
    extfn_host_free(host);
    remove_directory(directory, names, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_relative_to_the_library_and_read_again),
        cmocka_unit_test(other_files_are_refused_in_the_same_words),
        cmocka_unit_test(nothing_of_a_file_is_quoted),
        cmocka_unit_test(a_host_can_forbid_paths),
        cmocka_unit_test(compiling_ends_at_its_limits),
        cmocka_unit_test(a_large_module_is_compiled_all_the_same),
        cmocka_unit_test(more_functions_than_are_kept_work),
        cmocka_unit_test(more_bytes_than_are_kept_work),
    };
    return cmocka_run_group_tests_name("wasm_files", tests, NULL, NULL);
}
