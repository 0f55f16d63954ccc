/* A stand-in for the plumbing around Pure, and no Pure: it plays `pure --norc -x DRIVER GUEST` so that
 * finding, confining, starting and serving can be tested where no Pure is. It loads the guest library
 * as the driver would, has the runtime's functions that the library calls, and knows sums of numbers
 * and texts, args!N, names, `throw E`, `loop`, `exit N`, `crash`, `print E`, `let` and `const`. All
 * else is a term that does not reduce. Nothing is ever freed. SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOL_LIMIT 4096
#define NAME_SIZE 64
#define API __attribute__((visibility("default")))

typedef enum kind { DOUBLE, INTEGER, BIG, TEXT, SYMBOL, APPLICATION, LIST, CLOSURE } kind;

typedef struct pure_expr {
    kind kind;
    double number;
    int64_t integer; /* of SYMBOL: which */
    char *text;      /* of CLOSURE: its body */
    struct pure_expr *left;
    struct pure_expr *right;
    struct pure_expr **items;
    size_t count;
} pure_expr;

static char names[SYMBOL_LIMIT][NAME_SIZE];
static pure_expr *values[SYMBOL_LIMIT];
static int32_t name_count = 1; /* no symbol is 0 */
static char last_error[512];
static pure_expr *thrown;
static const char *at; /* what is being read */

API void init_genrand(unsigned long seed);
API const char *lasterr(void);
API int32_t pure_sym(const char *name);
API bool pure_let(int32_t symbol, pure_expr *value);
API pure_expr *pure_symbolx(int32_t symbol, pure_expr **ret_exception);
API pure_expr *pure_appxv(pure_expr *function, size_t count, pure_expr **arguments,
                          pure_expr **ret_exception);
API pure_expr *pure_double(double value);
API pure_expr *pure_int(int32_t value);
API pure_expr *pure_int64(int64_t value);
API pure_expr *pure_string(char *text);
API pure_expr *pure_listv(size_t count, pure_expr **items);
API bool pure_is_double(const pure_expr *value, double *ret_value);
API bool pure_is_int(const pure_expr *value, int32_t *ret_value);
API bool pure_is_mpz(const pure_expr *value, void *ret_value);
API bool pure_is_string(const pure_expr *value, const char **ret_text);
API bool pure_is_symbol(const pure_expr *value, int32_t *ret_symbol);
API bool pure_is_app(const pure_expr *value, pure_expr **ret_function, pure_expr **ret_argument);
API char *str(const pure_expr *value);
API pure_expr *pure_new(pure_expr *value);
API void pure_free(pure_expr *value);
API void pure_freenew(pure_expr *value);
API uint32_t pure_save(void);
API uint32_t pure_restore(void);
API pure_expr *pure_eval(const char *text);

/* ---- Values ---- */

static pure_expr *make(pure_expr value)
{
    pure_expr *made = malloc(sizeof(*made));
    if (!made)
        abort();
    *made = value;
    return made;
}

pure_expr *pure_double(double value)
{
    return make((pure_expr){.kind = DOUBLE, .number = value});
}

pure_expr *pure_int(int32_t value)
{
    return make((pure_expr){.kind = INTEGER, .integer = value});
}

pure_expr *pure_int64(int64_t value)
{
    return make((pure_expr){.kind = BIG, .integer = value});
}

pure_expr *pure_string(char *text)
{
    return make((pure_expr){.kind = TEXT, .text = text});
}

pure_expr *pure_listv(size_t count, pure_expr **items)
{
    pure_expr **copy = calloc(count + 1, sizeof(*copy));
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = items[i];
    return make((pure_expr){.kind = LIST, .items = copy, .count = count});
}

static pure_expr *apply(pure_expr *left, pure_expr *right)
{
    return make((pure_expr){.kind = APPLICATION, .left = left, .right = right});
}

bool pure_is_double(const pure_expr *value, double *ret_value)
{
    if (value->kind == DOUBLE && ret_value)
        *ret_value = value->number;
    return value->kind == DOUBLE;
}

bool pure_is_int(const pure_expr *value, int32_t *ret_value)
{
    if (value->kind == INTEGER && ret_value)
        *ret_value = (int32_t)value->integer;
    return value->kind == INTEGER;
}

bool pure_is_mpz(const pure_expr *value, void *ret_value)
{
    (void)ret_value;
    return value->kind == BIG;
}

bool pure_is_string(const pure_expr *value, const char **ret_text)
{
    if (value->kind == TEXT && ret_text)
        *ret_text = value->text;
    return value->kind == TEXT;
}

bool pure_is_symbol(const pure_expr *value, int32_t *ret_symbol)
{
    if (value->kind == SYMBOL)
        *ret_symbol = (int32_t)value->integer;
    return value->kind == SYMBOL;
}

bool pure_is_app(const pure_expr *value, pure_expr **ret_function, pure_expr **ret_argument)
{
    if (value->kind != APPLICATION)
        return false;
    *ret_function = value->left;
    *ret_argument = value->right;
    return true;
}

char *str(const pure_expr *value)
{
    char *text = NULL;
    int size = -1;
    switch (value->kind) {
    case DOUBLE:
        size = asprintf(&text, "%.15g%s", value->number,
                        value->number == (double)(int64_t)value->number ? ".0" : "");
        break;
    case INTEGER:
        size = asprintf(&text, "%lld", (long long)value->integer);
        break;
    case BIG:
        size = asprintf(&text, "%lldL", (long long)value->integer);
        break;
    case TEXT:
        size = asprintf(&text, "\"%s\"", value->text);
        break;
    case SYMBOL:
        size = asprintf(&text, "%s", names[value->integer]);
        break;
    case APPLICATION:
        size = asprintf(&text, "%s %s", str(value->left), str(value->right));
        break;
    case LIST:
        size = asprintf(&text, "[%zu items]", value->count);
        break;
    case CLOSURE:
        size = asprintf(&text, "#<closure %p>", (const void *)value);
        break;
    }
    return size < 0 ? NULL : text;
}

/* ---- Symbols ---- */

int32_t pure_sym(const char *name)
{
    for (int32_t i = 1; i < name_count; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    if (name_count == SYMBOL_LIMIT || strlen(name) >= NAME_SIZE)
        abort();
    memcpy(names[name_count], name, strlen(name) + 1);
    return name_count++;
}

bool pure_let(int32_t symbol, pure_expr *value)
{
    if (strcmp(names[symbol], "map") == 0)
        return false; /* a function of the prelude */
    values[symbol] = value;
    return true;
}

pure_expr *pure_symbolx(int32_t symbol, pure_expr **ret_exception)
{
    *ret_exception = NULL;
    return values[symbol] ? values[symbol]
                          : make((pure_expr){.kind = SYMBOL, .integer = symbol});
}

pure_expr *pure_new(pure_expr *value)
{
    return value;
}

void pure_free(pure_expr *value)
{
    (void)value;
}

void pure_freenew(pure_expr *value)
{
    (void)value;
}

uint32_t pure_save(void)
{
    return 1;
}

uint32_t pure_restore(void)
{
    return 0;
}

void init_genrand(unsigned long seed)
{
    (void)seed;
}

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
        value = apply(value, read_item());
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
    if (one->kind == TEXT && other->kind == TEXT && asprintf(&joined, "%s%s", one->text, other->text) >= 0)
        return pure_string(joined);
    if (is_number(one) && is_number(other))
        return pure_double(number_of(one) + number_of(other));
    return apply(apply(make((pure_expr){.kind = SYMBOL, .integer = pure_sym("+")}), one), other);
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
    return count == 1 ? apply(function, arguments[0]) : NULL;
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
    if (!bad && strncmp(text, "\\_ -> = ", 8) == 0)
        bad = text;
    if (!bad && strncmp(text, "\\_ ->  = ", 9) == 0)
        bad = text;
    if (bad)
        return fail(text, bad, "syntax error, unexpected '='", "");
    if (strncmp(text, "\\_ -> ", 6) == 0)
        return make((pure_expr){.kind = CLOSURE, .text = strdup(text + 6)});
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
