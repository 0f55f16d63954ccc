/* One request in, one reply out. SPDX-License-Identifier: MIT */
#include <extfn/rpc.h>

#include "base/auto.h"
#include "eval/options.h"
#include "rpc/arguments.h"
#include "rpc/reply.h"
#include "rpc/request.h"

/* What a request comes to; failed calls leave only the output. */
typedef struct result {
    extfn_value value;
    extfn_column *column; /* of a batch */
    extfn_output output;
    extfn_receipt receipt;
} result;

static void result_clear(result *r)
{
    extfn_value_clear(&r->value);
    extfn_column_free(r->column);
    extfn_output_clear(&r->output);
}

typedef struct values {
    extfn_value items[EXTFN_ARGUMENT_LIMIT];
} values;

static void values_clear(values *v)
{
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++)
        extfn_value_clear(&v->items[i]);
}

typedef struct columns {
    extfn_column *items[EXTFN_ARGUMENT_LIMIT];
} columns;

static void columns_clear(columns *c)
{
    for (size_t i = 0; i < EXTFN_ARGUMENT_LIMIT; i++)
        extfn_column_free(c->items[i]);
}

/* The host's options with the request's own: the nearest time limit counts. */
static extfn_call_options call_options(const extfn_call_options *options, const xf_request *request,
                                       const extfn_registry *registry, result *told)
{
    extfn_call_options call = xf_call_options_copy(options);
    call.output = &told->output;
    call.receipt = request->is_cost_told ? &told->receipt : NULL;
    if (request->timeout_us) {
        call.timeout_us = request->timeout_us;
    } else if (!call.timeout_us && request->is_call) {
        call.timeout_us = extfn_registry_timeout(registry);
    }
    return call;
}

static extfn_status evaluate_once(extfn_host *host, const xf_request *request,
                                  const extfn_call_options *call, extfn_value *ret_value,
                                  extfn_error *err)
{
    XF_AUTO(values_clear) values args = {0};
    XF_TRY(xf_arguments_read(&request->values, request->function, args.items, err));
    return extfn_host_eval(host, request->function, args.items,
                           extfn_function_arity(request->function), call, ret_value, err);
}

static extfn_status evaluate_batch(extfn_host *host, const xf_request *request,
                                   const extfn_call_options *call, extfn_column **ret_column,
                                   extfn_error *err)
{
    XF_AUTO(columns_clear) columns args = {0};
    XF_TRY(xf_columns_read(&request->values, request->function, args.items, err));
    size_t arity = extfn_function_arity(request->function);
    int64_t rows = arity ? extfn_column_rows(args.items[0]) : request->rows;
    return extfn_host_apply(host, request->function, (const extfn_column *const *)args.items, arity,
                            rows, call, ret_column, err);
}

static extfn_status evaluate(extfn_host *host, const extfn_registry *registry,
                             const xf_request *request, const extfn_call_options *options,
                             result *ret_result, extfn_error *err)
{
    extfn_call_options call = call_options(options, request, registry, ret_result);
    return request->is_batch ? evaluate_batch(host, request, &call, &ret_result->column, err)
                             : evaluate_once(host, request, &call, &ret_result->value, err);
}

/* A result that JSON cannot hold is told as the failure that it is. */
static extfn_status write_reply(xf_buf *out, const xf_slice *id, const xf_outcome *outcome)
{
    extfn_error failure = {0};
    extfn_status status = xf_reply_write(out, id, outcome, &failure);
    if (status != EXTFN_OK && status != EXTFN_ENOMEM) {
        out->size = 0;
        xf_outcome failed = {.failure = &failure,
                             .output = outcome->output,
                             .receipt = outcome->receipt};
        status = xf_reply_write(out, id, &failed, NULL);
    }
    return status == EXTFN_OK ? xf_buf_append(out, "", 1, NULL) : status;
}

static extfn_status answer(extfn_host *host, const extfn_registry *registry, xf_request *request,
                           const char *line, size_t size, const extfn_call_options *options,
                           xf_buf *out)
{
    XF_AUTO(result_clear) result r = {.receipt.struct_size = sizeof(r.receipt)};
    extfn_error failure = {0};
    extfn_status status = xf_request_read(request, registry, line, size, &failure);
    if (status == EXTFN_OK)
        status = evaluate(host, registry, request, options, &r, &failure);
    xf_outcome outcome = {
        .failure = status == EXTFN_OK ? NULL : &failure,
        .value = &r.value,
        .column = r.column,
        .output = &r.output,
        .receipt = request->is_cost_told ? &r.receipt : NULL,
    };
    return write_reply(out, &request->id, &outcome);
}

/* NOLINTNEXTLINE(readability-function-size): its parameters are public */
extfn_status extfn_rpc_answer(extfn_host *host, const extfn_registry *registry, const char *line,
                              size_t size, const extfn_call_options *options, char **ret_reply,
                              size_t *ret_size, extfn_error *err)
{
    XF_AUTO(xf_request_clear) xf_request request = {0};
    XF_AUTO(xf_buf_clear) xf_buf out = {0};
    if (answer(host, registry, &request, line, size, options, &out) != EXTFN_OK)
        return xf_fail_oom(err);
    *ret_size = out.size - 1;
    *ret_reply = XF_STEAL(out.data);
    return EXTFN_OK;
}
