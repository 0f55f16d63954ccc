#include "eval/recall.h"

#include "base/auto.h"
#include "base/clock.h"
#include "eval/hash.h"
#include "eval/host.h"
#include "registry/function.h"
#include "value/column.h"

void xf_question_clear(xf_question *question)
{
    xf_buf_clear(&question->args);
    *question = (xf_question){0};
}

bool xf_may_recall(const extfn_host *host, const extfn_function *function)
{
    return host->options.memo_bytes > 0 && extfn_function_is_pure(function);
}

/* A language that has no worker yet has no values either, and none that could be outdated. */
static bool is_same_world(extfn_host *host, const xf_language *language, bool is_first_allowed)
{
    if (language->is_in_process)
        return true;
    xf_world *world = &host->worlds[language->id];
    if (!atomic_load(&world->is_taken))
        return is_first_allowed;
    return xf_world_is_same(world, host->runtimes[language->id], xf_clock_now());
}

/* ---- The key ---- */

/* Fixed widths, and texts with their sizes: two rows of one signature never have the same bytes. */
static extfn_status append_argument(const extfn_column *column, xf_buf *args)
{
    if (column->type != EXTFN_TEXT)
        return xf_buf_append(args, column->values.data, xf_column_width(column->type), NULL);
    const extfn_value text = xf_column_view(column, 0);
    const uint64_t size = text.as.text.size;
    XF_TRY(xf_buf_append(args, &size, sizeof(size), NULL));
    return xf_buf_append(args, text.as.text.data, text.as.text.size, NULL);
}

static size_t size_of_argument(const extfn_column *column)
{
    size_t width = xf_column_width(column->type);
    return column->type == EXTFN_TEXT ? sizeof(uint64_t) + xf_column_view(column, 0).as.text.size
                                      : width;
}

/* False without memory, and where they leave no room for a value. */
static bool write_args(const xf_memo *memo, const extfn_function *function,
                       const xf_arguments *arguments, xf_buf *args)
{
    size_t size = 0;
    for (size_t i = 0; i < arguments->column_count; i++)
        size += size_of_argument(arguments->columns[i]);
    if (!xf_memo_may_keep(memo, function, size))
        return false;
    for (size_t i = 0; i < arguments->column_count; i++) {
        if (append_argument(arguments->columns[i], args) != EXTFN_OK)
            return false;
    }
    return true;
}

static bool is_evaluated(const xf_arguments *arguments)
{
    size_t i = 0;
    while (i < arguments->column_count && arguments->columns[i]->error_count == 0)
        i++;
    return i == arguments->column_count;
}

static xf_wasm_stamp stamp_of(const extfn_host *host, const extfn_function *function)
{
    if (function->language != EXTFN_WASM)
        return (xf_wasm_stamp){0};
    const xf_wasm_source source = xf_modules_source(host, function);
    return xf_wasm_source_stamp(&source);
}

static uint64_t hash_of(const extfn_host *host, const xf_memo_key *key)
{
    const uint64_t scope[] = {host->memo_seed, key->scope.function->hash,
                              (uint64_t)key->scope.limit_us, key->scope.stamp.inode,
                              (uint64_t)key->scope.stamp.changed_ns};
    return XXH3_64bits_withSeed(key->args, key->size, XXH3_64bits(scope, sizeof(scope)));
}

static bool write_key(const extfn_host *host, extfn_function *function,
                      const xf_arguments *arguments, int64_t limit_us, xf_question *question)
{
    if (!write_args(&host->memo, function, arguments, &question->args))
        return false;
    xf_memo_key *key = &question->key;
    key->scope = (xf_memo_scope){.function = function,
                                 .limit_us = limit_us,
                                 .stamp = stamp_of(host, function)};
    key->args = question->args.data;
    key->size = question->args.size;
    key->hash = hash_of(host, key);
    return true;
}

/* ---- Asking and telling ---- */

static extfn_status append_value(extfn_column *result, const xf_buf *value)
{
    return result->type == EXTFN_TEXT
               ? extfn_column_append_text(result, value->data, value->size, NULL)
               : xf_column_append_raw(result, value->data, 1, NULL);
}

bool xf_recall(extfn_host *host, extfn_function *function, const xf_arguments *arguments,
               int64_t limit_us, xf_question *question, extfn_column *result,
               bool *ret_is_unsandboxed)
{
    if (!xf_may_recall(host, function) || !is_evaluated(arguments))
        return false;
    if (!is_same_world(host, arguments->language, true) ||
        !write_key(host, function, arguments, limit_us, question)) {
        xf_question_clear(question);
        *question = (xf_question){.is_open = true, .is_lost = true};
        return false;
    }
    XF_AUTO(xf_buf_clear) xf_buf value = {0};
    bool is_known = xf_memo_find(&host->memo, &question->key, &value, ret_is_unsandboxed) &&
                    append_value(result, &value) == EXTFN_OK;
    question->is_open = !is_known;
    if (is_known)
        xf_question_clear(question);
    return is_known;
}

static void keep(extfn_host *host, const xf_memo_key *key, const extfn_column *result, int64_t row,
                 bool is_unsandboxed)
{
    if (result->type == EXTFN_TEXT) {
        const extfn_value text = xf_column_view(result, row);
        xf_memo_keep(&host->memo, key, text.as.text.data, text.as.text.size, is_unsandboxed);
        return;
    }
    size_t width = xf_column_width(result->type);
    xf_memo_keep(&host->memo, key, result->values.data + (size_t)row * width, width,
                 is_unsandboxed);
}

static bool is_world_of_key_same(extfn_host *host, const xf_memo_key *key)
{
    return is_same_world(host, xf_language_get(key->scope.function->language), false);
}

void xf_recall_tell(extfn_host *host, xf_question *question, const extfn_column *result,
                    int64_t row, bool is_unsandboxed, const xf_wasm_stamp *stamp)
{
    if (!question->is_open)
        return;
    xf_memo_count(&host->memo, 0, 1);
    const xf_memo_key *key = &question->key;
    if (!question->is_lost && result && !xf_column_error_at(result, row) &&
        xf_wasm_stamp_is_equal(stamp, &key->scope.stamp) && is_world_of_key_same(host, key))
        keep(host, key, result, row, is_unsandboxed);
    xf_question_clear(question);
}
