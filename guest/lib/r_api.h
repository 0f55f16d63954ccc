/* The part of R's C interface that the guest library uses, declared here so that R need not be
 * installed to build it. Weak: R's own library, already loaded when R loads this one, supplies
 * them; in every other interpreter they stay unresolved and unused. SPDX-License-Identifier: MIT */
#ifndef XF_GUEST_LIB_R_API_H
#define XF_GUEST_LIB_R_API_H

#include <stddef.h>

typedef struct SEXPREC *SEXP;

typedef struct R_altrep_class {
    SEXP ptr;
} R_altrep_class_t;

/* As TYPEOF tells them. */
enum xf_r_type {
    R_SYMBOL = 1,
    R_LOGICAL = 10,
    R_INTEGER = 13,
    R_DOUBLE = 14,
    R_CHARACTER = 16,
    R_LIST = 19,
    R_RAW = 24,
};

enum xf_r_encoding {
    R_ENCODING_UTF8 = 1,
    R_ENCODING_LATIN1 = 2,
    R_ENCODING_BYTES = 3,
};

#define R_NA_INTEGER (-2147483647 - 1) /* and NA of logical vectors */
#define R_NA_PAYLOAD 1954U             /* low word of the NaN that is NA_real_ */

/* NOLINTBEGIN(readability-identifier-naming): R's own names */
#pragma weak R_NilValue
#pragma weak R_NaString
#pragma weak R_NaN
#pragma weak R_GlobalEnv
#pragma weak R_UnboundValue
extern SEXP R_NilValue;
extern SEXP R_GlobalEnv;
extern SEXP R_UnboundValue;
extern SEXP R_NaString;
extern double R_NaN;

#define XF_R_WEAK(result) extern __attribute__((weak)) result

/* clang-format off */
XF_R_WEAK(SEXP) Rf_allocVector(unsigned type, ptrdiff_t count);
XF_R_WEAK(SEXP) Rf_protect(SEXP value);
XF_R_WEAK(void) Rf_unprotect(int count);
XF_R_WEAK(int) TYPEOF(SEXP value);
XF_R_WEAK(ptrdiff_t) Rf_xlength(SEXP value);
XF_R_WEAK(int) Rf_isObject(SEXP value);
XF_R_WEAK(int) Rf_isEnvironment(SEXP value);
XF_R_WEAK(int) Rf_inherits(SEXP value, const char *name);
XF_R_WEAK(double *) REAL(SEXP value);
XF_R_WEAK(const double *) REAL_RO(SEXP value);
XF_R_WEAK(int *) INTEGER(SEXP value);
XF_R_WEAK(int *) LOGICAL(SEXP value);
XF_R_WEAK(unsigned char *) RAW(SEXP value);
XF_R_WEAK(SEXP) VECTOR_ELT(SEXP list, ptrdiff_t at);
XF_R_WEAK(SEXP) SET_VECTOR_ELT(SEXP list, ptrdiff_t at, SEXP value);
XF_R_WEAK(SEXP) STRING_ELT(SEXP texts, ptrdiff_t at);
XF_R_WEAK(void) SET_STRING_ELT(SEXP texts, ptrdiff_t at, SEXP text);
XF_R_WEAK(SEXP) Rf_mkCharLenCE(const char *data, int size, int encoding);
XF_R_WEAK(SEXP) Rf_mkString(const char *text);
XF_R_WEAK(const char *) R_CHAR(SEXP text);
XF_R_WEAK(int) Rf_getCharCE(SEXP text);
XF_R_WEAK(const char *) Rf_translateCharUTF8(SEXP text);
XF_R_WEAK(SEXP) Rf_install(const char *name);
XF_R_WEAK(SEXP) Rf_setAttrib(SEXP value, SEXP name, SEXP attribute);
XF_R_WEAK(SEXP) Rf_ScalarInteger(int value);
XF_R_WEAK(SEXP) Rf_ScalarLogical(int value);
XF_R_WEAK(void) Rf_defineVar(SEXP name, SEXP value, SEXP environment);
XF_R_WEAK(int) R_existsVarInFrame(SEXP environment, SEXP name); /* from R 4.2 on */
XF_R_WEAK(SEXP) Rf_findVarInFrame(SEXP environment, SEXP name); /* before */
XF_R_WEAK(void *) vmaxget(void);
XF_R_WEAK(void) vmaxset(const void *top);
XF_R_WEAK(SEXP) R_MakeExternalPtr(void *place, SEXP tag, SEXP kept);
XF_R_WEAK(void *) R_ExternalPtrAddr(SEXP pointer);
XF_R_WEAK(SEXP) R_ExternalPtrTag(SEXP pointer);
XF_R_WEAK(void) MARK_NOT_MUTABLE(SEXP value);
XF_R_WEAK(R_altrep_class_t) R_make_altreal_class(const char *name, const char *package, void *dll);
XF_R_WEAK(void) R_set_altrep_Length_method(R_altrep_class_t made, ptrdiff_t (*get)(SEXP));
XF_R_WEAK(void) R_set_altvec_Dataptr_method(R_altrep_class_t made, void *(*get)(SEXP, int));
XF_R_WEAK(void) R_set_altvec_Dataptr_or_null_method(R_altrep_class_t made, const void *(*get)(SEXP));
XF_R_WEAK(void) R_set_altreal_Elt_method(R_altrep_class_t made, double (*get)(SEXP, ptrdiff_t));
XF_R_WEAK(SEXP) R_new_altrep(R_altrep_class_t made, SEXP data1, SEXP data2);
XF_R_WEAK(SEXP) R_altrep_data1(SEXP value);
XF_R_WEAK(SEXP) R_altrep_data2(SEXP value);
XF_R_WEAK(void) R_set_altrep_data2(SEXP value, SEXP data2);
XF_R_WEAK(SEXP) Rf_eval(SEXP expression, SEXP environment);
__attribute__((noreturn)) XF_R_WEAK(void) Rf_error(const char *format, ...);
/* clang-format on */
/* NOLINTEND(readability-identifier-naming) */

#endif
