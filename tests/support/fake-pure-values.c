/* What the stand-in for Pure computes with: see fake-pure.c. SPDX-License-Identifier: MIT */
#include "fake-pure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOL_LIMIT 4096

static char names[SYMBOL_LIMIT][NAME_SIZE];
static pure_expr *values[SYMBOL_LIMIT];
static int32_t name_count = 1; /* no symbol is 0 */

/* ---- Values ---- */

pure_expr *fake_make(pure_expr value)
{
    pure_expr *made = malloc(sizeof(*made));
    if (!made)
        abort();
    *made = value;
    return made;
}

pure_expr *pure_double(double value)
{
    return fake_make((pure_expr){.kind = DOUBLE, .number = value});
}

pure_expr *pure_int(int32_t value)
{
    return fake_make((pure_expr){.kind = INTEGER, .integer = value});
}

pure_expr *pure_int64(int64_t value)
{
    return fake_make((pure_expr){.kind = BIG, .integer = value});
}

pure_expr *pure_string(char *text)
{
    return fake_make((pure_expr){.kind = TEXT, .text = text});
}

pure_expr *pure_listv(size_t count, pure_expr **items)
{
    pure_expr **copy = calloc(count + 1, sizeof(*copy));
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = items[i];
    return fake_make((pure_expr){.kind = LIST, .items = copy, .count = count});
}

pure_expr *fake_apply(pure_expr *left, pure_expr *right)
{
    return fake_make((pure_expr){.kind = APPLICATION, .left = left, .right = right});
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
    bool is_whole = value->number == (double)(int64_t)value->number;
    int size = -1;
    if (value->kind == DOUBLE)
        size = asprintf(&text, "%.15g%s", value->number, is_whole ? ".0" : "");
    else if (value->kind == INTEGER || value->kind == BIG)
        size = asprintf(&text, "%jd%s", (intmax_t)value->integer, value->kind == BIG ? "L" : "");
    else if (value->kind == TEXT)
        size = asprintf(&text, "\"%s\"", value->text);
    else if (value->kind == SYMBOL)
        size = asprintf(&text, "%s", names[value->integer]);
    else if (value->kind == APPLICATION)
        size = asprintf(&text, "%s %s", str(value->left), str(value->right));
    else if (value->kind == LIST)
        size = asprintf(&text, "[%zu items]", value->count);
    else
        size = asprintf(&text, "#<closure %p>", (const void *)value);
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
                          : fake_make((pure_expr){.kind = SYMBOL, .integer = symbol});
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
