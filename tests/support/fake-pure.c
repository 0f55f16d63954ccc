/* A stand-in for the plumbing around Pure, and no Pure: it plays `pure --norc -x DRIVER GUEST` so
 * that finding, confining, starting and serving can be tested where no Pure is. It loads the guest
 * library as the driver would, has the runtime's functions that the library calls, and knows sums
 * of numbers and texts, args!N, names, `throw E`, `loop`, `exit N`, `crash`, `print E`, `let` and
 * `const`. All else is a term that does not reduce. Nothing is ever freed. SPDX-License-Identifier:
 * MIT */
#include "fake-pure.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char last_error[512];
static pure_expr *thrown;
static const char *at; /* what is being read */

/* ---- Evaluating ---- */

static bool take(const char *word)
{
    at += strspn(at, " \n");
    size_t size = strlen(word);
    if (strncmp(at, word, size) != 0)
        return false;
    at += size;
    return true;
}

static long read_count(void)
{
    char *end = NULL;
    long count = strtol(at, &end, 10);
    at = end;
    return count;
}

static pure_expr *read_sum(void);

static pure_expr *read_text(void)
{
    size_t size = strcspn(at, "\"");
    char *text = strndup(at, size);
    at += size + (at[size] != 0);
    return pure_string(text);
}

static pure_expr *read_name(void)
{
    char name[NAME_SIZE] = "";
    for (size_t size = 0; size + 1 < sizeof(name) && *at && !strchr(" \n+;!,\"()", *at); at++)
        name[size++] = *at;
    pure_expr *exception = NULL;
    pure_expr *value = pure_symbolx(pure_sym(name), &exception);
    if (take("!")) {
        size_t place = (size_t)read_count();
        return value->kind == LIST && place < value->count ? value->items[place] : value;
    }
    return value;
}

static pure_expr *read_effect(void)
{
    if (take("throw ")) {
        pure_expr *value = read_sum();
        thrown = thrown ? thrown : value;
        return value;
    }
    if (take("print ")) {
        const pure_expr *value = read_sum();
        printf("%s\n", value->kind == TEXT ? value->text : str(value));
        return pure_int(0);
    }
    if (take("exit "))
        exit((int)read_count());
    if (take("crash"))
        abort();
    while (take("loop")) {
        at -= strlen("loop");
    }
    return NULL;
}

static pure_expr *read_item(void)
{
    pure_expr *effect = read_effect();
    if (effect)
        return effect;
    at += strspn(at, " \n");
    if (take("\""))
        return read_text();
    if (*at >= '0' && *at <= '9') {
        char *end = NULL;
        double number = strtod(at, &end);
        bool is_whole = memchr(at, '.', (size_t)(end - at)) == NULL;
        at = end;
        if (*at == 'L' && at++)
            return pure_int64((int64_t)number);
        return is_whole ? pure_int((int32_t)number) : pure_double(number);
    }
    return read_name();
}

static pure_expr *read_application(void)
{
    pure_expr *value = read_item();
    for (;;) {
        at += strspn(at, " \n");
        if (!*at || strchr("+;,)", *at))
            return value;
        value = fake_apply(value, read_item());
    }
}

static double number_of(const pure_expr *value)
{
    return value->kind == DOUBLE ? value->number : (double)value->integer;
}

static bool is_number(const pure_expr *value)
{
    return value->kind == DOUBLE || value->kind == INTEGER || value->kind == BIG;
}

static pure_expr *add(pure_expr *one, pure_expr *other)
{
    char *joined = NULL;
    if (one->kind == TEXT && other->kind == TEXT &&
        asprintf(&joined, "%s%s", one->text, other->text) >= 0)
        return pure_string(joined);
    if (is_number(one) && is_number(other))
        return pure_double(number_of(one) + number_of(other));
    return fake_apply(fake_apply(fake_make((pure_expr){.kind = SYMBOL, .integer = pure_sym("+")}),
                                 one),
                      other);
}

static pure_expr *read_sum(void)
{
    pure_expr *sum = read_application();
    while (take("+"))
        sum = add(sum, read_application());
    return sum;
}

static pure_expr *evaluate(const char *text, pure_expr **ret_exception)
{
    const char *outer = at;
    at = text;
    thrown = NULL;
    pure_expr *value = read_sum();
    at = outer;
    *ret_exception = thrown;
    return thrown ? NULL : value;
}

pure_expr *pure_appxv(pure_expr *function, size_t count, pure_expr **arguments,
                      pure_expr **ret_exception)
{
    *ret_exception = NULL;
    if (function->kind == CLOSURE)
        return evaluate(function->text, ret_exception);
    return count == 1 ? fake_apply(function, arguments[0]) : NULL;
}

/* ---- The rest of the interpreter ---- */

static pure_expr *fail(const char *text, const char *place, const char *message, const char *term)
{
    size_t line = 1;
    for (const char *byte = text; byte < place; byte++)
        line += *byte == '\n';
    (void)snprintf(last_error, sizeof(last_error), "<stdin>, line %zu: %s%s%s", line, message, term,
                   term[0] ? "' while evaluating 'it'\n" : "\n");
    return NULL;
}

static pure_expr *define(const char *text, const char *start)
{
    char name[NAME_SIZE] = "";
    int size = 0;
    if (sscanf(start, "%63[a-z] =%n", name, &size) != 1 || size == 0)
        return pure_int(0);
    pure_expr *exception = NULL;
    pure_expr *value = evaluate(start + size, &exception);
    if (!value)
        return fail(text, start, "unhandled exception '", str(exception));
    if (!pure_let(pure_sym(name), value))
        return fail(text, start, "symbol is already defined", "");
    return value;
}

pure_expr *pure_eval(const char *text)
{
    last_error[0] = 0;
    const char *bad = strstr(text, "= =");
    bad = bad ? bad : strstr(text, "->  = "); /* where the first belongs to `let` */
    if (bad)
        return fail(text, bad, "syntax error, unexpected '='", "");
    if (strncmp(text, "\\_ -> ", 6) == 0)
        return fake_make((pure_expr){.kind = CLOSURE, .text = strdup(text + 6)});
    static const char *const words[] = {"let ", "const ", ""};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strncmp(text, words[i], strlen(words[i])) == 0)
            return define(text, text + strlen(words[i]));
    }
    return NULL;
}

const char *lasterr(void)
{
    return last_error;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("Pure 0.68 (a stand-in for tests, which is no Pure)");
        return 0;
    }
    if (argc != 5 || strcmp(argv[1], "--norc") != 0 || strcmp(argv[2], "-x") != 0)
        return 2;
    FILE *driver = fopen(argv[3], "r");
    void *guest = driver ? dlopen(argv[4], RTLD_NOW | RTLD_GLOBAL) : NULL;
    void *found = guest ? dlsym(guest, "xf_guest_pure_serve") : NULL;
    void (*serve)(void) = NULL;
    memcpy(&serve, &found, sizeof(serve));
    if (!serve) {
        (void)fprintf(stderr, "fake-pure: %s\n", driver ? dlerror() : "no driver");
        return 1;
    }
    serve();
    return 0;
}
