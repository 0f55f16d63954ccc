/* All that a body can do to get more memory than its limit, all at once, weighed by a memory cgroup
 * that holds nothing but the host and its worker: the kernel's own memory counts too.
 * SPDX-License-Identifier: MIT */
#include "support/host.h"
#include "support/process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#define MIB (INT64_C(1) << 20)
#define LIMIT (256 * MIB)
#define TMP (32 * MIB)
#define REST (64 * MIB) /* page tables, pipes, stacks, names: what no limit of bytes counts */

/* ---- Weighing ---- */

#define GROUP "/sys/fs/cgroup/memory/extfn-test-bombs"

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        (void)close(fd);
    return is_written;
}

static int64_t read_field(const char *path, const char *name)
{
    FILE *file = fopen(path, "re");
    char line[256];
    int64_t number = 0;
    size_t size = strlen(name);
    while (file && fgets(line, sizeof(line), file)) {
        if (strncmp(line, name, size) == 0)
            number = strtoll(line + size, NULL, 10);
    }
    if (file)
        (void)fclose(file);
    return number;
}

/* All of it but copies of files on disk, which the kernel drops when it likes. */
static int64_t weigh(void)
{
    return read_field(GROUP "/memory.usage_in_bytes", "") -
           (read_field(GROUP "/memory.stat", "total_cache ") -
            read_field(GROUP "/memory.stat", "total_shmem "));
}

typedef struct scales {
    atomic_bool is_over;
    int64_t peak;
} scales;

static void *watch_weight(void *context)
{
    scales *self = context;
    while (!self->is_over) {
        int64_t now = weigh();
        self->peak = now > self->peak ? now : self->peak;
        test_pause();
    }
    return NULL;
}

/* ---- Bombs ---- */

/* Each holds for a moment what it got. */
#define PYTHON_BOMBS                                                                               \
    "import _thread, mmap, os, time\n"                                                             \
    "def until(error, step):\n"                                                                    \
    "    try:\n        while True: step()\n    except (error, MemoryError, ValueError): pass\n"    \
    "kept = []\n"                                                                                  \
    "def fill():\n    with open('/tmp/big', 'ab', 0) as f: f.write(bytes(1 << 20))\n"              \
    "_thread.stack_size(1 << 16)\n"                                                                \
    "until(RuntimeError, lambda: _thread.start_new_thread(time.sleep, (60,)))\n"                   \
    "for i in range(4000): open('/tmp/%d' % i, 'w').close()\n"                                     \
    "until(OSError, fill)\n"                                                                       \
    "until(OSError, lambda: kept.append(os.memfd_create('x')))\n"                                  \
    "def pipe():\n    r, w = os.pipe2(os.O_NONBLOCK)\n"                                            \
    "    until(BlockingIOError, lambda: os.write(w, bytes(4096)))\n"                               \
    "until(OSError, pipe)\n"                                                                       \
    "for size in (1 << 24, 1 << 20, 1 << 14):\n"                                                   \
    "    until(MemoryError, lambda: kept.append(bytearray(b'x' * size)))\n"                        \
    "del kept[-200:]\n" /* so that it can go on */                                                 \
    "for size in (1 << 28, 1 << 24, 1 << 21):\n"                                                   \
    "    for flags in (0x22, 0x122, 0x21):\n" /* private, growing downwards, shared */             \
    "        def tables():\n"                                                                      \
    "            m = mmap.mmap(-1, size, flags=flags, prot=mmap.PROT_READ)\n"                      \
    "            kept.append(m)\n            for at in range(0, size, 1 << 21): m[at]\n"           \
    "        until(OSError, tables)\n"                                                             \
    "time.sleep(0.5)\nresult = 1"

#define R_BOMBS                                                                                    \
    "file.create(paste0('/tmp/', 1:4000))\n"                                                       \
    "for (k in 1:2) { f <- file(paste0('/tmp/big', k), 'wb')\n"                                    \
    "  for (i in 1:20) try(writeBin(raw(2^20), f), silent = TRUE) }\n"                             \
    "kept <- list()\n"                                                                             \
    "for (size in c(2^22, 2^17, 2^11))\n"                                                          \
    "  try(repeat kept[[length(kept) + 1]] <- rep(1.5, size), silent = TRUE)\n"                    \
    "Sys.sleep(0.5)\nresult <- 1"

#define JULIA_BOMBS                                                                                \
    "kept = []\n"                                                                                  \
    "for i in 1:4000; touch(\"/tmp/$i\"); end\n"                                                   \
    "try\n    open(\"/tmp/big\", \"w\") do f\n"                                                    \
    "        for i in 1:40; write(f, zeros(UInt8, 2^20)); flush(f); end\n    end\ncatch\nend\n"    \
    "for size in (2^24, 2^20, 2^14)\n"                                                             \
    "    try\n        while true; push!(kept, ones(UInt8, size)); end\n    catch\n    end\nend\n"  \
    "resize!(kept, length(kept) - 200)\n"                                                          \
    "for flags in (0x22, 0x122, 0x21), size in (2^28, 2^24, 2^21), i in 1:256\n"                   \
    "    m = ccall(:mmap, Ptr{UInt8}, (Ptr{Cvoid}, Csize_t, Cint, Cint, Cint, Clong),\n"           \
    "              C_NULL, size, 1, flags, -1, 0)\n"                                               \
    "    m == Ptr{UInt8}(typemax(UInt)) && break\n"                                                \
    "    for at in 0:2^21:size-1; unsafe_load(m, at + 1); end\nend\n"                              \
    "sleep(0.5)\nresult = 1"

static const struct {
    extfn_language language;
    const char *idle; /* what the worker weighs before any body */
    const char *bombs;
} bodies[] = {
    {EXTFN_PYTHON, "import time\ntime.sleep(0.5)\nresult = 1", PYTHON_BOMBS},
    {EXTFN_R, "Sys.sleep(0.5)\nresult <- 1", R_BOMBS},
    {EXTFN_JULIA, "sleep(0.5)\nresult = 1", JULIA_BOMBS},
};

/* The most that it all weighed while the body ran, over what it weighed before. */
static int64_t weigh_body(extfn_language language, const char *body)
{
    int64_t before = weigh();
    scales self = {.peak = before};
    extfn_host *host =
        test_host(&(extfn_host_options){.memory_bytes = LIMIT, .tmp_bytes = (uint64_t)TMP});
    extfn_function *function = test_function(language, "->N!", body);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, watch_weight, &self), 0);
    test_result result = test_call(host, function, NULL, 0, 60);
    self.is_over = true;
    assert_int_equal(pthread_join(thread, NULL), 0);
    print_message("# %s: peak %" PRId64 " MiB: %s\n", extfn_language_text(language),
                  (self.peak - before) / MIB, result.err.message);
    test_result_clear(&result);
    extfn_function_unref(function);
    extfn_host_free(host);
    return self.peak - before;
}

static int enter_group(void **state)
{
    (void)state;
    if (mkdir(GROUP, 0755) != 0)
        return 0;
    char pid[32];
    (void)snprintf(pid, sizeof(pid), "%d", (int)getpid());
    assert_true(write_text(GROUP "/cgroup.procs", pid));
    return 0;
}

static int leave_group(void **state)
{
    (void)state;
    char pid[32];
    (void)snprintf(pid, sizeof(pid), "%d", (int)getpid());
    (void)write_text("/sys/fs/cgroup/memory/cgroup.procs", pid);
    return access(GROUP, F_OK) == 0 ? rmdir(GROUP) : 0;
}

static void all_bombs_at_once_stay_under_the_limit(void **state)
{
    (void)state;
    REQUIRE_PYTHON();
    if (access(GROUP, F_OK) != 0) {
        print_message("# skipped: a memory cgroup (v1) is missing\n");
        skip();
    }
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        if (!test_has(bodies[i].language))
            continue;
        int64_t base = weigh_body(bodies[i].language, bodies[i].idle);
        int64_t peak = weigh_body(bodies[i].language, bodies[i].bombs);
        assert_true(peak > LIMIT / 2);
        if (peak > LIMIT + base + TMP + REST)
            fail_msg("%s: %" PRId64 " MiB", extfn_language_text(bodies[i].language), peak / MIB);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bombs_at_once_stay_under_the_limit),
    };
    return cmocka_run_group_tests_name("bombs", tests, enter_group, leave_group);
}
