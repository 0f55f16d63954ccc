/* What a body sees and can do: in the sandbox, and, to show that it is the sandbox that holds,
 * under the policy Trusted. SPDX-License-Identifier: MIT */
#include "support/host.h"

#define TRY_PY(statement)                                                                          \
    "import os, socket, signal\n"                                                                  \
    "try:\n    " statement "\n    result = 'done'\nexcept OSError as failure:\n"                   \
    "    result = type(failure).__name__\n"

#define TRY_JL(call) "result = try\n    " call "\n    \"done\"\ncatch\n    \"refused\"\nend\n"

typedef struct attempt {
    const char *name;
    extfn_language language;
    const char *body;
    const char *confined; /* the result in the sandbox */
    const char *trusted;  /* and without it; NULL: not tried, it would do harm */
} attempt;

static const attempt attempts[] = {
    {"read a file of the host", EXTFN_PYTHON, TRY_PY("open('/etc/passwd').read()"),
     "FileNotFoundError", "done"},
    {"list the processes", EXTFN_PYTHON, TRY_PY("os.listdir('/proc')"), "FileNotFoundError",
     "done"},
    {"list devices", EXTFN_PYTHON, TRY_PY("os.listdir('/dev')"), "FileNotFoundError", "done"},
    {"list the root user's home", EXTFN_PYTHON, TRY_PY("os.listdir('/root')"), "FileNotFoundError",
     NULL},
    {"list /home", EXTFN_PYTHON, "import os\nresult = repr(os.listdir('/home'))", "[]", NULL},
    {"write into the root", EXTFN_PYTHON, TRY_PY("open('/file', 'w')"), "OSError", NULL},
    {"write into /usr", EXTFN_PYTHON, TRY_PY("open('/usr/lib/file', 'w')"), "OSError", NULL},
    {"write into /home", EXTFN_PYTHON, TRY_PY("open('/home/file', 'w')"), "OSError", NULL},
    {"replace the driver", EXTFN_PYTHON, TRY_PY("open('/b/driver.py', 'w')"), "OSError", NULL},
    {"write into /tmp", EXTFN_PYTHON, TRY_PY("open('/tmp/file', 'w').write('x')"), "done", NULL},
    {"fill /tmp", EXTFN_PYTHON,
     TRY_PY("[open('/tmp/%d' % i, 'wb').write(bytes(1 << 20)) for i in range(100)]"), "OSError",
     NULL},
    {"fork", EXTFN_PYTHON, TRY_PY("os.fork() or os._exit(0)"), "PermissionError", "done"},
    {"execute", EXTFN_PYTHON, TRY_PY("os.posix_spawn('/usr/bin/true', ['true'], {})"),
     "PermissionError", "done"},
    {"execute its own interpreter", EXTFN_PYTHON,
     TRY_PY("os.posix_spawn(__import__('sys').executable, ['python3', '-c', ''], {})"),
     "PermissionError", "done"},
    {"signal others", EXTFN_PYTHON, TRY_PY("os.kill(os.getppid(), 0)"), "PermissionError", "done"},
    {"make a socket pair", EXTFN_PYTHON, TRY_PY("socket.socketpair()"), "PermissionError", "done"},
    {"make a local socket", EXTFN_PYTHON, TRY_PY("socket.socket(socket.AF_UNIX)"), "OSError",
     "done"},
    {"ask the kernel about networks", EXTFN_PYTHON,
     TRY_PY("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)"), "OSError", "done"},
    {"make a dead socket", EXTFN_PYTHON, TRY_PY("socket.socket(socket.AF_INET6).close()"), "done",
     "done"},
    {"connect", EXTFN_PYTHON,
     "import errno, socket\n"
     "result = errno.errorcode[socket.socket().connect_ex(('127.0.0.1', 1))]",
     "ENETUNREACH", "ECONNREFUSED"},
    {"send a datagram", EXTFN_PYTHON,
     TRY_PY("socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))"), "OSError",
     "done"},
    {"listen", EXTFN_PYTHON, TRY_PY("socket.socket(type=socket.SOCK_DGRAM).bind(('127.0.0.1', 0))"),
     "PermissionError", "done"},
    {"lock a file that others see", EXTFN_PYTHON,
     TRY_PY("__import__('fcntl').flock(open(os.__file__), 1)"), "OSError", "done"},
    {"lock a part of it", EXTFN_PYTHON, TRY_PY("__import__('fcntl').lockf(open(os.__file__), 1)"),
     "PermissionError", "done"},
    {"make a pipe with a name", EXTFN_PYTHON, TRY_PY("os.mkfifo('/tmp/fifo')"), "OSError", NULL},
    {"limit others", EXTFN_PYTHON, TRY_PY("__import__('resource').prlimit(os.getppid(), 7)"),
     "PermissionError", "done"},
    {"copy a file with its attributes", EXTFN_PYTHON,
     TRY_PY("open('/tmp/a', 'w').close()\n    __import__('shutil').copy2('/tmp/a', '/tmp/b')"),
     "done", NULL},
    {"leave its session", EXTFN_PYTHON, TRY_PY("os.setpgid(0, 0)"), "PermissionError", NULL},
    {"be somebody", EXTFN_PYTHON, "import os\nresult = '%d %d' % (os.getuid(), os.getgid())",
     "65534 65534", NULL},
    {"become root", EXTFN_PYTHON, TRY_PY("os.setuid(0)"), "OSError", NULL},
    {"see descriptors", EXTFN_PYTHON,
     "import os\nopen_ones = []\nfor fd in range(200):\n    try:\n        os.fstat(fd)\n"
     "        open_ones.append(fd)\n    except OSError:\n        pass\nresult = repr(open_ones)",
     "[0, 1, 2, 3, 4, 5, 6]", NULL},
    {"read its stdin", EXTFN_PYTHON, "import sys\nresult = repr(sys.stdin.read())", "''", NULL},
    {"R: read a file of the host", EXTFN_R, "result <- as.character(file.exists('/etc/passwd'))",
     "FALSE", "TRUE"},
    {"R: start a program", EXTFN_R,
     "result <- if (suppressWarnings(system('exit 0')) == 0) 'done' else 'refused'", "refused",
     "done"},
    {"R: write into the root", EXTFN_R,
     "result <- as.character(suppressWarnings(file.create('/file')))", "FALSE", NULL},
    {"R: write into /tmp", EXTFN_R, "result <- as.character(file.create('/tmp/file'))", "TRUE",
     NULL},
    {"Julia: read a file of the host", EXTFN_JULIA, TRY_JL("read(\"/etc/passwd\")"), "refused",
     "done"},
    {"Julia: start a program", EXTFN_JULIA, TRY_JL("run(`/usr/bin/true`)"), "refused", "done"},
    {"Julia: see its devices", EXTFN_JULIA,
     "result = join(filter(n -> ispath(\"/dev/$n\"), split(\"mem null shm tty urandom zero\")), ' ')",
     "urandom", NULL},
    {"Julia: see processes", EXTFN_JULIA,
     "result = join(filter(n -> ispath(\"/proc/$n\"), split(\"1 2 cpuinfo meminfo self sys\")), ' ')",
     "cpuinfo meminfo self", NULL},
    {"Julia: see itself", EXTFN_JULIA, TRY_JL("read(\"/proc/self/maps\")"), "refused", "done"},
    {"Julia: write into the root", EXTFN_JULIA, TRY_JL("touch(\"/file\")"), "refused", NULL},
    {"Julia: replace the driver", EXTFN_JULIA, TRY_JL("write(\"/b/driver.jl\", \"x\")"), "refused",
     NULL},
    {"Julia: connect", EXTFN_JULIA, "using Sockets\n" TRY_JL("Sockets.connect(\"127.0.0.1\", 9)"),
     "refused", NULL},
    {"Julia: write into /tmp", EXTFN_JULIA, TRY_JL("touch(\"/tmp/file\")"), "done", NULL},
};

static void try_all(extfn_policy policy)
{
    for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
        const attempt *now = &attempts[i];
        const char *expected = policy == EXTFN_TRUSTED ? now->trusted : now->confined;
        if (!expected)
            continue;
        const extfn_host_options options = {.policy = policy};
        test_result result = test_run(&options, now->language, "->T", now->body, 20);
        if (result.status != EXTFN_OK)
            fail_msg("%s: %s", now->name, result.err.message);
        if (strcmp(result.value.as.text.data, expected) != 0)
            fail_msg("%s: '%s'", now->name, result.value.as.text.data);
        test_result_clear(&result);
    }
}

static void a_confined_body_can_do_nothing_but_compute(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    REQUIRE_R();
    REQUIRE_JULIA();
    try_all(EXTFN_RESTRICTED);
}

static void the_same_attempts_succeed_without_the_sandbox(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    REQUIRE_R();
    REQUIRE_JULIA();
    try_all(EXTFN_TRUSTED);
}

/* Without bubblewrap the filters, the limits and the lost uid stay, the view of files does not. */
static void the_unsandboxed_fallback_keeps_what_needs_no_bubblewrap(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    const extfn_host_options options = {.search_path = "/nonexistent",
                                        .is_unsandboxed_allowed = true};
    static const struct {
        const char *body;
        const char *expected;
    } cases[] = {
        {TRY_PY("os.fork() or os._exit(0)"), "PermissionError"},
        {TRY_PY("os.kill(os.getppid(), 0)"), "PermissionError"},
        {TRY_PY("open('/etc/shadow').read()"), "PermissionError"},
        {TRY_PY("socket.socket(socket.AF_UNIX)"), "OSError"},
        {TRY_PY("socket.socket(type=socket.SOCK_DGRAM).bind(('127.0.0.1', 0))"), "PermissionError"},
        {TRY_PY("open('/etc/passwd').read()"), "done"},
        {"import os\nresult = 'root' if os.getuid() == 0 else 'not root'", "not root"},
        {"try:\n    x = bytearray(2 * 10**9)\n    result = 'done'\nexcept MemoryError:\n"
         "    result = 'MemoryError'",
         "MemoryError"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        test_result result = test_run(&options, EXTFN_PYTHON, "->T", cases[i].body, 20);
        ASSERT_TEXT(result, cases[i].expected);
        assert_true(result.output.is_unsandboxed);
        test_result_clear(&result);
    }
}

/* A row leaves a file; no later row of the same worker finds it. */
static void files_of_a_row_are_gone_before_the_next(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    REQUIRE_R();
    REQUIRE_JULIA();
    static const struct {
        extfn_language language;
        const char *body;
    } cases[] = {
        {EXTFN_PYTHON, "import os\nresult = len(os.listdir('/tmp'))\nos.makedirs('/tmp/a/b')\n"
                       "open('/tmp/a/file', 'w').write('x')"},
        {EXTFN_R, "result <- length(setdiff(list.files('/tmp'), basename(tempdir())))\n"
                  "dir.create('/tmp/a')\nfile.create('/tmp/a/file')"},
        {EXTFN_JULIA, "result = length(readdir(\"/tmp\"))\nmkpath(\"/tmp/a/b\")\n"
                      "touch(\"/tmp/a/file\")"},
    };
    for (size_t i = 0; i < 2; i++) {
        extfn_host *host = test_host(NULL);
        extfn_function *function = test_function(cases[i].language, "->N", cases[i].body);
        extfn_column *result = NULL;
        extfn_error err = {0};
        if (extfn_host_apply(host, function, NULL, 0, 5, NULL, &result, &err) != EXTFN_OK)
            fail_msg("%s", err.message);
        assert_int_equal(extfn_column_error_count(result), 0);
        for (int row = 0; row < 5; row++)
            assert_true(extfn_column_numbers(result)[row] == 0);
        extfn_column_free(result);
        extfn_function_unref(function);
        extfn_host_free(host);
    }
}

/* Shown by what bubblewrap's view alone would let through. */
static void landlock_stands_under_the_view(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    extfn_host *host = test_host(NULL);
    uint32_t layers = 0;
    assert_int_equal(extfn_host_probe_layers(host, NULL, &layers, NULL), EXTFN_OK);
    extfn_host_free(host);
    XF_TEST_REQUIRE("landlock", (layers & EXTFN_LAYER_FILES) != 0);
    test_result result = test_run(NULL, EXTFN_PYTHON, "->T", TRY_PY("os.listdir('/')"), 20);
    ASSERT_TEXT(result, "PermissionError");
    test_result_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_confined_body_can_do_nothing_but_compute),
        cmocka_unit_test(the_same_attempts_succeed_without_the_sandbox),
        cmocka_unit_test(the_unsandboxed_fallback_keeps_what_needs_no_bubblewrap),
        cmocka_unit_test(landlock_stands_under_the_view),
        cmocka_unit_test(files_of_a_row_are_gone_before_the_next),
    };
    return cmocka_run_group_tests_name("confinement", tests, NULL, NULL);
}
