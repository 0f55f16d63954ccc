/* Columns of numbers that R reads where the host put them. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_R_VIEW_H
#define XF_GUEST_LIB_R_VIEW_H

#include "r_values.h"

#include <stdbool.h>
#include <stdint.h>

/* Fewer rows are copied faster than that. */
#define XF_R_VIEW_ROWS 1024U

/* The class of such vectors, to be made once; R keeps it. */
SEXP xf_r_make_view_class(void);

/* A vector over `values`, which R copies where something is to be written to it; NULL where there
 * is a NaN, for it may look like R's NA. What keeps the vector longer than its call finds the
 * numbers of the next in it. */
SEXP xf_r_make_view(SEXP view_class, const double *values, uint32_t count);

#endif
