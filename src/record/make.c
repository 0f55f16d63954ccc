/* From a failure, while it is told, to a record that owns all it holds. SPDX-License-Identifier:
 * MIT */
#include <extfn/record.h>

#include "base/auto.h"
#include "base/base64.h"
#include "base/text.h"
#include "eval/host.h"
#include "registry/function.h"
#include "wasm/source.h"

#include <extfn/extfn.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

void extfn_record_clear(extfn_record *record)
{
    extfn_function_unref(record->function);
    for (size_t i = 0; i < record->arg_count; i++)
        extfn_value_clear(&record->args[i]);
    xf_free(record->args);
    xf_free(record->stderr_data);
    xf_free(record->version);
    xf_free(record->platform);
    xf_free(record->interpreter);
    xf_free(record->interpreter_version);
    xf_free(record->packages);
    *record = (extfn_record){0};
}

/* ---- The call ---- */

/* The same function with the module in its body instead of the path of its file. */
static extfn_status embed_module(const extfn_function *function, const xf_buf *module,
                                 extfn_function **ret_function, extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf body = {0};
    XF_TRY(xf_buf_append(&body, "base64:", strlen("base64:"), err));
    XF_TRY(xf_base64_write(module->data, module->size, &body, err));
    const extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = function->name,
        .language = function->language,
        .body = body.data,
        .body_size = body.size,
        .arg_types = function->arg_types,
        .arg_names = (const char *const *)function->arg_names,
        .arg_count = function->arity,
        .return_type = function->return_type,
        .is_pure = function->is_pure,
        .is_vectorized = function->is_vectorized,
    };
    return extfn_function_new(&options, ret_function, err);
}

/* A path that leads to no module stays one: that is how the call failed. */
static extfn_status take_function(extfn_function *function, extfn_record *record, extfn_error *err)
{
    const xf_wasm_source source = {.body = function->body,
                                   .body_size = function->body_size,
                                   .library_path = function->source_path};
    XF_AUTO(xf_buf_clear) xf_buf module = {0};
    if (function->language == EXTFN_WASM && xf_wasm_source_form(&source) == XF_WASM_FILE) {
        extfn_status status = xf_wasm_source_read(&source, &module, NULL, NULL);
        if (status == EXTFN_OK)
            return embed_module(function, &module, &record->function, err);
        if (status == EXTFN_ENOMEM)
            return xf_fail_oom(err);
    }
    record->function = extfn_function_ref(function);
    return EXTFN_OK;
}

static extfn_status take_args(const extfn_failure *failure, extfn_record *record, extfn_error *err)
{
    record->args = xf_realloc_array(NULL, failure->column_count, sizeof(*record->args));
    if (!record->args)
        return xf_fail_oom(err);
    for (size_t i = 0; i < failure->column_count; i++) {
        record->args[i] = (extfn_value){0};
        XF_TRY(extfn_column_get(failure->columns[i], failure->row, &record->args[i], err));
        record->arg_count = i + 1;
    }
    return EXTFN_OK;
}

/* ---- Texts ---- */

static extfn_status take_text(const char *text, size_t size, char **ret_text, size_t *ret_size,
                              extfn_error *err)
{
    XF_AUTO(xf_buf_clear) xf_buf buf = {0};
    XF_TRY(xf_buf_append_utf8(&buf, text, size, err));
    *ret_size = buf.size;
    XF_TRY(xf_buf_append(&buf, "", 1, err));
    *ret_text = XF_STEAL(buf.data);
    return EXTFN_OK;
}

static extfn_status take_string(const char *text, char **ret_text, extfn_error *err)
{
    size_t size;
    return text ? take_text(text, strlen(text), ret_text, &size, err) : EXTFN_OK;
}

static extfn_status take_outcome(const extfn_failure *failure, extfn_record *record,
                                 extfn_error *err)
{
    record->outcome = *failure->error;
    xf_utf8_repair(record->outcome.message, strlen(record->outcome.message));
    if (!failure->is_output_told)
        return EXTFN_OK;
    return take_text(failure->stderr_data, failure->stderr_size, &record->stderr_data,
                     &record->stderr_size, err);
}

/* ---- Circumstances ---- */

/* A language that is not here has no version: that is how the call failed. */
static extfn_status take_interpreter(extfn_host *host, extfn_language language,
                                     extfn_record *record, extfn_error *err)
{
    XF_AUTO_FREE char *path = NULL;
    XF_AUTO_FREE char *version = NULL;
    if (extfn_host_probe_language(host, language, &path, &version, NULL) == EXTFN_ENOMEM)
        return xf_fail_oom(err);
    XF_TRY(take_string(path, &record->interpreter, err));
    return take_string(version, &record->interpreter_version, err);
}

/* Without the name of the machine. */
static extfn_status take_platform(extfn_record *record, extfn_error *err)
{
    struct utsname system;
    char platform[sizeof(system)];
    if (uname(&system) != 0)
        return xf_fail_os(err, errno, "ask for the platform");
    (void)snprintf(platform, sizeof(platform), "%s %s %s", system.sysname, system.release,
                   system.machine);
    return take_string(platform, &record->platform, err);
}

static extfn_status take_circumstances(extfn_host *host, const extfn_failure *failure,
                                       extfn_record *record, extfn_error *err)
{
    const extfn_host_options *options = &host->options;
    extfn_language language = extfn_function_language(failure->function);
    record->timeout_us = failure->timeout_us;
    record->start_timeout_us = options->start_timeout_us;
    record->memory_bytes = options->memory_bytes;
    record->tmp_bytes = options->tmp_bytes;
    record->policy = options->policy;
    record->is_unsandboxed = failure->is_unsandboxed;
    XF_TRY(take_string(extfn_version(), &record->version, err));
    XF_TRY(take_platform(record, err));
    XF_TRY(take_string(options->packages[language], &record->packages, err));
    return take_interpreter(host, language, record, err);
}

static extfn_status make(extfn_host *host, const extfn_failure *failure, extfn_record *record,
                         extfn_error *err)
{
    XF_TRY(take_function(failure->function, record, err));
    XF_TRY(take_args(failure, record, err));
    XF_TRY(take_outcome(failure, record, err));
    return take_circumstances(host, failure, record, err);
}

extfn_status extfn_record_make(extfn_host *host, const extfn_failure *failure,
                               extfn_record *ret_record, extfn_error *err)
{
    extfn_record record = {0};
    extfn_status status = make(host, failure, &record, err);
    if (status == EXTFN_OK)
        *ret_record = record;
    else
        extfn_record_clear(&record);
    return status;
}
