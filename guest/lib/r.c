/* What driver.R calls by .Call: maps, frames, and the loops over rows, for R is slow at bytes.
 * Every argument is checked before use, as a body can call these too. SPDX-License-Identifier: MIT
 */
#include "r_run.h"
#include "r_view.h"

#include "base/text.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default")))

int xf_guest_seal(void);

EXPORT SEXP xf_guest_r_open(void);
EXPORT SEXP xf_guest_r_seal(void);
EXPORT SEXP xf_guest_r_read_frame(SEXP handle);
EXPORT SEXP xf_guest_r_send_frame(SEXP handle, SEXP type, SEXP detail);
EXPORT SEXP xf_guest_r_setup(SEXP handle);
EXPORT SEXP xf_guest_r_rows_left(SEXP handle);
EXPORT SEXP xf_guest_r_run_rows(SEXP handle, SEXP task, SEXP pending, SEXP goes_on);
EXPORT SEXP xf_guest_r_run_columns(SEXP handle, SEXP task, SEXP goes_on);
EXPORT SEXP xf_guest_r_store_column(SEXP handle, SEXP column);
EXPORT SEXP xf_guest_r_store_error(SEXP handle, SEXP message, SEXP is_memory, SEXP is_for_all);

/* The handle is a raw vector that holds the state: R frees it, and there is no global. */
static xf_guest *guest_of(SEXP handle)
{
    if (TYPEOF(handle) != R_RAW || Rf_xlength(handle) != (ptrdiff_t)sizeof(xf_guest))
        Rf_error("not a handle of extfn");
    return (xf_guest *)(void *)RAW(handle);
}

static xf_guest *guest_in_call(SEXP handle)
{
    xf_guest *guest = guest_of(handle);
    if (guest->row >= guest->row_count)
        Rf_error("extfn has no row under way");
    return guest;
}

static int integer_of(SEXP value)
{
    if (TYPEOF(value) != R_INTEGER || Rf_xlength(value) != 1)
        Rf_error("extfn needs an integer");
    return INTEGER(value)[0];
}

static bool flag_of(SEXP value)
{
    if (TYPEOF(value) != R_LOGICAL || Rf_xlength(value) != 1)
        Rf_error("extfn needs a logical");
    return LOGICAL(value)[0] != 0;
}

/* NULL when the descriptors are not what the host gives. */
SEXP xf_guest_r_open(void)
{
    xf_guest_keep_memory();
    xf_guest guest = {0};
    if (!xf_guest_map(&guest))
        return R_NilValue;
    guest.view_class = xf_r_make_view_class();
    SEXP handle = Rf_allocVector(R_RAW, sizeof(xf_guest));
    *(xf_guest *)(void *)RAW(handle) = guest;
    return handle;
}

SEXP xf_guest_r_seal(void)
{
    return Rf_ScalarInteger(xf_guest_seal());
}

/* ---- Frames ---- */

/* The type of the next frame, whose rows are now under way; NULL when the host is gone. */
SEXP xf_guest_r_read_frame(SEXP handle)
{
    uint16_t type = xf_guest_read_frame(guest_of(handle));
    return type == 0 ? R_NilValue : Rf_ScalarInteger(type);
}

/* TRUE, or FALSE when the host is gone. */
SEXP xf_guest_r_send_frame(SEXP handle, SEXP type, SEXP detail)
{
    uint32_t told = (uint32_t)integer_of(detail);
    return Rf_ScalarLogical(
        xf_guest_send_frame(guest_of(handle), (uint16_t)integer_of(type), told));
}

/* list(flags, return type, names, body). */
SEXP xf_guest_r_setup(SEXP handle)
{
    xf_guest *guest = guest_of(handle);
    const char *body = NULL;
    size_t size = 0;
    if (!xf_guest_read_setup(guest, &body, &size))
        Rf_error("extfn was sent too many arguments");

    SEXP fields = Rf_protect(Rf_allocVector(R_LIST, 4));
    SET_VECTOR_ELT(fields, 0, Rf_ScalarInteger((int)guest->flags));
    SET_VECTOR_ELT(fields, 1, Rf_ScalarInteger((int)guest->return_type));
    SEXP names = SET_VECTOR_ELT(fields, 2, Rf_allocVector(R_CHARACTER, guest->arg_count));
    for (uint32_t k = 0; k < guest->arg_count; k++) {
        const char *name = guest->arg_names[k];
        SET_STRING_ELT(names, k, Rf_mkCharLenCE(name, (int)strlen(name), R_ENCODING_UTF8));
    }
    SEXP bytes = SET_VECTOR_ELT(fields, 3, Rf_allocVector(R_RAW, (ptrdiff_t)size));
    memcpy(RAW(bytes), body, size);
    Rf_unprotect(1);
    return fields;
}

SEXP xf_guest_r_rows_left(SEXP handle)
{
    const xf_guest *guest = guest_of(handle);
    return Rf_ScalarInteger((int)(guest->row_count - guest->row));
}

/* ---- Rows ---- */

static void check_names(const xf_guest *guest, SEXP names)
{
    bool is_list = TYPEOF(names) == R_LIST && Rf_xlength(names) == (ptrdiff_t)guest->arg_count;
    for (uint32_t k = 0; is_list && k < guest->arg_count; k++) {
        SEXP name = VECTOR_ELT(names, k);
        is_list = name == R_NilValue || TYPEOF(name) == R_SYMBOL;
    }
    if (!is_list)
        Rf_error("extfn needs a list of names");
}

/* `task` is list(names, call, frame, reset). */
static xf_r_body body_of(const xf_guest *guest, SEXP task)
{
    if (TYPEOF(task) != R_LIST || Rf_xlength(task) != 4 || !Rf_isEnvironment(VECTOR_ELT(task, 2)))
        Rf_error("extfn needs a task");
    check_names(guest, VECTOR_ELT(task, 0));
    return (xf_r_body){.names = VECTOR_ELT(task, 0),
                       .call = VECTOR_ELT(task, 1),
                       .frame = VECTOR_ELT(task, 2),
                       .reset = VECTOR_ELT(task, 3)};
}

SEXP xf_guest_r_run_rows(SEXP handle, SEXP task, SEXP pending, SEXP goes_on)
{
    xf_guest *guest = guest_of(handle);
    const xf_r_body body = body_of(guest, task);
    if (TYPEOF(pending) != R_LIST)
        Rf_error("extfn needs a list");
    return xf_r_run_rows(guest, &body, pending, flag_of(goes_on));
}

SEXP xf_guest_r_run_columns(SEXP handle, SEXP task, SEXP goes_on)
{
    xf_guest *guest = guest_of(handle);
    const xf_r_body body = body_of(guest, task);
    return xf_r_run_columns(guest, &body, flag_of(goes_on));
}

SEXP xf_guest_r_store_column(SEXP handle, SEXP column)
{
    xf_guest *guest = guest_of(handle);
    if (!xf_r_is_kind(guest, column) || Rf_xlength(column) != (ptrdiff_t)guest->row_count)
        Rf_error("extfn needs a column that was checked");
    return xf_r_store_column(guest, column);
}

/* Ends the row under way, or all rows left, with an error. FALSE when the heap is full. */
SEXP xf_guest_r_store_error(SEXP handle, SEXP message, SEXP is_memory, SEXP is_for_all)
{
    xf_guest *guest = guest_in_call(handle);
    bool has_no_text = flag_of(is_memory);
    uint32_t end = flag_of(is_for_all) ? guest->row_count : guest->row + 1;
    if (TYPEOF(message) != R_CHARACTER || Rf_xlength(message) != 1)
        Rf_error("extfn needs a message");
    const char *data = "message is not valid Unicode text";
    size_t size = strlen(data);
    (void)xf_r_read_text(STRING_ELT(message, 0), &data, &size);
    size = xf_utf8_cut(data, size, XF_MESSAGE_LIMIT);
    xf_wire_text slot = {0};
    if (!has_no_text && !xf_guest_put_text(guest, data, size, &slot))
        return Rf_ScalarLogical(false);
    while (guest->row < end) {
        xf_guest_write_slot(guest, &slot);
        xf_guest_write_status(guest, has_no_text ? XF_ROW_MEMORY : XF_ROW_ERROR);
    }
    return Rf_ScalarLogical(true);
}
