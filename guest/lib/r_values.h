/* Between the maps and R's vectors: columns in, checked results out. SPDX-License-Identifier: MIT
 */
#ifndef XF_GUEST_LIB_R_VALUES_H
#define XF_GUEST_LIB_R_VALUES_H

#include "guest.h"
#include "r_api.h"

/* What can be said of a result; the driver has the words. */
typedef enum xf_r_verdict {
    XF_R_FITS = 0,
    XF_R_KIND = 1, /* not of the return type */
    XF_R_SIZE = 2, /* of another length */
    XF_R_NA = 3,
    XF_R_RANGE = 4, /* beyond what the return type holds */
    XF_R_UNICODE = 5,
    XF_R_LARGE = 6,
    XF_R_FULL = 7,    /* the heap is full: not an error */
    XF_R_DRAWS = 8,   /* of a vectorized body: random numbers */
    XF_R_DIFFERS = 9, /* a row of one is not what it makes of that row alone */
} xf_r_verdict;

/* Numbers that any processor looks at together: as fast as memory can be read. */
typedef double xf_r_block __attribute__((vector_size(16)));
typedef int64_t xf_r_block_mask __attribute__((vector_size(16)));
#define XF_R_BLOCK (sizeof(xf_r_block) / sizeof(double))

/* Rows first to first + count of argument k as an R vector. */
SEXP xf_r_make_column(const xf_guest *guest, uint32_t k, uint32_t first, uint32_t count);

/* Whether a vector has elements of the return type, whatever their values. */
bool xf_r_is_kind(const xf_guest *guest, SEXP value);

/* Writes element `at` of a vector of the right kind into the slot of guest->row. */
xf_r_verdict xf_r_store_element(xf_guest *guest, SEXP value, ptrdiff_t at);

/* The same, but for a value of any kind: it must be a single element of the return type. */
xf_r_verdict xf_r_store_value(xf_guest *guest, SEXP value);

/* The same for all rows from guest->row on, where none needs a look: false when one may be NA, and
 * then no row is done. */
bool xf_r_store_numbers(xf_guest *guest, SEXP column);

/* Whether element `at` of a column and a single value, both of the right kind, are the same bits;
 * all NaNs are equal. */
bool xf_r_is_same(const xf_guest *guest, SEXP column, ptrdiff_t at, SEXP value);

/* The UTF-8 of an element of a character vector; false when it has none. */
bool xf_r_read_text(SEXP text, const char **ret_data, size_t *ret_size);

#endif
