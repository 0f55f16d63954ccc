/* Between the maps and R's vectors: columns in, checked results out. SPDX-License-Identifier: MIT
 */
#ifndef XF_GUEST_LIB_R_VALUES_H
#define XF_GUEST_LIB_R_VALUES_H

#include "r_api.h"
#include "wire/wire.h"

#include <extfn/function.h>

/* One worker and its call under way. */
typedef struct xf_r_guest {
    const unsigned char *request;
    unsigned char *reply;
    uint32_t arg_count;
    uint32_t arg_types[EXTFN_ARGUMENT_LIMIT];
    uint32_t return_type;
    uint32_t call;      /* the number that answers repeat */
    uint32_t row;       /* the first that is not done */
    uint32_t row_count; /* 0 between calls */
    uint32_t heap_end;  /* bytes of the reply map that are taken */
} xf_r_guest;

/* What can be said of a result; the driver has the words. */
typedef enum xf_r_verdict {
    XF_R_FITS = 0,
    XF_R_KIND = 1, /* not of the return type */
    XF_R_SIZE = 2, /* of another length */
    XF_R_NA = 3,
    XF_R_RANGE = 4, /* beyond what the return type holds */
    XF_R_UNICODE = 5,
    XF_R_LARGE = 6,
    XF_R_FULL = 7, /* the heap is full: not an error */
} xf_r_verdict;

/* Rows first to first + count of argument k as an R vector. */
SEXP xf_r_make_column(const xf_r_guest *guest, uint32_t k, uint32_t first, uint32_t count);

/* Whether a vector has elements of the return type, whatever their values. */
bool xf_r_is_kind(const xf_r_guest *guest, SEXP value);

/* Writes element `at` of a vector of the right kind into the slot of guest->row. */
xf_r_verdict xf_r_store_element(xf_r_guest *guest, SEXP value, ptrdiff_t at);

/* The same, but for a value of any kind: it must be a single element of the return type. */
xf_r_verdict xf_r_store_value(xf_r_guest *guest, SEXP value);

/* Whether element `at` of a column and a single value, both of the right kind, are the same bits;
 * all NaNs are equal. */
bool xf_r_is_same(const xf_r_guest *guest, SEXP column, ptrdiff_t at, SEXP value);

/* The UTF-8 of an element of a character vector; false when it has none. */
bool xf_r_read_text(SEXP text, const char **ret_data, size_t *ret_size);

/* Puts bytes into the heap and their place into *ret_text; false when the heap is full. */
bool xf_r_put_text(xf_r_guest *guest, const char *data, size_t size, xf_wire_text *ret_text);

/* The slot of guest->row first, its status second: the order that the host relies on. */
void xf_r_write_slot(const xf_r_guest *guest, const void *slot);
void xf_r_write_status(xf_r_guest *guest, enum xf_row_status status);

#endif
