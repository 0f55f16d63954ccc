/* Attacks on the worker's own driver, protocol and interpreter. Each is one row among others: what
 * comes of it is written beside it, and afterwards the same host answers for the function's other
 * rows and for another function. SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"

#define ROW_LIMIT_US 1000000
#define PY(code) "import os\nif x:\n    " code "\nresult = x + 5\n"
#define R(code) "if (x == 1) {\n" code "\n}\nresult <- x + 5\n"

#define JL(code) "if x == 1\n" code "\nend\nresult = x + 5\n"

#define LIBC                                                                                       \
    "import ctypes; c = ctypes.CDLL(None, use_errno=True); X86 = os.uname().machine == 'x86_64'\n    "

#define KILLED "function killed by signal 31 (SIGSYS): a forbidden system call"
#define BROKE "worker broke the protocol: "
#define TIMEOUT "function timed out after 1s"

/* Rows 0, 1, 0: the body attacks in the second. */
typedef struct attack {
    const char *name;
    extfn_language language;
    const char *body;
    const char *failure; /* start of the row's error; NULL: it has its result, 6; "": unspecified,
                            for what it forges of its own rows is its own affair */
} attack;

static const attack attacks[] = {
    /* descriptors */
    {"closes the request pipe", EXTFN_PYTHON, PY("os.close(3)"), NULL},
    {"closes the reply pipe", EXTFN_PYTHON, PY("os.close(4)"), NULL},
    {"closes all", EXTFN_PYTHON, PY("os.closerange(0, 300)"), NULL},
    {"puts stdout over the reply pipe", EXTFN_PYTHON, PY("os.dup2(1, 4)"), NULL},
    {"prints into the reply pipe", EXTFN_PYTHON, PY("os.dup2(4, 1); print('x' * 24)"), ""},
    {"waits for the next frame", EXTFN_PYTHON, PY("os.read(3, 24)"), TIMEOUT},
    {"resizes the reply map", EXTFN_PYTHON, PY("os.ftruncate(6, 0)"), "PermissionError: "},
    {"writes the request map", EXTFN_PYTHON, PY("os.write(5, b'x')"), "PermissionError: "},
    {"R: opens descriptors by name", EXTFN_R, R("suppressWarnings(file('/dev/fd/4', 'w'))"),
     "simpleError: cannot open the connection (line 2)"},
    /* frames and statuses */
    {"answers for rows that are not done", EXTFN_PYTHON,
     PY("os.write(4, bytes.fromhex('6578666e0100120002000000000000000300000000000000'))\n"
        "    while True: pass"),
     BROKE},
    {"answers another call", EXTFN_PYTHON,
     PY("os.write(4, bytes.fromhex('6578666e0100120009000000000000000300000000000000'))\n"
        "    while True: pass"),
     BROKE "answer to another call"},
    {"trickles half an answer", EXTFN_PYTHON,
     PY("import time\n    for i in range(23): time.sleep(0.1); os.write(4, b'e')"), TIMEOUT},
    {"claims that all is done and ends", EXTFN_PYTHON,
     PY("import mmap\n    mmap.mmap(6, 64 << 20)[4096:4160] = b'\1' * 64; os._exit(0)"), ""},
    {"claims texts that are not there", EXTFN_PYTHON,
     PY("import mmap\n    mmap.mmap(6, 64 << 20)[4096:] = b'\2' * ((64 << 20) - 4096); os._exit(0)"),
     ""},
    {"R: answers through the guest library", EXTFN_R,
     R("g <- getLoadedDLLs()[['extfn-guest']]\n"
       "s <- function(name) getNativeSymbolInfo(paste0('xf_guest_r_', name), g)\n"
       "h <- .Call(s('open')); .Call(s('send_frame'), h, 18L, 0L); repeat {}"),
     BROKE "answer to another call"},
    {"R: unloads the guest library", EXTFN_R,
     R("dyn.unload(getLoadedDLLs()[['extfn-guest']][['path']])"),
     "function died: signal 11 (SIGSEGV)"},
    /* the driver */
    {"empties the driver", EXTFN_PYTHON,
     PY("import sys\n    f = sys._getframe()\n    while f.f_back: f = f.f_back\n"
        "    f.f_globals.clear()"),
     ""},
    {"breaks the driver's objects", EXTFN_PYTHON,
     PY("import gc\n    for o in gc.get_objects():\n"
        "        if type(o).__name__ == 'Reply': o.rows = 1 << 60; o.free = -1; o.memory = None"),
     ""},
    {"forgets all modules", EXTFN_PYTHON, PY("import sys; sys.modules.clear()"), NULL},
    {"traces the driver", EXTFN_PYTHON,
     PY("import sys\n    def stop(*_): raise SystemExit\n    sys.settrace(stop)"), ""},
    {"replaces stdout by a trap", EXTFN_PYTHON,
     PY("import sys\n    class Trap:\n        closed = property(lambda s: 1 / 0)\n"
        "        flush = write = lambda *_: 1 / 0\n    sys.stdout = sys.stderr = Trap()"),
     NULL},
    {"raises what cannot be shown", EXTFN_PYTHON,
     PY("class M(type): __name__ = property(lambda c: 1 / 0)\n"
        "    class E(BaseException, metaclass=M):\n        def __str__(self): os._exit(9)\n"
        "    raise E()"),
     "function ended its process with exit status 9"},
    {"returns what is never freed", EXTFN_PYTHON,
     PY("class D(float):\n        def __del__(self):\n            while True: pass\n    D(1)"),
     TIMEOUT},
    {"catches every signal", EXTFN_PYTHON,
     PY("import signal\n    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\n"
        "    while True: pass"),
     TIMEOUT},
    {"stops itself", EXTFN_PYTHON, PY("import signal; signal.raise_signal(19)"), TIMEOUT},
    {"R: empties the driver's frames", EXTFN_R,
     R("for (f in sys.frames()) try(rm(list = ls(f, all.names = TRUE), envir = f), silent = TRUE)"),
     ""},
    {"R: poisons the driver's functions", EXTFN_R,
     R("for (f in sys.frames()) { p <- parent.env(f)\n"
       "for (n in ls(p)) try(assign(n, function(...) stop('poison'), envir = p), silent = TRUE) }"),
     ""},
    {"R: replaces base", EXTFN_R,
     R("for (n in c('tryCatch', 'rm', 'identical', 'eval')) { unlockBinding(n, baseenv())\n"
       "assign(n, function(...) repeat {}, envir = baseenv()) }"),
     ""},
    {"R: locks globalenv", EXTFN_R, R("lockEnvironment(globalenv(), TRUE)"), ""},
    {"R: leaves by a restart", EXTFN_R, R("invokeRestart('abort')"), ""},
    {"R: returns from its callers", EXTFN_R,
     R("do.call('return', list(3), envir = parent.frame())"), ""},
    {"R: quits, slowly", EXTFN_R,
     R("reg.finalizer(globalenv(), function(e) repeat {}, onexit = TRUE); quit('no')"), TIMEOUT},
    {"R: a condition without a message", EXTFN_R,
     R("stop(structure(class = c('odd', 'error', 'condition'), list()))"), "odd (line 2)"},
    {"R: a condition that hangs", EXTFN_R,
     R("registerS3method('conditionMessage', 'odd', function(c) repeat {}, envir = baseenv())\n"
       "stop(structure(class = c('odd', 'error', 'condition'), list(message = 'm')))"),
     TIMEOUT},
    /* calls that the first filter kills, and some that it only refuses */
    {"traces its parent", EXTFN_PYTHON, PY(LIBC "c.ptrace(16, os.getppid(), 0, 0)"), KILLED},
    {"reads its parent's memory", EXTFN_PYTHON,
     PY(LIBC "c.process_vm_readv(os.getppid(), 0, 0, 0, 0, 0)"), KILLED},
    {"takes a hold of its parent", EXTFN_PYTHON, PY(LIBC "c.syscall(434, os.getppid(), 0)"),
     KILLED},
    {"leaves its namespace", EXTFN_PYTHON, PY(LIBC "c.unshare(0x10000000)"), KILLED},
    {"makes a process in another", EXTFN_PYTHON,
     PY(LIBC "c.syscall(56 if X86 else 220, 0x10000011, 0, 0, 0, 0)"), KILLED},
    {"mounts", EXTFN_PYTHON, PY(LIBC "c.mount(b'none', b'/tmp', b'tmpfs', 0, 0)"), KILLED},
    {"mounts the new way", EXTFN_PYTHON, PY(LIBC "c.syscall(430, b'tmpfs', 0)"), KILLED},
    {"changes its root", EXTFN_PYTHON, PY(LIBC "c.chroot(b'/tmp')"), KILLED},
    {"leaves a key for the next", EXTFN_PYTHON,
     PY(LIBC "c.syscall(248 if X86 else 217, b'user', b'a', b'b', 1, -4)"), KILLED},
    {"loads a program into the kernel", EXTFN_PYTHON,
     PY(LIBC "c.syscall(321 if X86 else 280, 0, 0, 0)"), KILLED},
    {"keeps memory from the kernel", EXTFN_PYTHON, PY(LIBC "c.syscall(447, 0)"), KILLED},
#if defined(__x86_64__)
    {"calls in 32 bits", EXTFN_PYTHON,
     PY(LIBC "import mmap\n    m = mmap.mmap(-1, 4096, flags=0x22, prot=7)\n"
             "    m.write(bytes.fromhex('b814000000cd80c3'))\n" /* getpid */
             "    ctypes.CFUNCTYPE(int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()"),
     KILLED},
    {"calls with the numbers of x32", EXTFN_PYTHON,
     PY(LIBC "raise OSError(c.syscall(0x40000000 + 39) and ctypes.get_errno(), 'x32')"),
     "OSError: [Errno 38]"},
#endif
    {"R: traces its parent", EXTFN_R,
     R("dyn.load(sprintf('/lib/%s-linux-gnu/libc.so.6', R.version$arch))\n"
       ".C('ptrace', 16L, 1L, 0L, 0L)"),
     KILLED},
    {"asks for a ring of calls", EXTFN_PYTHON,
     PY(LIBC "raise OSError(c.syscall(425, 1, 0) and ctypes.get_errno(), 'ring')"),
     "OSError: [Errno 38]"},
    {"watches files", EXTFN_PYTHON,
     PY(LIBC "raise OSError(c.inotify_init() and ctypes.get_errno(), 'watch')"),
     "OSError: [Errno 38]"},
    /* memory that no limit counts */
    {"lets memory grow downwards", EXTFN_PYTHON,
     PY("import mmap; mmap.mmap(-1, 1 << 20, flags=0x122)"), "PermissionError: [Errno 1]"},
    {"keeps memory in files without a name", EXTFN_PYTHON, PY("os.memfd_create('x')"),
     "OSError: [Errno 38]"},
    {"shares memory with nobody", EXTFN_PYTHON, PY("import mmap; mmap.mmap(-1, 1 << 20)"),
     "OSError: [Errno 12] Cannot allocate memory"},
    {"keeps memory in segments", EXTFN_PYTHON,
     PY("import ctypes\n    if ctypes.CDLL(None).shmget(0, 4096, 0o600) < 0: raise ValueError('no')"),
     "ValueError: no"},
    {"Julia: closes the pipes", EXTFN_JULIA,
     JL("for fd in 3:4\n    ccall(:close, Cint, (Cint,), fd)\nend"), ""},
    {"Julia: answers by itself", EXTFN_JULIA,
     JL("write(fdio(4), hex2bytes(\"6578666e0100120009000000000000000300000000000000\"))\n"
        "while true\nend"),
     ""},
    {"Julia: kills itself", EXTFN_JULIA, JL("unsafe_store!(Ptr{Int}(8), 1)"), ""},
    {"Julia: replaces addition", EXTFN_JULIA, JL("@eval Base.:+(a::Int, b::Int) = 42"), ""},
    {"Julia: empties the driver", EXTFN_JULIA,
     JL("Core.eval(Main.ExtfnDriver, :(write_value(guest, value) = nothing))"), ""},
    {"Julia: traces its parent", EXTFN_JULIA,
     JL("ccall(:ptrace, Clong, (Cint, Cint, Clong, Clong), 16, 1, 0, 0)"), KILLED},
    {"Julia: grows downwards", EXTFN_JULIA,
     JL("ccall(:mmap, Ptr{Cvoid}, (Ptr{Cvoid}, Csize_t, Cint, Cint, Cint, Int64), C_NULL, 1 << 20, "
        "3, 0x122, -1, 0) == Ptr{Cvoid}(-1) && error(\"no\")"),
     "ErrorException: no"},
    /* what a row leaves behind */
    {"Julia: leaves its output diverted", EXTFN_JULIA,
     JL("redirect_stdout(open(\"/tmp/out\", \"w\"))"), NULL},
    {"R: leaves the collector's torture on", EXTFN_R, R("gctorture(TRUE)"), NULL},
    {"R: leaves a session's limit", EXTFN_R, R("setSessionTimeLimit(elapsed = 0.01)"), NULL},
    {"R: leaves all its outputs diverted", EXTFN_R,
     R("z <- textConnection('zz', 'w'); sink(z); sink(z, type = 'message'); closeAllConnections()"),
     NULL},
    {"leaves a thread that steals frames", EXTFN_PYTHON,
     PY("import threading\n    def steal():\n        while True: os.read(3, 24)\n"
        "    threading.Thread(target=steal).start()"),
     ""},
};

static void check_row(const attack *now, const extfn_column *column)
{
    if (now->failure && !now->failure[0])
        return;
    extfn_value value = {0};
    assert_int_equal(extfn_column_get(column, 1, &value, NULL), EXTFN_OK);
    if (!now->failure && (value.type != EXTFN_NUMBER || value.as.number != 6))
        fail_msg("%s: the row has no result", now->name);
    if (now->failure && (value.type != EXTFN_ERROR ||
                         strncmp(value.as.error.message, now->failure, strlen(now->failure)) != 0))
        fail_msg("%s: '%s'", now->name,
                 value.type == EXTFN_ERROR ? value.as.error.message : "a result");
    extfn_value_clear(&value);
}

/* Within two of its limits, the start of workers, and some more for a slow machine. */
static void check_time(const attack *now, double begun)
{
    if (test_now() - begun > 15)
        fail_msg("%s: took %.1f s", now->name, test_now() - begun);
}

static void try_attack(extfn_host *host, const attack *now)
{
    static const double numbers[] = {0, 1, 0};
    extfn_column *column = NULL;
    extfn_column *result = NULL;
    assert_int_equal(extfn_column_new_numbers(numbers, 3, &column, NULL), EXTFN_OK);
    extfn_function *function = test_function(now->language, "N(x)->N", now->body);
    const extfn_call_options options = {.struct_size = sizeof(options), .timeout_us = ROW_LIMIT_US};
    const extfn_column *columns[] = {column};
    extfn_error err = {0};
    double begun = test_now();
    extfn_status status = extfn_host_apply(host, function, columns, 1, 3, &options, &result, &err);
    check_time(now, begun);
    if (status != EXTFN_OK)
        fail_msg("%s: %s", now->name, err.message);
    check_row(now, result);
    extfn_column_free(result);
    extfn_column_free(column);
    extfn_function_unref(function);
}

static void each_attack_harms_itself_only(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    REQUIRE_R();
    REQUIRE_JULIA();
    extfn_host *host = test_host(NULL);
    extfn_function *others[] = {test_function(EXTFN_PYTHON, "->N", "result = 7.0"),
                                test_function(EXTFN_R, "->N", "result <- 7")};
    for (size_t i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++) {
        try_attack(host, &attacks[i]);
        test_result other = test_call(host, others[i % 2], NULL, 0, 5);
        if (other.status != EXTFN_OK || other.value.as.number != 7)
            fail_msg("after '%s': %s", attacks[i].name, other.err.message);
        test_result_clear(&other);
    }
    extfn_function_unref(others[0]);
    extfn_function_unref(others[1]);
    extfn_host_free(host);
}

/* ---- Memory that RLIMIT_DATA does not count: only the supervisor sees it ---- */

#define MAP_AND_WAIT(get)                                                                          \
    "import ctypes\nc = ctypes.CDLL(None)\nc.mmap.restype = c.mremap.restype = ctypes.c_size_t\n"  \
    "size = 400 << 20\n" get "\nwhile True: pass\n"

static void memory_that_no_limit_counts_is_seen(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    static const char *const bodies[] = {
        MAP_AND_WAIT("for i in range(4):\n    part = ctypes.c_size_t(c.mmap(None, size // 4, 3, "
                     "0x22, -1, 0))\n    ctypes.memset(part.value, 1, size // 4)\n"
                     "    assert c.mprotect(part, ctypes.c_size_t(size // 4), 1) == 0"),
        MAP_AND_WAIT("end = ctypes.c_size_t.in_dll(c, '__libc_stack_end').value\n"
                     "page = ctypes.c_size_t((end & ~4095) - 16384)\n"
                     "at = c.mremap(page, ctypes.c_size_t(4096), ctypes.c_size_t(size), 1)\n"
                     "assert at != (1 << 64) - 1\nctypes.memset(at, 1, size)"),
    };
    const extfn_host_options options = {.memory_bytes = 128U << 20};
    for (size_t i = 0; i < 2; i++) {
        test_result result = test_run(&options, EXTFN_PYTHON, "->N", bodies[i], 20);
        ASSERT_FAILS(result, EXTFN_ERUNTIME, "memory limit of 128 MiB reached");
        test_result_clear(&result);
    }
}

/* ---- Texts that a parser may choke on ---- */

static char *repeat(const char *before, const char *part, size_t count, const char *after)
{
    size_t size = strlen(part);
    char *text = test_malloc(strlen(before) + count * size + strlen(after) + 1);
    char *at = stpcpy(text, before);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, part);
    (void)stpcpy(at, after);
    return text;
}

static const struct {
    extfn_language language;
    const char *before;
    const char *part;
    const char *after;
    const char *failure; /* its start */
} texts[] = {
    {EXTFN_PYTHON, "result = ", "(", "", "SyntaxError: too many nested parentheses (line 1)"},
    {EXTFN_PYTHON, "result = ", "-", "1",
     "MemoryError: function body is too large or too deeply nested"},
    {EXTFN_PYTHON, "if 0: pass\n", "elif 0: pass\n", "",
     "MemoryError: function body is too large or too deeply nested"},
    {EXTFN_PYTHON, "result = 1", "+1", "", "RecursionError: "},
    {EXTFN_R, "result <- ", "(", "", "SyntaxError: contextstack overflow"},
    {EXTFN_R, "result <- ", "-", "1", "SyntaxError: "},
    {EXTFN_R, "result <- 1", "+1", "", "protectStackOverflowError: "},
    {EXTFN_JULIA, "result = ", "(", "", "SyntaxError: "},
};

static void a_text_that_is_too_deep_is_told(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    REQUIRE_R();
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        char *body = repeat(texts[i].before, texts[i].part, 100000, texts[i].after);
        test_result result = test_run(NULL, texts[i].language, "->N", body, 5);
        assert_int_equal(result.status, EXTFN_ERUNTIME);
        if (strncmp(result.err.message, texts[i].failure, strlen(texts[i].failure)) != 0)
            fail_msg("%.20s: '%s'", body, result.err.message);
        test_result_clear(&result);
        test_free(body);
    }
}

static void r_line_directives_are_comments(void **state)
{
    (void)state;
    REQUIRE_R();
    test_result result = test_run(NULL, EXTFN_R, "->N", "#line 50 \"other.R\"\nstop('x')", 5);
    ASSERT_FAILS(result, EXTFN_ERUNTIME, "simpleError: x (line 2)");
    test_result_clear(&result);
    result = test_run(NULL, EXTFN_R, "->T", "#line 9\nresult <- 'a\n#line 7 \"b\"\nc'", 5);
    ASSERT_TEXT(result, "a\n#line 7 \"b\"\nc");
    test_result_clear(&result);
    result = test_run(NULL, EXTFN_R, "->T", "1\nresult <- '\\u{110000}'", 5);
    ASSERT_FAILS(result, EXTFN_ERUNTIME, "SyntaxError: invalid \\u{xxxx} sequence (line 2)");
    test_result_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_attack_harms_itself_only),
        cmocka_unit_test(memory_that_no_limit_counts_is_seen),
        cmocka_unit_test(a_text_that_is_too_deep_is_told),
        cmocka_unit_test(r_line_directives_are_comments),
    };
    return cmocka_run_group_tests_name("attacks", tests, NULL, NULL);
}
