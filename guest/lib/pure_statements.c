#include "pure_statements.h"

#include <stdint.h>
#include <string.h>

/* Words that begin a declaration. */
static const char *const declarations[] = {
    "const",     "def",       "extern", "infix",  "infixl",  "infixr",
    "interface", "namespace", "nonfix", "outfix", "postfix", "prefix",
    "private",   "public",    "type",   "using",  NULL,
};

/* Constants are compiled into what follows, and a namespace holds to the end of the text. */
static const char *const whole_texts[] = {"const", "namespace", NULL};

static const char *const reaching[] = {"extern", "using", "eval", "evalcmd", NULL};

/* Words that are no names, beside those of declarations. */
static const char *const keywords[] = {"case",      "else", "end",  "if",   "let", "of",
                                       "otherwise", "then", "when", "with", NULL};

/* The prelude's operators that are words. */
static const char *const word_operators[] = {"and", "div", "mod", "not", "or", NULL};

/* What defines by way of a call. */
static const char *const defining[] = {"add_", "del_", "pure_", "__", NULL};

/* Words that declare operators. */
static const char *const fixities[] = {"infix",  "infixl",  "infixr", "nonfix",
                                       "outfix", "postfix", "prefix", NULL};

static const char let_word[] = "let";

/* So many bytes are looked at to tell what a body needs; beyond that, it needs everything. */
#define LOOK_LIMIT (UINT64_C(1) << 24)

/* ---- Statements ---- */

/* Whether the scanner, behind `let`, reads `NAME =`. */
static bool take_name(xf_pure_scanner *scanner, xf_pure_statement *statement)
{
    xf_pure_scanner ahead = *scanner;
    xf_pure_token name = xf_pure_scan(&ahead);
    xf_pure_token equals = xf_pure_scan(&ahead);
    if (name.kind != XF_PURE_WORD || equals.kind != XF_PURE_EQUALS || equals.depth != 0 ||
        xf_pure_is_one_of(&ahead, &name, word_operators) ||
        xf_pure_is_one_of(&ahead, &name, keywords) ||
        xf_pure_is_one_of(&ahead, &name, declarations))
        return false;
    bool is_dropped = xf_pure_is_word(&ahead, &name, "_");
    statement->kind = is_dropped ? XF_PURE_EXPRESSION : XF_PURE_LET;
    statement->name = name.start;
    statement->name_size = name.size;
    statement->value = ahead.at;
    *scanner = ahead;
    return true;
}

/* To the `;`, or the end. Whether there was an `=` of the statement itself, and where it began. */
static bool skip_statement(xf_pure_scanner *scanner, xf_pure_token first,
                           xf_pure_statement *statement)
{
    bool has_equals = false;
    xf_pure_token token = first;
    while (token.kind != XF_PURE_END && token.kind != XF_PURE_SEMICOLON) {
        if (token.kind == XF_PURE_EQUALS && token.depth == 0 && !has_equals) {
            has_equals = true;
            statement->value = scanner->at;
        }
        statement->end = token.start + token.size;
        token = xf_pure_scan(scanner);
    }
    return has_equals;
}

bool xf_pure_cut(xf_pure_scanner *scanner, xf_pure_statement *ret_statement)
{
    xf_pure_token first = xf_pure_scan(scanner);
    while (first.kind == XF_PURE_SEMICOLON)
        first = xf_pure_scan(scanner);
    if (first.kind == XF_PURE_END)
        return false;
    *ret_statement = (xf_pure_statement){.start = first.start, .line = first.line};
    if (xf_pure_is_word(scanner, &first, let_word)) {
        ret_statement->end = first.start + first.size;
        if (take_name(scanner, ret_statement)) {
            size_t value = ret_statement->value;
            ret_statement->end = value;
            (void)skip_statement(scanner, xf_pure_scan(scanner), ret_statement);
            ret_statement->value = value;
            return true;
        }
        ret_statement->kind = XF_PURE_PATTERN;
        (void)skip_statement(scanner, xf_pure_scan(scanner), ret_statement);
        return true;
    }
    bool is_declaration = xf_pure_is_one_of(scanner, &first, declarations);
    bool has_equals = skip_statement(scanner, first, ret_statement);
    ret_statement->kind = is_declaration || has_equals ? XF_PURE_RULES : XF_PURE_EXPRESSION;
    if (ret_statement->kind == XF_PURE_EXPRESSION)
        ret_statement->value = ret_statement->start;
    return true;
}

/* ---- Needs ---- */

typedef struct look {
    xf_pure_scanner all; /* at the start */
    const char *const *names;
    size_t name_count;
    uint64_t looked; /* bytes */
    unsigned needs;
    bool has_operators; /* that are not the prelude's */
} look;

static bool is_text(const look *l, const xf_pure_token *token, const char *text)
{
    size_t size = strlen(text);
    return token->size == size && memcmp(l->all.text + token->start, text, size) == 0;
}

static bool is_mentioned(look *l, size_t from, size_t to, const char *word, size_t size)
{
    xf_pure_scanner scanner = {l->all.text, to, from, 0, 0};
    l->looked += to - from;
    for (;;) {
        xf_pure_token token = xf_pure_scan(&scanner);
        if (token.kind == XF_PURE_END)
            return false;
        if (token.kind == XF_PURE_WORD && token.size == size &&
            memcmp(l->all.text + token.start, word, size) == 0)
            return true;
    }
}

static bool is_argument(const look *l, const char *word, size_t size)
{
    for (size_t i = 0; i < l->name_count; i++) {
        if (l->names[i] && strlen(l->names[i]) == size && memcmp(l->names[i], word, size) == 0)
            return true;
    }
    return size == strlen("args") && memcmp(word, "args", size) == 0;
}

/* A rule may be known before the statements in front of its run when they cannot see it: it defines
 * one function by its name, which they do not mention. */
static bool is_unseen(look *l, const xf_pure_statement *statement, size_t run_start)
{
    xf_pure_scanner scanner = {l->all.text, statement->value, statement->start, 0, 0};
    xf_pure_token head = xf_pure_scan(&scanner);
    if (head.kind == XF_PURE_EQUALS)
        return true;
    if (head.kind != XF_PURE_WORD || l->has_operators ||
        xf_pure_is_one_of(&scanner, &head, declarations))
        return false;
    for (xf_pure_token token = xf_pure_scan(&scanner);
         token.kind != XF_PURE_END && token.kind != XF_PURE_EQUALS;
         token = xf_pure_scan(&scanner)) {
        bool is_glue = is_text(l, &token, "::") || is_text(l, &token, "@");
        if (token.depth == 0 && ((token.kind == XF_PURE_OPERATOR && !is_glue) ||
                                 xf_pure_is_one_of(&scanner, &token, word_operators)))
            return false;
    }
    return !is_mentioned(l, 0, run_start, l->all.text + head.start, head.size);
}

/* A variable that is mentioned before it is set would be seen from the row before. */
static bool is_set_first(look *l, const xf_pure_statement *statement)
{
    const char *name = l->all.text + statement->name;
    return is_argument(l, name, statement->name_size) ||
           !(is_mentioned(l, 0, statement->start, name, statement->name_size) ||
             is_mentioned(l, statement->value, statement->end, name, statement->name_size));
}

static bool begins_with_one_of(const char *text, const xf_pure_token *token,
                               const char *const *starts)
{
    for (; *starts; starts++) {
        size_t size = strlen(*starts);
        if (token->size >= size && memcmp(text + token->start, *starts, size) == 0)
            return true;
    }
    return false;
}

/* What single words say. */
static void look_at_words(look *l)
{
    xf_pure_scanner scanner = l->all;
    for (xf_pure_token token = xf_pure_scan(&scanner); token.kind != XF_PURE_END;
         token = xf_pure_scan(&scanner)) {
        bool is_reaching = xf_pure_is_one_of(&scanner, &token, reaching);
        if (xf_pure_is_one_of(&scanner, &token, whole_texts) || is_text(l, &token, "%<"))
            l->needs |= XF_PURE_NEEDS_TEXT;
        if (is_reaching)
            l->needs |= XF_PURE_NEEDS_RESTORE | XF_PURE_NEEDS_WORLD;
        if (token.kind == XF_PURE_WORD && begins_with_one_of(l->all.text, &token, defining))
            l->needs |= XF_PURE_NEEDS_RESTORE;
        l->has_operators |= is_reaching || xf_pure_is_one_of(&scanner, &token, fixities);
    }
}

/* A byte beyond ASCII may be a letter or an operator; a pragma changes how the rest is read. */
static void look_at_bytes(look *l)
{
    bool is_line_start = true;
    for (size_t i = 0; i < l->all.size; i++) {
        char byte = l->all.text[i];
        if ((unsigned char)byte >= 0x80)
            l->needs |= XF_PURE_NEEDS_RESTORE;
        if (is_line_start && byte == '#' && i + 1 < l->all.size && l->all.text[i + 1] == '!' &&
            i > 0)
            l->needs |= XF_PURE_NEEDS_TEXT;
        is_line_start = byte == '\n';
    }
}

/* An operator of the body's own may hold an `=` that looks like a rule's. */
static bool declares_equals(const look *l, const xf_pure_statement *statement)
{
    xf_pure_scanner scanner = {l->all.text, statement->end, statement->start, 0, 0};
    xf_pure_token first = xf_pure_scan(&scanner);
    return xf_pure_is_one_of(&scanner, &first, fixities) &&
           memchr(l->all.text + statement->start, '=', statement->end - statement->start);
}

static void look_at_statements(look *l)
{
    xf_pure_scanner scanner = l->all;
    xf_pure_statement statement;
    bool has_run = false; /* something before it has to be evaluated for each row */
    bool is_in_run = false;
    size_t run_start = 0;
    while (xf_pure_cut(&scanner, &statement) && l->looked < LOOK_LIMIT) {
        bool is_rule = statement.kind == XF_PURE_RULES;
        run_start = is_rule && !is_in_run ? statement.start : run_start;
        is_in_run = is_rule;
        if (is_rule && declares_equals(l, &statement))
            l->needs |= XF_PURE_NEEDS_TEXT | XF_PURE_IS_UNCLEAR;
        if (is_rule && has_run && !is_unseen(l, &statement, run_start))
            l->needs |= XF_PURE_NEEDS_TEXT;
        if (statement.kind == XF_PURE_PATTERN ||
            (statement.kind == XF_PURE_LET && !is_set_first(l, &statement)))
            l->needs |= XF_PURE_NEEDS_RESTORE;
        has_run |= !is_rule;
    }
    if (l->looked >= LOOK_LIMIT)
        l->needs |= XF_PURE_NEEDS_TEXT;
}

unsigned xf_pure_needs(const char *text, size_t size, const char *const *names, size_t name_count)
{
    look l = {.all = {text, size, 0, 0, 0}, .names = names, .name_count = name_count};
    look_at_words(&l);
    look_at_bytes(&l);
    look_at_statements(&l);
    if (l.needs & XF_PURE_NEEDS_TEXT)
        l.needs |= XF_PURE_NEEDS_RESTORE;
    return l.needs;
}
