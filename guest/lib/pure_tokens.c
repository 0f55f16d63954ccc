#include "pure_tokens.h"

#include <string.h>

/* Operators of more than one character that the prelude declares or the language has. */
static const char *const operators[] = {
    "===", "~==", "-->", "==", "~=", "<=", ">=", "=>", "->", "$$", "..",
    "||",  "&&",  "+:",  "<:", "<<", ">>", "!!", "::", "%<", NULL,
};

static const char *const openers[] = {"with", "when", "of", NULL};
static const char *const closers[] = {"end", NULL};

static bool is_word_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           (unsigned char)byte >= 0x80;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool starts_with(const xf_pure_scanner *scanner, const char *start)
{
    size_t size = strlen(start);
    return scanner->size - scanner->at >= size &&
           memcmp(scanner->text + scanner->at, start, size) == 0;
}

/* Goes on to the byte, or to the end. */
static void skip_to(xf_pure_scanner *scanner, char byte)
{
    const char *found = scanner->at < scanner->size
                            ? memchr(scanner->text + scanner->at, byte, scanner->size - scanner->at)
                            : NULL;
    scanner->at = found ? (size_t)(found - scanner->text) : scanner->size;
}

static void step(xf_pure_scanner *scanner)
{
    if (scanner->text[scanner->at] == '\n')
        scanner->line++;
    scanner->at++;
}

static void skip_comment(xf_pure_scanner *scanner)
{
    scanner->at += 2;
    while (scanner->at < scanner->size && !starts_with(scanner, "*/"))
        step(scanner);
    scanner->at = scanner->size - scanner->at < 2 ? scanner->size : scanner->at + 2;
}

/* `#!` begins a comment, or a pragma, at the start of a line only. */
static bool is_pragma(const xf_pure_scanner *scanner)
{
    return starts_with(scanner, "#!") &&
           (scanner->at == 0 || scanner->text[scanner->at - 1] == '\n');
}

static void skip_blanks(xf_pure_scanner *scanner)
{
    while (scanner->at < scanner->size) {
        if (strchr(" \t\n\v\f\r", scanner->text[scanner->at]) && scanner->text[scanner->at])
            step(scanner);
        else if (starts_with(scanner, "//") || is_pragma(scanner))
            skip_to(scanner, '\n');
        else if (starts_with(scanner, "/*"))
            skip_comment(scanner);
        else
            return;
    }
}

/* A string ends at its quote, or unfinished at the end of the line. */
static void skip_string(xf_pure_scanner *scanner)
{
    scanner->at++;
    while (scanner->at < scanner->size) {
        char byte = scanner->text[scanner->at];
        if (byte == '\n')
            return;
        step(scanner);
        if (byte == '"')
            return;
        if (byte == '\\' && scanner->at < scanner->size)
            step(scanner);
    }
}

static xf_pure_token_kind take_operator(xf_pure_scanner *scanner)
{
    for (size_t i = 0; operators[i]; i++) {
        if (starts_with(scanner, operators[i])) {
            scanner->at += strlen(operators[i]);
            return XF_PURE_OPERATOR;
        }
    }
    char byte = scanner->text[scanner->at++];
    switch (byte) {
    case '=':
        return XF_PURE_EQUALS;
    case ';':
        return scanner->depth == 0 ? XF_PURE_SEMICOLON : XF_PURE_OTHER;
    case '(':
    case '[':
    case '{':
        scanner->depth++;
        return XF_PURE_OTHER;
    case ')':
    case ']':
    case '}':
        scanner->depth -= scanner->depth > 0;
        return XF_PURE_OTHER;
    default:
        return XF_PURE_OPERATOR;
    }
}

static void take_while_word(xf_pure_scanner *scanner)
{
    while (scanner->at < scanner->size &&
           (is_word_byte(scanner->text[scanner->at]) || is_digit(scanner->text[scanner->at])))
        scanner->at++;
}

xf_pure_token xf_pure_scan(xf_pure_scanner *scanner)
{
    skip_blanks(scanner);
    xf_pure_token token = {.start = scanner->at,
                           .line = scanner->line + 1,
                           .depth = scanner->depth};
    if (scanner->at >= scanner->size)
        return token;
    char byte = scanner->text[scanner->at];
    if (byte == '"') {
        skip_string(scanner);
        token.kind = XF_PURE_LITERAL;
    } else if (is_word_byte(byte) || is_digit(byte)) {
        take_while_word(scanner);
        token.kind = is_digit(byte) ? XF_PURE_LITERAL : XF_PURE_WORD;
    } else {
        token.kind = take_operator(scanner);
    }
    token.size = scanner->at - token.start;
    if (xf_pure_is_one_of(scanner, &token, openers))
        scanner->depth++;
    if (xf_pure_is_one_of(scanner, &token, closers))
        scanner->depth -= scanner->depth > 0;
    return token;
}

bool xf_pure_is_word(const xf_pure_scanner *scanner, const xf_pure_token *token, const char *word)
{
    return token->kind == XF_PURE_WORD && strlen(word) == token->size &&
           memcmp(scanner->text + token->start, word, token->size) == 0;
}

bool xf_pure_is_one_of(const xf_pure_scanner *scanner, const xf_pure_token *token,
                       const char *const *words)
{
    for (; token->kind == XF_PURE_WORD && *words; words++) {
        if (xf_pure_is_word(scanner, token, *words))
            return true;
    }
    return false;
}
