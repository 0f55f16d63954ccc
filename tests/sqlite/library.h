/* What most tests of libraries start from. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_LIBRARY_H
#define XF_TESTS_LIBRARY_H

#include "database.h"

/* A connection, and a library with f(x) = x + 1. */
typedef struct fixture {
    char folder[FOLDER_SIZE];
    sqlite3 *db;
} fixture;

static inline fixture fixture_new(void)
{
    fixture fix = {0};
    folder_open(fix.folder);
    write_function(fix.folder, "f.py", "# extfn: f(x: number) -> number\nresult = x + 1\n");
    fix.db = database_open();
    return fix;
}

static inline void fixture_clear(fixture *fix)
{
    database_close(fix->db);
    folder_close(fix->folder);
}

#endif
