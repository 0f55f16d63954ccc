/* Files and folders of a test's own: in `parent`, named extfn-test- and six characters that nothing
 * there has yet. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_TEMPORARY_H
#define XF_TESTS_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEMPORARY_SIZE 32 /* enough in /tmp and in /var/tmp */
#define TEMPORARY_FREE 6  /* characters that mkstemp and mkdtemp choose: X in their template */

static inline bool temporary_template(char *ret_path, size_t size, const char *parent)
{
    int used = snprintf(ret_path, size, "%s/extfn-test-", parent);
    if (used < 0 || (size_t)used + TEMPORARY_FREE + 1 > size)
        return false;
    memset(ret_path + used, 'X', TEMPORARY_FREE);
    ret_path[used + TEMPORARY_FREE] = '\0';
    return true;
}

/* Its path; NULL where it cannot be made. */
static inline char *temporary_folder(char *ret_path, size_t size, const char *parent)
{
    return temporary_template(ret_path, size, parent) ? mkdtemp(ret_path) : NULL;
}

/* Open to read and write; -1 where it cannot be made. */
static inline int temporary_file(char *ret_path, size_t size, const char *parent)
{
    return temporary_template(ret_path, size, parent) ? mkstemp(ret_path) : -1;
}

#endif
