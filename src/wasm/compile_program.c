/* extfn-compile: compiles one module, in a process that can be killed, because the engine's
 * compiler cannot be interrupted and a small module can make it take hours and all memory.
 * SPDX-License-Identifier: MIT */
#include "base/error.h"
#include "os/stack.h"
#include "wasm/compiled.h"
#include "wasm/config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Address space beside the memory that is used: the engine's file, the answer. */
#define ADDRESS_SPACE_MORE ((rlim_t)1 << 30)

typedef struct job {
    xf_wasm_api wt;
    wasm_engine_t *engine;
    const void *bytes;
    size_t size;
    wasmtime_error_t *error;
    wasm_byte_vec_t code;
} job;

static bool write_all(const void *data, size_t size, off_t at)
{
    size_t done = 0;
    while (done < size) {
        ssize_t more =
            pwrite(XF_WASM_FD_ANSWER, (const char *)data + done, size - done, at + (off_t)done);
        if (more <= 0)
            return false;
        done += (size_t)more;
    }
    return true;
}

static int answer(enum xf_wasm_answer_kind kind, const void *data, size_t size)
{
    const xf_wasm_answer head = {.kind = kind, .size = size};
    return write_all(data, size, sizeof(head)) && write_all(&head, sizeof(head), 0) ? EXIT_SUCCESS
                                                                                    : EXIT_FAILURE;
}

static void compile(void *context)
{
    job *it = context;
    wasmtime_module_t *module = NULL;
    it->error = it->wt.wasmtime_module_new(it->engine, it->bytes, it->size, &module);
    if (!it->error)
        it->error = it->wt.wasmtime_module_serialize(module, &it->code);
}

static void limit(int resource, rlim_t most)
{
    const struct rlimit both = {.rlim_cur = most, .rlim_max = most};
    (void)setrlimit((__rlimit_resource_t)resource, &both);
}

/* The host's death is ours; its own kill comes first in time, the processor's limit last. */
static void confine(rlim_t memory, rlim_t seconds)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, seconds);
    limit(RLIMIT_DATA, memory);
    limit(RLIMIT_AS, memory + ADDRESS_SPACE_MORE);
    limit(RLIMIT_FSIZE, XF_WASM_ANSWER_LIMIT);
}

static extfn_status map_module(job *it, extfn_error *err)
{
    struct stat info;
    if (fstat(XF_WASM_FD_MODULE, &info) != 0)
        return xf_fail(err, EXTFN_EIO, "no module was given");
    it->size = (size_t)info.st_size;
    void *bytes = mmap(NULL, it->size, PROT_READ, MAP_PRIVATE, XF_WASM_FD_MODULE, 0);
    if (bytes == MAP_FAILED)
        return xf_fail(err, EXTFN_EIO, "the module cannot be mapped");
    it->bytes = bytes;
    return EXTFN_OK;
}

static extfn_status run(job *it, const char *engine_path, extfn_error *err)
{
    XF_TRY(map_module(it, err));
    XF_TRY(xf_wasm_api_load(engine_path, &it->wt, err));
    wasm_config_t *config = xf_wasm_config_new(&it->wt);
    it->engine = config ? it->wt.wasm_engine_new_with_config(config) : NULL;
    if (!it->engine)
        return xf_fail(err, EXTFN_EUNAVAILABLE, "the engine refuses its configuration");
    return xf_stack_call(XF_WASM_COMPILER_STACK_SIZE, compile, it, err);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    confine(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
    job it = {.size = 0};
    extfn_error failure = {0};
    if (run(&it, argv[1], &failure) != EXTFN_OK)
        return answer(XF_WASM_ANSWER_FAILED, failure.message, strlen(failure.message));
    if (!it.error)
        return answer(XF_WASM_ANSWER_CODE, it.code.data, it.code.size);
    wasm_name_t text;
    it.wt.wasmtime_error_message(it.error, &text);
    return answer(XF_WASM_ANSWER_REFUSED, text.data, text.size);
}
