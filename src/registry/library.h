/* A library as it was read: its files, what each gave, and how to see that one changed.
 * SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_LIBRARY_H
#define XF_REGISTRY_LIBRARY_H

#include "registry/function_list.h"

#include <sys/types.h>

/* Which bytes lay at a path; all zero where there was nothing. */
typedef struct xf_stamp {
    dev_t device;
    ino_t inode;
    off_t size;
    int64_t modified_ns;
    int64_t changed_ns;
    bool is_directory;
    bool is_unsettled; /* it changed so lately that it might again without another stamp */
} xf_stamp;

typedef struct xf_library_file {
    char *path;
    xf_stamp stamp;             /* taken before it was read */
    xf_function_list functions; /* of a bad file: those that it gave before it was bad */
    extfn_status status;
    char *problem; /* why it is bad, or NULL */
} xf_library_file;

/* Starts as `= {0}`. */
typedef struct xf_library {
    char *path;
    xf_stamp stamp;
    xf_library_file *files; /* in the order of their names */
    size_t file_count;
    size_t file_capacity;
    xf_function_list functions; /* of all files that are not bad */
} xf_library;

void xf_library_clear(xf_library *library);

/* Reads what lies at `path`. A bad file fails it, unless `is_lenient`: then the file is in the
 * library with its problem. */
EXTFN_MUST_CHECK extfn_status xf_library_read(const char *path, bool is_lenient,
                                              xf_library *ret_library, extfn_error *err);

/* Whether the files are still those that were read. */
bool xf_library_is_current(const xf_library *library);

/* The file of that path, or NULL. */
const xf_library_file *xf_library_find(const xf_library *library, const char *path);

/* A bad file remembers what it gave in `former`. */
EXTFN_MUST_CHECK extfn_status xf_library_inherit(xf_library *library, const xf_library *former,
                                                 extfn_error *err);

/* A library whose path cannot be read any more: all its files are bad for that reason. */
EXTFN_MUST_CHECK extfn_status xf_library_lose(const xf_library *former, const extfn_error *reason,
                                              xf_library *ret_library, extfn_error *err);

#endif
