#include "wasm/compile.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/text.h"
#include "os/fd.h"
#include "os/spawn.h"
#include "os/stack.h"
#include "wasm/compiled.h"
#include "wasm/failure.h"
#include "wasm/program.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* Stack that a small module or text needs: four times what the worst that was found took. */
#define SMALL_TEXT ((size_t)64 << 10)
#define SMALL_STACK ((size_t)1 << 20)

/* ---- Here: on a stack that is large enough ---- */

static extfn_status on_stack(bool is_small, void (*run)(void *context), void *context,
                             extfn_error *err)
{
    if (!is_small || xf_stack_left() < SMALL_STACK)
        return xf_stack_call(XF_WASM_COMPILER_STACK_SIZE, run, context, err);
    run(context);
    return EXTFN_OK;
}

typedef struct job {
    const xf_wasm_engine *engine;
    const void *bytes;
    size_t size;
    wasm_byte_vec_t binary;
    wasmtime_module_t *code;
    wasmtime_error_t *error;
} job;

static void compile(void *context)
{
    job *it = context;
    it->error =
        it->engine->api.wasmtime_module_new(it->engine->engine, it->bytes, it->size, &it->code);
}

static void translate(void *context)
{
    job *it = context;
    it->error = it->engine->api.wasmtime_wat2wasm(it->bytes, it->size, &it->binary);
}

static extfn_status fail_refused(const xf_wasm_engine *engine, bool is_quiet,
                                 wasmtime_error_t *error, extfn_error *err)
{
    return xf_wasm_fail_error(&engine->api, is_quiet, "module does not compile", error, err);
}

static extfn_status compile_here(const xf_wasm_engine *engine, const void *bytes, size_t size,
                                 bool is_quiet, wasmtime_module_t **ret_code, extfn_error *err)
{
    job it = {.engine = engine, .bytes = bytes, .size = size};
    XF_TRY(on_stack(true, compile, &it, err));
    if (it.error)
        return fail_refused(engine, is_quiet, it.error, err);
    *ret_code = it.code;
    return EXTFN_OK;
}

extfn_status xf_wasm_translate(xf_wasm_engine *engine, const char *text, size_t size,
                               wasm_byte_vec_t *ret_bytes, extfn_error *err)
{
    job it = {.engine = engine, .bytes = text, .size = size};
    XF_TRY(on_stack(size <= SMALL_TEXT, translate, &it, err));
    if (size > SMALL_TEXT)
        (void)malloc_trim(0); /* which keeps what was used else */
    if (it.error)
        return xf_wasm_fail_text(&engine->api, it.error, err);
    *ret_bytes = it.binary;
    return EXTFN_OK;
}

/* ---- Apart: in a process ---- */

static extfn_status start(const xf_wasm_engine *engine, int module_fd, int answer_fd,
                          int64_t limit_us, pid_t *ret_pid, extfn_error *err)
{
    char memory[XF_NUMBER_SIZE];
    char seconds[XF_NUMBER_SIZE];
    (void)snprintf(memory, sizeof(memory), "%" PRIu64, engine->memory_rule.limit);
    (void)snprintf(seconds, sizeof(seconds), "%" PRId64, limit_us / 1000000 + 2);
    XF_AUTO_FREE char *path = xf_strdup(xf_wasm_engine_path(engine));
    if (!path)
        return xf_fail_oom(err);
    XF_AUTO_CLOSE int program = -1;
    XF_TRY(
        xf_memfd_with("extfn-compile", xf_program_compile, xf_program_compile_size, &program, err));
    const int fds[XF_WASM_FD_COUNT] = {module_fd, answer_fd, module_fd, program};
    char name[] = "extfn-compile";
    char *argv[] = {name, path, memory, seconds, NULL};
    char *env[] = {NULL};
    return xf_spawn("/proc/self/fd/3", argv, env, fds, XF_WASM_FD_COUNT, ret_pid, err);
}

/* Milliseconds, rounded up, until the earlier of both limits. */
static int wait_ms(int64_t until_us, const xf_wasm_limits *limits)
{
    int64_t end_us =
        limits->until_us >= 0 && limits->until_us < until_us ? limits->until_us : until_us;
    int64_t left_us = end_us - xf_clock_now();
    return left_us > 0 ? (int)(left_us / 1000 + 1) : 0;
}

static extfn_status await(int pidfd, const xf_wasm_limits *limits, extfn_error *err)
{
    int64_t until_us = xf_clock_now() + limits->row_us;
    for (;;) {
        struct pollfd seen[] = {{.fd = pidfd, .events = POLLIN},
                                {.fd = limits->cancel_fd, .events = POLLIN}};
        int count = poll(seen, 2, wait_ms(until_us, limits));
        if (count > 0 && seen[1].revents)
            return xf_fail_canceled(err);
        if (count > 0)
            return EXTFN_OK;
        int64_t now_us = xf_clock_now();
        if (limits->until_us >= 0 && now_us >= limits->until_us)
            return xf_fail_timeout(err, limits->batch_us);
        if (now_us >= until_us)
            return xf_fail_start_timeout(err, limits->row_us);
    }
}

/* Waits for the process; one that has ended already, and was reaped by the host, is fine. */
static extfn_status see_to_end(pid_t pid, const xf_wasm_limits *limits, extfn_error *err)
{
    extfn_error failure = {0};
    XF_AUTO_CLOSE int pidfd = -1;
    extfn_status status = xf_pidfd_open(pid, &pidfd, &failure);
    if (status != EXTFN_OK && failure.os_errno == ESRCH)
        return EXTFN_OK;
    if (status == EXTFN_OK) {
        status = await(pidfd, limits, err);
        (void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
    } else {
        (void)kill(pid, SIGKILL);
        status = xf_fail(err, status, "%s", failure.message);
    }
    xf_child_reap(pid);
    return status;
}

typedef struct mapping {
    void *data;
    size_t size;
} mapping;

static void mapping_clear(mapping *map)
{
    if (map->data)
        (void)munmap(map->data, map->size);
}

static extfn_status load_code(const xf_wasm_engine *engine, const uint8_t *data, size_t size,
                              wasmtime_module_t **ret_code, extfn_error *err)
{
    wasmtime_error_t *error =
        engine->api.wasmtime_module_deserialize(engine->engine, data, size, ret_code);
    return error ? xf_wasm_fail_error(&engine->api, true, "the compiled module cannot be loaded",
                                      error, err)
                 : EXTFN_OK;
}

static extfn_status fail_unended(const xf_wasm_engine *engine, extfn_error *err)
{
    char size[XF_NUMBER_SIZE];
    (void)xf_size_write(engine->memory_rule.limit, size);
    return xf_fail(err, EXTFN_ERUNTIME,
                   "module does not compile: the compiler did not get by with %s of memory", size);
}

static extfn_status read_answer(const xf_wasm_engine *engine, int answer_fd, bool is_quiet,
                                wasmtime_module_t **ret_code, extfn_error *err)
{
    struct stat info;
    if (fstat(answer_fd, &info) != 0)
        return xf_fail_os(err, errno, "look at a compiled module");
    if ((size_t)info.st_size < sizeof(xf_wasm_answer))
        return fail_unended(engine, err);
    XF_AUTO(mapping_clear) mapping map = {.size = (size_t)info.st_size};
    void *data = mmap(NULL, map.size, PROT_READ, MAP_PRIVATE, answer_fd, 0);
    if (data == MAP_FAILED)
        return xf_fail_os(err, errno, "map a compiled module");
    map.data = data;
    const xf_wasm_answer *head = data;
    const uint8_t *bytes = (const uint8_t *)data + sizeof(*head);
    if (head->kind == XF_WASM_ANSWER_NONE || head->size > map.size - sizeof(*head))
        return fail_unended(engine, err);
    if (head->kind == XF_WASM_ANSWER_CODE)
        return load_code(engine, bytes, head->size, ret_code, err);
    bool is_shown = !is_quiet || head->kind == XF_WASM_ANSWER_FAILED;
    return xf_wasm_fail_words(!is_shown, "module does not compile", (const char *)bytes, head->size,
                              err);
}

static extfn_status compile_apart(const xf_wasm_engine *engine, const void *bytes, size_t size,
                                  bool is_quiet, const xf_wasm_limits *limits,
                                  wasmtime_module_t **ret_code, extfn_error *err)
{
    XF_AUTO_CLOSE int module_fd = -1;
    XF_AUTO_CLOSE int answer_fd = -1;
    XF_TRY(xf_memfd_with("extfn-module", bytes, size, &module_fd, err));
    XF_TRY(xf_memfd_open("extfn-code", 0, &answer_fd, err));
    pid_t pid = 0;
    XF_TRY(start(engine, module_fd, answer_fd, limits->row_us, &pid, err));
    XF_TRY(see_to_end(pid, limits, err));
    return read_answer(engine, answer_fd, is_quiet, ret_code, err);
}

extfn_status xf_wasm_compile(xf_wasm_engine *engine, const void *bytes, size_t size, bool is_quiet,
                             const xf_wasm_limits *limits, wasmtime_module_t **ret_code,
                             extfn_error *err)
{
    return !limits || size <= XF_WASM_SMALL_MODULE
               ? compile_here(engine, bytes, size, is_quiet, ret_code, err)
               : compile_apart(engine, bytes, size, is_quiet, limits, ret_code, err);
}
