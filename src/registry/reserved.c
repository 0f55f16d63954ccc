/* The words that each language keeps for itself. SPDX-License-Identifier: MIT */
#include "registry/reserved.h"
#include "registry/identifier.h"

#include <string.h>

/* Where every body finds its arguments and leaves its result. */
static const char *const ours[] = {"args", "result", NULL};

/* Keywords of 3.9 and later; the soft ones (match, case, type, _) are names elsewhere. The last two
 * are names, but binding them breaks the namespace. */
static const char *const python[] = {
    "False",   "None",     "True",     "and",          "as",        "assert", "async",  "await",
    "break",   "class",    "continue", "def",          "del",       "elif",   "else",   "except",
    "finally", "for",      "from",     "global",       "if",        "import", "in",     "is",
    "lambda",  "nonlocal", "not",      "or",           "pass",      "raise",  "return", "try",
    "while",   "with",     "yield",    "__builtins__", "__debug__", NULL,
};

/* help(Reserved) */
static const char *const r[] = {
    "if",          "else",     "repeat",      "while",         "function", "for", "next",
    "break",       "TRUE",     "FALSE",       "NULL",          "Inf",      "NaN", "NA",
    "NA_integer_", "NA_real_", "NA_complex_", "NA_character_", "in",       NULL,
};

static const char *const julia[] = {
    "baremodule", "begin",  "break",  "catch", "const",   "continue", "do",       "else",
    "elseif",     "end",    "export", "false", "finally", "for",      "function", "global",
    "if",         "import", "let",    "local", "macro",   "module",   "quote",    "return",
    "struct",     "true",   "try",    "using", "while",   NULL,
};

static const char *const pure[] = {
    "case",  "const",     "def",    "else",      "end",    "extern",    "if",
    "infix", "infixl",    "infixr", "interface", "let",    "namespace", "nonfix",
    "of",    "otherwise", "outfix", "postfix",   "prefix", "private",   "public",
    "then",  "type",      "using",  "when",      "with",   NULL,
};

/* The names of arguments of a module are for people only. */
static const char *const wasm[] = {NULL};

static const char *const *const words_of[EXTFN_LANGUAGE_COUNT] = {
    [EXTFN_PYTHON] = python, [EXTFN_R] = r,       [EXTFN_JULIA] = julia,
    [EXTFN_PURE] = pure,     [EXTFN_WASM] = wasm,
};

static bool has_word(const char *const *words, const char *word)
{
    for (; *words; words++) {
        if (strcmp(*words, word) == 0)
            return true;
    }
    return false;
}

/* No name of R begins with an underscore; one of underscores alone cannot be read in Julia and is a
 * wildcard in Pure. */
static bool is_special_underscore(extfn_language language, const char *word)
{
    if (language == EXTFN_R)
        return word[0] == '_';
    return (language == EXTFN_JULIA || language == EXTFN_PURE) && word[strspn(word, "_")] == '\0';
}

bool xf_word_is_ours(const char *word)
{
    return has_word(ours, word);
}

bool xf_word_is_reserved(extfn_language language, const char *word)
{
    return xf_word_is_ours(word) || has_word(words_of[language], word) ||
           (language == EXTFN_PURE && has_word(xf_pure_prelude, word)) ||
           is_special_underscore(language, word);
}
