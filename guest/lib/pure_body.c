#include "pure_body.h"

#include "pure_failure.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const char no_memory[] = "out of memory";

static bool fail(xf_pure_message *ret_message, const char *text)
{
    (void)snprintf(ret_message->text, sizeof(ret_message->text), "%s", text);
    return false;
}

/* ---- Text ---- */

static size_t line_at(const char *text, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

static bool check_text(const char *data, size_t size, xf_pure_message *ret_message)
{
    const char *nul = size > 0 ? memchr(data, 0, size) : NULL;
    size_t valid = xf_utf8_valid_size(data, size);
    if (!nul && valid == size)
        return true;
    (void)snprintf(ret_message->text, sizeof(ret_message->text), "syntax error, %s (line %zu)",
                   nul ? "body holds U+0000, which Pure does not allow" : "body is not valid UTF-8",
                   line_at(data, nul ? (size_t)(nul - data) : valid));
    return false;
}

/* Without a byte order mark, every line's end as \n. */
static bool read_text(const char *data, size_t size, xf_pure_body *body)
{
    size_t from = size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    body->text = xf_alloc(size + 1);
    if (!body->text)
        return false;
    for (; from < size; from++) {
        if (data[from] == '\r' && from + 1 < size && data[from + 1] == '\n')
            continue;
        body->text[body->size] = data[from];
        if (data[from] == '\r')
            body->text[body->size] = '\n';
        body->size++;
    }
    body->text[body->size] = 0;
    return true;
}

/* `before` + the piece + `after`; NULL when memory is out. The header comes first of all. */
static char *make_text(const xf_pure_body *body, const char *before, size_t start, size_t end,
                       const char *after)
{
    const char *header = body->header ? body->header : "";
    size_t size = strlen(header) + strlen(before) + (end - start) + strlen(after) + 1;
    char *text = xf_alloc(size);
    if (text)
        (void)snprintf(text, size, "%s%s%.*s%s", header, before, (int)(end - start),
                       body->text + start, after);
    return text;
}

/* ---- Compiling ---- */

static xf_pure_step *add_step(xf_pure_body *body, size_t line)
{
    if (body->step_count == body->step_capacity) {
        size_t capacity = body->step_capacity ? body->step_capacity * 2 : 16;
        xf_pure_step *steps = xf_realloc_array(body->steps, capacity, sizeof(*steps));
        if (!steps)
            return NULL;
        body->steps = steps;
        body->step_capacity = capacity;
    }
    body->steps[body->step_count] = (xf_pure_step){.line = line};
    return &body->steps[body->step_count++];
}

static bool add_text(xf_pure_body *body, size_t start, size_t end, size_t line,
                     xf_pure_message *ret_message)
{
    xf_pure_step *step = add_step(body, line);
    if (step) {
        step->last_line = line + line_at(body->text + start, end - start) - 1;
        step->text = make_text(body, "", start, end, "\n");
    }
    return step && step->text ? true : fail(ret_message, no_memory);
}

/* Evaluates a piece of the body, between what is put around it. */
static pure_expr *evaluate_piece(const xf_pure_body *body, const char *before, size_t start,
                                 size_t end, size_t line, xf_pure_message *ret_message)
{
    /* The piece may end in a comment. */
    char *text = make_text(body, before, start, end, "\n");
    pure_expr *value = text ? pure_eval(text) : NULL;
    if (!text)
        (void)fail(ret_message, no_memory);
    else if (!value)
        xf_pure_describe_error(line, line + line_at(body->text + start, end - start) - 1,
                               ret_message);
    xf_free(text);
    return value;
}

static pure_expr *compile_closure(const xf_pure_body *body, const xf_pure_statement *statement,
                                  xf_pure_message *ret_message)
{
    size_t line = statement->line +
                  line_at(body->text + statement->start, statement->value - statement->start) - 1;
    return evaluate_piece(body, "\\_ -> ", statement->value, statement->end, line, ret_message);
}

static int32_t symbol_of(const xf_pure_body *body, const xf_pure_statement *statement)
{
    char *name = xf_alloc(statement->name_size + 1);
    if (!name)
        return 0;
    memcpy(name, body->text + statement->name, statement->name_size);
    name[statement->name_size] = 0;
    int32_t symbol = pure_sym(name);
    xf_free(name);
    return symbol;
}

static bool add_closure(xf_pure_body *body, const xf_pure_statement *statement,
                        xf_pure_message *ret_message)
{
    xf_pure_step *step = add_step(body, statement->line);
    if (!step)
        return fail(ret_message, no_memory);
    pure_expr *closure = compile_closure(body, statement, ret_message);
    if (!closure)
        return false;
    step->closure = pure_new(closure);
    if (statement->kind == XF_PURE_LET)
        step->symbol = symbol_of(body, statement);
    return true;
}

/* A syntax error is to be told before the first row, also where rows evaluate the text. */
static bool check_closure(const xf_pure_body *body, const xf_pure_statement *statement,
                          xf_pure_message *ret_message)
{
    if (statement->value == 0)
        return true; /* `let` without `=`: its row will tell */
    pure_expr *closure = compile_closure(body, statement, ret_message);
    if (closure)
        pure_freenew(closure);
    return closure != NULL;
}

static bool define(const xf_pure_body *body, size_t start, size_t end, size_t line,
                   xf_pure_message *ret_message)
{
    pure_expr *value = evaluate_piece(body, "", start, end, line, ret_message);
    if (value)
        pure_freenew(value);
    return value != NULL;
}

static bool begins_with(const xf_pure_body *body, const xf_pure_statement *statement,
                        const char *word)
{
    xf_pure_scanner scanner = {body->text, statement->end, statement->start, 0, 0};
    xf_pure_token first = xf_pure_scan(&scanner);
    return xf_pure_is_word(&scanner, &first, word);
}

/* `namespace NAME;` and `using namespace NAME;`, which hold for all that follows; the form with
 * `end` is a piece like others. */
static bool is_namespace(const xf_pure_body *body, const xf_pure_statement *statement)
{
    static const char *const block[] = {"with", NULL};
    xf_pure_scanner scanner = {body->text, statement->end, statement->start, 0, 0};
    bool is_block = false;
    xf_pure_token token = xf_pure_scan(&scanner);
    if (xf_pure_is_word(&scanner, &token, "using"))
        token = xf_pure_scan(&scanner);
    bool is_first = xf_pure_is_word(&scanner, &token, "namespace");
    for (; token.kind != XF_PURE_END; token = xf_pure_scan(&scanner))
        is_block |= xf_pure_is_one_of(&scanner, &token, block);
    return is_first && !is_block;
}

static bool stands_alone(const xf_pure_body *body, const xf_pure_statement *statement)
{
    return statement->kind != XF_PURE_RULES || begins_with(body, statement, "const") ||
           is_namespace(body, statement);
}

/* The next statement, or all rules and declarations up to one that is neither: one rule may consist
 * of several statements. */
static bool cut_run(const xf_pure_body *body, xf_pure_scanner *scanner,
                    xf_pure_statement *ret_statement)
{
    if (!xf_pure_cut(scanner, ret_statement))
        return false;
    xf_pure_scanner ahead = *scanner;
    xf_pure_statement next;
    while (!stands_alone(body, ret_statement) && xf_pure_cut(&ahead, &next) &&
           !stands_alone(body, &next)) {
        ret_statement->end = next.end;
        *scanner = ahead;
    }
    return true;
}

static bool take_namespace(xf_pure_body *body, const xf_pure_statement *statement,
                           xf_pure_message *ret_message)
{
    char *header = make_text(body, "", statement->start, statement->end, ";");
    if (!header)
        return fail(ret_message, no_memory);
    for (char *end = strchr(header, '\n'); end; end = strchr(end, '\n'))
        *end = ' '; /* the pieces keep their lines */
    xf_free(body->header);
    body->header = header;
    return true;
}

/* Every statement becomes a text; what it defines meanwhile is taken back. */
static bool compile_texts(xf_pure_body *body, xf_pure_message *ret_message)
{
    xf_pure_scanner scanner = {body->text, body->size, 0, 0, 0};
    xf_pure_statement statement;
    bool is_checked = (body->needs & XF_PURE_IS_UNCLEAR) == 0;
    (void)pure_save();
    bool is_good = true;
    while (is_good && cut_run(body, &scanner, &statement)) {
        if (is_namespace(body, &statement)) {
            is_good = define(body, statement.start, statement.end, statement.line, ret_message) &&
                      take_namespace(body, &statement, ret_message);
            continue;
        }
        bool is_rule = statement.kind == XF_PURE_RULES && !begins_with(body, &statement, "const");
        if (is_checked && is_rule)
            is_good = define(body, statement.start, statement.end, statement.line, ret_message);
        if (is_checked && !is_rule)
            is_good = check_closure(body, &statement, ret_message);
        is_good =
            is_good && add_text(body, statement.start, statement.end, statement.line, ret_message);
    }
    (void)pure_restore();
    return is_good;
}

static bool compile_statement(xf_pure_body *body, const xf_pure_statement *statement,
                              xf_pure_message *ret_message)
{
    switch (statement->kind) {
    case XF_PURE_RULES:
        return define(body, statement->start, statement->end, statement->line, ret_message);
    case XF_PURE_PATTERN:
        return check_closure(body, statement, ret_message) &&
               add_text(body, statement->start, statement->end, statement->line, ret_message);
    case XF_PURE_LET:
    case XF_PURE_EXPRESSION:
    default:
        return add_closure(body, statement, ret_message);
    }
}

/* Whether all variables can be set: none is a function, a constant or an operator. */
static bool try_variables(const xf_pure_body *body)
{
    bool is_good = true;
    (void)pure_save();
    for (size_t i = 0; i < body->step_count && is_good; i++) {
        if (body->steps[i].symbol != 0)
            is_good = pure_let(body->steps[i].symbol, pure_int(0));
        is_good &= body->steps[i].symbol >= 0;
    }
    (void)pure_restore();
    return is_good;
}

static void clear_steps(xf_pure_body *body)
{
    for (size_t i = 0; i < body->step_count; i++) {
        if (body->steps[i].closure)
            pure_free(body->steps[i].closure);
        xf_free(body->steps[i].text);
    }
    body->step_count = 0;
}

/* Definitions stay, a level below those of the rows. */
static bool compile_steps(xf_pure_body *body, xf_pure_message *ret_message)
{
    xf_pure_scanner scanner = {body->text, body->size, 0, 0, 0};
    xf_pure_statement statement;
    (void)pure_save();
    while (cut_run(body, &scanner, &statement)) {
        if (!compile_statement(body, &statement, ret_message))
            return false;
    }
    if (try_variables(body))
        return true;
    (void)pure_restore();
    clear_steps(body);
    body->needs |= XF_PURE_NEEDS_TEXT | XF_PURE_NEEDS_RESTORE;
    return compile_texts(body, ret_message);
}

/* The runtime compiles what the prelude is made of when it is first called: of sequences that takes
 * seconds, which are no row's. */
static void warm_up(const xf_pure_body *body)
{
    xf_pure_scanner scanner = {body->text, body->size, 0, 0, 0};
    bool has_sequence = false;
    for (xf_pure_token token = xf_pure_scan(&scanner); token.kind != XF_PURE_END && !has_sequence;
         token = xf_pure_scan(&scanner)) {
        has_sequence = token.kind == XF_PURE_OPERATOR && token.size == 2 &&
                       memcmp(body->text + token.start, "..", 2) == 0;
    }
    pure_expr *value = has_sequence ? pure_eval("0..0") : NULL;
    if (value)
        pure_freenew(value);
}

/* The names have to be variables when the body is compiled. */
static bool bind_names(const xf_guest *guest, xf_pure_body *body, xf_pure_message *ret_message)
{
    body->args = pure_sym("args");
    body->result = pure_sym("result");
    bool is_good = pure_let(body->args, pure_listv(0, NULL));
    for (uint32_t k = 0; k < guest->arg_count; k++) {
        if (!guest->arg_names[k][0])
            continue;
        body->arg_names[k] = pure_sym(guest->arg_names[k]);
        is_good = is_good && pure_let(body->arg_names[k], pure_int(0));
    }
    return is_good ? true : fail(ret_message, "an argument has a name that Pure defines");
}

/* The line of a rule `result = E`, or 0. */
static size_t find_result(const xf_pure_body *body)
{
    xf_pure_scanner scanner = {body->text, body->size, 0, 0, 0};
    xf_pure_statement statement;
    while (xf_pure_cut(&scanner, &statement)) {
        if (statement.kind == XF_PURE_RULES && begins_with(body, &statement, "result"))
            return statement.line;
    }
    return 0;
}

bool xf_pure_compile(const xf_guest *guest, const char *data, size_t size, xf_pure_body *ret_body,
                     xf_pure_message *ret_message)
{
    xf_pure_body *body = ret_body;
    if (!check_text(data, size, ret_message))
        return false;
    if (!read_text(data, size, body))
        return fail(ret_message, no_memory);
    body->unit = pure_new(pure_int(0));
    if (!bind_names(guest, body, ret_message))
        return false;
    body->needs = xf_pure_needs(body->text, body->size, guest->arg_names, guest->arg_count);
    body->result_line = find_result(body);
    warm_up(body);
    return (body->needs & XF_PURE_NEEDS_TEXT) ? compile_texts(body, ret_message)
                                              : compile_steps(body, ret_message);
}
