/* Looking into a located runtime. */
#ifndef XF_TESTS_LANG_LOCATE_H
#define XF_TESTS_LANG_LOCATE_H

#include "lang/language.h"
#include "support/tree.h"

static inline bool xf_test_has(const xf_strings *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], text) == 0)
            return true;
    }
    return false;
}

/* The value of a name among pairs, or "". */
static inline const char *xf_test_value(const xf_strings *pairs, const char *name)
{
    for (size_t i = 0; i + 1 < pairs->count; i += 2) {
        if (strcmp(pairs->items[i], name) == 0)
            return pairs->items[i + 1];
    }
    return "";
}

/* A program that prints what stands in `answer`, whatever it is asked. */
static inline void xf_test_fake(const xf_test_tree *tree, const char *below, const char *answer)
{
    char script[2048];
    (void)snprintf(script, sizeof(script), "#!/bin/sh\ncat <<'END'\n%s\nEND\n", answer);
    xf_test_file(tree, below, 0755, script);
}

#endif
