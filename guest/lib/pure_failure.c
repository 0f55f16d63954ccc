#include "pure_failure.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 1500 /* bytes of a message; the line comes after it */

/* Exceptions of Pure's own whose terms do not speak for themselves. */
static const struct {
    const char *term;
    const char *meaning;
} meanings[] = {
    {"signal 8", ", division by zero"},
    {"stack_fault", ", recursion too deep"},
};

static void add_line(size_t line, xf_pure_message *message)
{
    size_t size = strlen(message->text);
    if (line > 0)
        (void)snprintf(message->text + size, sizeof(message->text) - size, " (line %zu)", line);
}

static const char *meaning_of(const char *term)
{
    for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        if (strcmp(term, meanings[i].term) == 0)
            return meanings[i].meaning;
    }
    return "";
}

static void describe_term(const char *term, xf_pure_message *ret_message)
{
    (void)snprintf(ret_message->text, sizeof(ret_message->text), "unhandled exception '%.*s'%s",
                   SHOWN + 3, term, meaning_of(term));
}

void xf_pure_describe_exception(const pure_expr *exception, size_t line,
                                xf_pure_message *ret_message)
{
    if (exception) {
        xf_pure_message term;
        xf_pure_show(exception, SHOWN, &term);
        describe_term(term.text, ret_message);
    } else {
        (void)snprintf(ret_message->text, sizeof(ret_message->text), "failed match");
    }
    add_line(line, ret_message);
}

bool xf_pure_is_memory_error(const pure_expr *exception)
{
    int32_t symbol = 0;
    return exception && pure_is_symbol(exception, &symbol) && symbol == pure_sym("malloc_error");
}

/* `<stdin>, line 3: MESSAGE`: goes behind it and gives the line, or 0. */
static size_t take_place(const char **message)
{
    static const char start[] = "<stdin>, line ";
    if (strncmp(*message, start, strlen(start)) != 0)
        return 0;
    char *end = NULL;
    size_t line = strtoul(*message + strlen(start), &end, 10);
    if (strncmp(end, ": ", 2) != 0)
        return 0;
    *message = end + 2;
    return line;
}

/* The statement that Pure quotes is not needed beside its line. */
static size_t size_of_first(const char *message)
{
    static const char exception[] = "unhandled exception '";
    static const char match[] = "failed match";
    static const char quoted[] = "' while evaluating '";
    const char *found = NULL;
    if (strncmp(message, exception, strlen(exception)) == 0)
        found = strstr(message, quoted);
    if (found)
        return (size_t)(found + 1 - message);
    if (strncmp(message, match, strlen(match)) == 0)
        return strlen(match);
    return strcspn(message, "\n");
}

void xf_pure_describe_error(size_t line, size_t last_line, xf_pure_message *ret_message)
{
    static const char exception[] = "unhandled exception '";
    const char *message = lasterr();
    size_t place = take_place(&message);
    size_t size = size_of_first(message);
    size_t start_size = strlen(exception);
    char first[SHOWN + 1];
    (void)snprintf(first, sizeof(first), "%.*s", (int)(size < SHOWN ? size : SHOWN), message);
    size_t kept = xf_utf8_valid_size(first, strlen(first));
    if (size > SHOWN)
        first[kept] = 0;
    xf_utf8_repair(first, strlen(first));
    if (strncmp(first, exception, start_size) == 0 && size <= SHOWN) {
        first[size - 1] = 0; /* the quote */
        describe_term(first + start_size, ret_message);
    } else {
        (void)snprintf(ret_message->text, sizeof(ret_message->text), "%s",
                       first[0] ? first : "evaluation failed");
    }
    /* The end of what stands there is found missing on the line that was added after it. */
    size_t told = place > 0 ? line - 1 + place : line;
    add_line(told < last_line ? told : last_line, ret_message);
}
