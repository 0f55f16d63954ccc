#include "pure_body.h"

#include "pure_failure.h"

#include <stdio.h>

static void tell(xf_pure_message *ret_message, const char *text)
{
    (void)snprintf(ret_message->text, sizeof(ret_message->text), "%s", text);
}

static bool bind_row(const xf_guest *guest, const xf_pure_body *body)
{
    pure_expr *values[EXTFN_ARGUMENT_LIMIT];
    for (uint32_t k = 0; k < guest->arg_count; k++) {
        values[k] = xf_pure_make_value(guest, k);
        if (!values[k])
            return false;
    }
    if (!pure_let(body->args, pure_listv(guest->arg_count, values)))
        return false;
    for (uint32_t k = 0; k < guest->arg_count; k++) {
        if (body->arg_names[k] != 0 && !pure_let(body->arg_names[k], values[k]))
            return false;
    }
    return true;
}

static bool run_closure(const xf_pure_body *body, const xf_pure_step *step,
                        xf_pure_message *ret_message, bool *ret_is_memory)
{
    pure_expr *exception = NULL;
    pure_expr *argument = body->unit;
    pure_expr *value = pure_appxv(step->closure, 1, &argument, &exception);
    if (!value) {
        *ret_is_memory = xf_pure_is_memory_error(exception);
        xf_pure_describe_exception(exception, step->line, ret_message);
        if (exception)
            pure_freenew(exception);
        return false;
    }
    if (step->symbol == 0) {
        pure_freenew(value);
        return true;
    }
    if (pure_let(step->symbol, value))
        return true;
    pure_freenew(value);
    (void)snprintf(ret_message->text, sizeof(ret_message->text),
                   "a variable has a name that is defined (line %zu)", step->line);
    return false;
}

static bool run_text(const xf_pure_step *step, xf_pure_message *ret_message)
{
    pure_expr *value = pure_eval(step->text);
    if (value)
        pure_freenew(value);
    else
        xf_pure_describe_error(step->line, step->last_line, ret_message);
    return value != NULL;
}

static pure_expr *take_result(const xf_pure_body *body, xf_pure_message *ret_message,
                              bool *ret_is_memory)
{
    pure_expr *exception = NULL;
    int32_t symbol = 0;
    pure_expr *value = pure_symbolx(body->result, &exception);
    if (!value) {
        *ret_is_memory = xf_pure_is_memory_error(exception);
        xf_pure_describe_exception(exception, body->result_line, ret_message);
        if (exception)
            pure_freenew(exception);
    } else if (pure_is_symbol(value, &symbol) && symbol == body->result) {
        tell(ret_message, "function body did not set `result`");
        value = NULL;
    }
    return value;
}

pure_expr *xf_pure_run(const xf_guest *guest, const xf_pure_body *body,
                       xf_pure_message *ret_message, bool *ret_is_memory)
{
    *ret_is_memory = false;
    if (!bind_row(guest, body)) {
        tell(ret_message, "the arguments cannot be bound");
        return NULL;
    }
    for (size_t i = 0; i < body->step_count; i++) {
        const xf_pure_step *step = &body->steps[i];
        if (!(step->closure ? run_closure(body, step, ret_message, ret_is_memory)
                            : run_text(step, ret_message)))
            return NULL;
    }
    return take_result(body, ret_message, ret_is_memory);
}
