#include "eval/options.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/kernel.h"
#include "sandbox/group.h"

#include <stdlib.h>
#include <string.h>

#define SECOND_US INT64_C(1000000)
#define WORKERS_HIGHEST 1024

#define RESULT_LIMIT_LOWEST (UINT64_C(256) << 20)

static const extfn_host_options defaults = {
    .struct_size = sizeof(defaults),
    .search_path = "/usr/local/bin:/usr/bin:/bin",
    .timeout_us = 5 * SECOND_US,
    .start_timeout_us = 30 * SECOND_US,
    .memory_bytes = UINT64_C(1) << 30,
    .tmp_bytes = UINT64_C(64) << 20,
    .warm_workers = 16,
    .idle_timeout_us = 300 * SECOND_US,
    .worker_age_us = 3600 * SECOND_US,
    .uid_first = 2000000000,
    .uid_count = 1000,
};

/* Structs grow at their end: what a caller of an older version does not have is zero. */
static void copy_known(void *ret, size_t size, const void *given, size_t given_size)
{
    memset(ret, 0, size);
    if (given)
        memcpy(ret, given, given_size < size ? given_size : size);
}

/* Of the machine, or of the part of it that we are confined to. */
static uint64_t half_of_memory(void)
{
    uint64_t machine = xf_kernel_memory();
    uint64_t bound = xf_group_memory("");
    if (bound > 0 && (machine == 0 || bound < machine))
        machine = bound;
    return machine > 0 ? machine / 2 : UINT64_MAX;
}

uint64_t xf_options_result_limit(void)
{
    uint64_t eighth = half_of_memory() / 4; /* twice of it is there while spans are joined */
    return eighth > RESULT_LIMIT_LOWEST ? eighth : RESULT_LIMIT_LOWEST;
}

static void fill(extfn_host_options *options)
{
#define DEFAULT(field)                                                                             \
    if (!options->field)                                                                           \
    options->field = defaults.field
    DEFAULT(search_path);
    DEFAULT(timeout_us);
    DEFAULT(start_timeout_us);
    DEFAULT(memory_bytes);
    DEFAULT(tmp_bytes);
    DEFAULT(warm_workers);
    DEFAULT(idle_timeout_us);
    DEFAULT(worker_age_us);
    DEFAULT(uid_first);
    DEFAULT(uid_count);
#undef DEFAULT
    if (!options->workers)
        options->workers = xf_kernel_processors();
    if (!options->workers_memory_bytes)
        options->workers_memory_bytes = half_of_memory();
}

static bool own(const char **text)
{
    if (!*text)
        return true;
    *text = xf_strdup(*text);
    return *text != NULL;
}

static bool own_texts(extfn_host_options *options)
{
    bool is_complete = own(&options->search_path);
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        is_complete = own(&options->interpreters[i]) && is_complete;
        is_complete = own(&options->packages[i]) && is_complete;
    }
    return is_complete;
}

extfn_status xf_options_copy(const extfn_host_options *given, extfn_host_options *ret_options,
                             extfn_error *err)
{
    if (given && given->struct_size < sizeof(size_t))
        return xf_fail(err, EXTFN_EINVAL, "host options without struct_size");
    extfn_host_options options;
    copy_known(&options, sizeof(options), given, given ? given->struct_size : 0);
    if (options.timeout_us < 0 || options.start_timeout_us < 0 || options.idle_timeout_us < 0 ||
        options.worker_age_us < 0)
        return xf_fail(err, EXTFN_EINVAL, "host options: a time limit is negative");
    if (options.workers > WORKERS_HIGHEST)
        return xf_fail(err, EXTFN_EINVAL, "host options: more than %d workers", WORKERS_HIGHEST);
    fill(&options);
    if (!own_texts(&options)) {
        xf_options_clear(&options);
        return xf_fail_oom(err);
    }
    *ret_options = options;
    return EXTFN_OK;
}

static void disown(const char **text)
{
    /* Owned since own(); the public struct has them const for callers. */
    char *owned;
    memcpy(&owned, text, sizeof(owned));
    xf_free(owned);
    *text = NULL;
}

void xf_options_clear(extfn_host_options *options)
{
    disown(&options->search_path);
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        disown(&options->interpreters[i]);
        disown(&options->packages[i]);
    }
}

extfn_call_options xf_call_options_copy(const extfn_call_options *given)
{
    extfn_call_options options;
    copy_known(&options, sizeof(options), given, given ? given->struct_size : 0);
    options.struct_size = sizeof(options);
    return options;
}

extfn_status xf_call_options_read(const extfn_call_options *given, extfn_call_options *ret_options,
                                  extfn_error *err)
{
    extfn_call_options options = xf_call_options_copy(given);
    if (options.timeout_us < 0 || options.deadline_us < 0 || options.chunk_rows < 0)
        return xf_fail(err, EXTFN_EINVAL, "call options: a limit is negative");
    if (options.workers > WORKERS_HIGHEST)
        return xf_fail(err, EXTFN_EINVAL, "call options: more than %d workers", WORKERS_HIGHEST);
    *ret_options = options;
    return EXTFN_OK;
}

static bool is_set(const char *name)
{
    const char *value = getenv(name); /* NOLINT(concurrency-mt-unsafe): the host calls us */
    return value && strcmp(value, "1") == 0;
}

static const char *text_of(const char *name)
{
    const char *value = getenv(name); /* NOLINT(concurrency-mt-unsafe): the host calls us */
    return value && *value ? value : NULL;
}

void extfn_host_options_from_environment(extfn_host_options *ret_options)
{
    static const char *const interpreters[EXTFN_LANGUAGE_COUNT] = {
        [EXTFN_PYTHON] = "EXTFN_INTERPRETER_PYTHON", [EXTFN_R] = "EXTFN_INTERPRETER_R",
        [EXTFN_JULIA] = "EXTFN_INTERPRETER_JULIA",   [EXTFN_PURE] = "EXTFN_INTERPRETER_PURE",
        [EXTFN_WASM] = "EXTFN_INTERPRETER_WASM",
    };
    *ret_options = (extfn_host_options){
        .struct_size = sizeof(*ret_options),
        .policy = is_set("IMPROV_EXTFN_TRUSTED") ? EXTFN_TRUSTED : EXTFN_RESTRICTED,
        .is_unsandboxed_allowed = is_set("IMPROV_EXTFN_ALLOW_UNSANDBOXED"),
        .search_path = text_of("PATH"),
    };
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++)
        ret_options->interpreters[i] = text_of(interpreters[i]);
}
