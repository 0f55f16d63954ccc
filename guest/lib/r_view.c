#include "r_view.h"

#include "base/alloc.h"

#include <string.h>

/* A view is one of R's "alternative representations": a pointer to the numbers, whose tag is their
 * count, and the copy, once there is one. */

static void *values_of(SEXP view)
{
    SEXP copy = R_altrep_data2(view);
    return copy != R_NilValue ? REAL(copy) : R_ExternalPtrAddr(R_altrep_data1(view));
}

static ptrdiff_t count_of(SEXP view)
{
    return INTEGER(R_ExternalPtrTag(R_altrep_data1(view)))[0];
}

/* R collects no garbage meanwhile, and never again after an error: none may come of too little
 * memory. Without a copy what writes dies of it. */
static void *open_values(SEXP view, int is_to_be_written)
{
    size_t size = (size_t)count_of(view) * sizeof(double);
    void *room = is_to_be_written && R_altrep_data2(view) == R_NilValue ? xf_alloc(size) : NULL;
    if (room) {
        xf_free(room);
        SEXP copy = Rf_allocVector(R_DOUBLE, count_of(view));
        memcpy(REAL(copy), values_of(view), size);
        R_set_altrep_data2(view, copy);
    }
    return values_of(view);
}

static const void *look_at_values(SEXP view)
{
    return values_of(view);
}

static double element_of(SEXP view, ptrdiff_t at)
{
    return ((const double *)values_of(view))[at];
}

SEXP xf_r_make_view_class(void)
{
    R_altrep_class_t made = R_make_altreal_class("column", "extfn", NULL);
    R_set_altrep_Length_method(made, count_of);
    R_set_altvec_Dataptr_method(made, open_values);
    R_set_altvec_Dataptr_or_null_method(made, look_at_values);
    R_set_altreal_Elt_method(made, element_of);
    return made.ptr;
}

static bool has_nan(const double *values, uint32_t count)
{
    xf_r_block_mask found = {0};
    uint32_t i = 0;
    for (; count - i >= XF_R_BLOCK; i += XF_R_BLOCK) {
        xf_r_block numbers;
        memcpy(&numbers, values + i, sizeof(numbers));
        /* NOLINTNEXTLINE(misc-redundant-expression): only a NaN is not what it is */
        found |= numbers != numbers;
    }
    bool is_found = found[0] || found[1];
    for (; i < count; i++)
        is_found = is_found || values[i] != values[i];
    return is_found;
}

SEXP xf_r_make_view(SEXP view_class, const double *values, uint32_t count)
{
    if (has_nan(values, count))
        return NULL;
    void *place; /* which is only read */
    memcpy(&place, &values, sizeof(place));
    SEXP tag = Rf_protect(Rf_ScalarInteger((int)count));
    SEXP pointer = Rf_protect(R_MakeExternalPtr(place, tag, R_NilValue));
    SEXP view = R_new_altrep((R_altrep_class_t){view_class}, pointer, R_NilValue);
    MARK_NOT_MUTABLE(view);
    Rf_unprotect(2);
    return view;
}
