/* What driver.R calls by .Call: maps, frames, and the loop over rows, for R is slow at bytes. Every
 * argument is checked before use, as a body can call these too. SPDX-License-Identifier: MIT */
#include "r_values.h"

#include "base/text.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

int xf_guest_seal(void);

EXPORT SEXP xf_guest_r_open(void);
EXPORT SEXP xf_guest_r_seal(void);
EXPORT SEXP xf_guest_r_read_frame(SEXP handle);
EXPORT SEXP xf_guest_r_send_frame(SEXP handle, SEXP type, SEXP detail);
EXPORT SEXP xf_guest_r_setup(SEXP handle);
EXPORT SEXP xf_guest_r_rows_left(SEXP handle);
EXPORT SEXP xf_guest_r_columns(SEXP handle, SEXP row);
EXPORT SEXP xf_guest_r_run(SEXP handle, SEXP names, SEXP call, SEXP frame, SEXP reset,
                           SEXP pending);
EXPORT SEXP xf_guest_r_check_column(SEXP handle, SEXP column);
EXPORT SEXP xf_guest_r_is_same(SEXP handle, SEXP column, SEXP row, SEXP value);
EXPORT SEXP xf_guest_r_store_column(SEXP handle, SEXP column);
EXPORT SEXP xf_guest_r_store_error(SEXP handle, SEXP message, SEXP is_memory, SEXP is_for_all);

/* The handle is a raw vector that holds the state: R frees it, and there is no global. */
static xf_r_guest *guest_of(SEXP handle)
{
    if (TYPEOF(handle) != R_RAW || Rf_xlength(handle) != (ptrdiff_t)sizeof(xf_r_guest))
        Rf_error("not a handle of extfn");
    return (xf_r_guest *)(void *)RAW(handle);
}

static xf_r_guest *guest_in_call(SEXP handle)
{
    xf_r_guest *guest = guest_of(handle);
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

/* A page that malloc gives back costs more to get again than filling it with a column: keep this
 * much. */
#define KEPT_MEMORY (32 << 20)

/* NULL when the descriptors are not what the host gives. */
SEXP xf_guest_r_open(void)
{
    /* NOLINTBEGIN(concurrency-mt-unsafe): R has one thread here */
    (void)mallopt(M_MMAP_THRESHOLD, KEPT_MEMORY);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_MEMORY);
    /* NOLINTEND(concurrency-mt-unsafe) */
    void *request = mmap(NULL, XF_MAP_SIZE, PROT_READ, MAP_SHARED, XF_FD_REQUEST_MAP, 0);
    void *reply = mmap(NULL, XF_MAP_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, XF_FD_REPLY_MAP, 0);
    if (request == MAP_FAILED || reply == MAP_FAILED)
        return R_NilValue;
    SEXP handle = Rf_allocVector(R_RAW, sizeof(xf_r_guest));
    *(xf_r_guest *)(void *)RAW(handle) = (xf_r_guest){.request = request, .reply = reply};
    return handle;
}

SEXP xf_guest_r_seal(void)
{
    return Rf_ScalarInteger(xf_guest_seal());
}

/* ---- Frames ---- */

static bool read_all(void *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t got = read(XF_FD_REQUEST_PIPE, (char *)data + at, size - at);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool write_all(const void *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t put = write(XF_FD_REPLY_PIPE, (const char *)data + at, size - at);
        if (put < 0 && errno != EINTR)
            return false;
        at += put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* The type of the next frame, whose rows are now under way; NULL when the host is gone. */
SEXP xf_guest_r_read_frame(SEXP handle)
{
    xf_r_guest *guest = guest_of(handle);
    xf_frame frame;
    if (!read_all(&frame, sizeof frame))
        return R_NilValue;
    if (frame.magic != XF_WIRE_MAGIC || frame.version != XF_WIRE_VERSION ||
        frame.first_row > frame.row_count || frame.row_count > XF_ROWS_LIMIT)
        Rf_error("extfn was sent a frame of another version");
    guest->call = frame.call;
    guest->row = frame.first_row;
    guest->row_count = frame.row_count;
    guest->heap_end = xf_wire_heap_offset(frame.row_count);
    xf_reply_header *header = (void *)guest->reply;
    __atomic_store_n(&header->call, frame.call, __ATOMIC_RELEASE);
    return Rf_ScalarInteger(frame.type);
}

/* TRUE, or FALSE when the host is gone. */
SEXP xf_guest_r_send_frame(SEXP handle, SEXP type, SEXP detail)
{
    xf_r_guest *guest = guest_of(handle);
    fflush(stdout);
    xf_frame frame = {
        .magic = XF_WIRE_MAGIC,
        .version = XF_WIRE_VERSION,
        .type = (uint16_t)integer_of(type),
        .call = guest->call,
        .first_row = guest->row,
        .row_count = guest->row_count,
        .detail = (uint32_t)integer_of(detail),
    };
    return Rf_ScalarLogical(write_all(&frame, sizeof frame));
}

/* list(flags, return type, names, body). */
SEXP xf_guest_r_setup(SEXP handle)
{
    xf_r_guest *guest = guest_of(handle);
    const xf_setup *setup = (const void *)(guest->request + XF_MAP_START);
    const uint32_t *types = (const void *)(setup + 1);
    if (setup->arg_count > EXTFN_ARGUMENT_LIMIT)
        Rf_error("extfn was sent too many arguments");
    guest->return_type = setup->return_type;
    guest->arg_count = setup->arg_count;
    memcpy(guest->arg_types, types, setup->arg_count * sizeof(uint32_t));
    const char *name = (const char *)(types + setup->arg_count);
    const char *body = name + setup->names_size;

    SEXP fields = Rf_protect(Rf_allocVector(R_LIST, 4));
    SET_VECTOR_ELT(fields, 0, Rf_ScalarInteger((int)setup->flags));
    SET_VECTOR_ELT(fields, 1, Rf_ScalarInteger((int)setup->return_type));
    SEXP names = SET_VECTOR_ELT(fields, 2, Rf_allocVector(R_CHARACTER, setup->arg_count));
    for (uint32_t k = 0; k < setup->arg_count; k++) {
        int size = (int)strlen(name);
        SET_STRING_ELT(names, k, Rf_mkCharLenCE(name, size, R_ENCODING_UTF8));
        name += size + 1;
    }
    SEXP bytes = SET_VECTOR_ELT(fields, 3, Rf_allocVector(R_RAW, setup->body_size));
    memcpy(RAW(bytes), body, setup->body_size);
    Rf_unprotect(1);
    return fields;
}

SEXP xf_guest_r_rows_left(SEXP handle)
{
    const xf_r_guest *guest = guest_of(handle);
    return Rf_ScalarInteger((int)(guest->row_count - guest->row));
}

/* ---- Rows ---- */

/* The arguments of one row, or with row NULL whole columns, as a list. */
SEXP xf_guest_r_columns(SEXP handle, SEXP row)
{
    const xf_r_guest *guest = guest_of(handle);
    bool is_whole = row == R_NilValue;
    uint32_t first = is_whole ? 0 : (uint32_t)integer_of(row);
    if (!is_whole && first >= guest->row_count)
        Rf_error("extfn has no such row");
    SEXP columns = Rf_protect(Rf_allocVector(R_LIST, guest->arg_count));
    uint32_t count = is_whole ? guest->row_count : 1;
    for (uint32_t k = 0; k < guest->arg_count; k++)
        SET_VECTOR_ELT(columns, k, xf_r_make_column(guest, k, first, count));
    Rf_unprotect(1);
    return columns;
}

/* Binds `args` and the named arguments of the row under way. */
static void bind_row(const xf_r_guest *guest, SEXP names, SEXP frame)
{
    SEXP args = Rf_protect(Rf_allocVector(R_LIST, guest->arg_count));
    for (uint32_t k = 0; k < guest->arg_count; k++) {
        SEXP value = SET_VECTOR_ELT(args, k, xf_r_make_column(guest, k, guest->row, 1));
        SEXP name = VECTOR_ELT(names, k);
        if (name != R_NilValue)
            Rf_defineVar(name, value, frame);
    }
    Rf_defineVar(Rf_install("args"), args, frame);
    Rf_unprotect(1);
}

/* list(verdict, value): why the loop stopped at the row under way. */
static SEXP stop_at(xf_r_verdict verdict, SEXP value)
{
    Rf_protect(value);
    SEXP stop = Rf_protect(Rf_allocVector(R_LIST, 2));
    SET_VECTOR_ELT(stop, 0, Rf_ScalarInteger((int)verdict));
    SET_VECTOR_ELT(stop, 1, value);
    Rf_unprotect(2);
    return stop;
}

static void check_names(const xf_r_guest *guest, SEXP names)
{
    bool is_list = TYPEOF(names) == R_LIST && Rf_xlength(names) == (ptrdiff_t)guest->arg_count;
    for (uint32_t k = 0; is_list && k < guest->arg_count; k++) {
        SEXP name = VECTOR_ELT(names, k);
        is_list = name == R_NilValue || TYPEOF(name) == R_SYMBOL;
    }
    if (!is_list)
        Rf_error("extfn needs a list of names");
}

/* Evaluates `call` in `frame` for each row from the one under way on. `reset`, a call or NULL, is
 * evaluated between a row's slot and its status; `pending` is list() or list(value), the value
 * that did not fit before the heap was emptied. NULL at the end, otherwise why it stopped. An
 * error of the body leaves by R's own jump: the driver calls again after it. */
SEXP xf_guest_r_run(SEXP handle, SEXP names, SEXP call, SEXP frame, SEXP reset, SEXP pending)
{
    xf_r_guest *guest = guest_of(handle);
    check_names(guest, names);
    if (!Rf_isEnvironment(frame) || TYPEOF(pending) != R_LIST)
        Rf_error("extfn needs an environment and a list");
    bool is_pending = Rf_xlength(pending) > 0;
    while (guest->row < guest->row_count) {
        SEXP value = is_pending ? VECTOR_ELT(pending, 0) : R_NilValue;
        if (!is_pending) {
            bind_row(guest, names, frame);
            value = Rf_eval(call, frame);
        }
        is_pending = false;
        Rf_protect(value);
        xf_r_verdict verdict = xf_r_store_value(guest, value);
        if (verdict == XF_R_FITS && reset != R_NilValue)
            Rf_eval(reset, frame);
        Rf_unprotect(1);
        if (verdict != XF_R_FITS)
            return stop_at(verdict, value);
        xf_r_write_status(guest, XF_ROW_VALUE);
    }
    return R_NilValue;
}

/* ---- Columns ---- */

/* A verdict on the column as a whole. */
SEXP xf_guest_r_check_column(SEXP handle, SEXP column)
{
    const xf_r_guest *guest = guest_of(handle);
    if (!xf_r_is_kind(guest, column))
        return Rf_ScalarInteger(XF_R_KIND);
    bool is_whole = Rf_xlength(column) == (ptrdiff_t)guest->row_count;
    return Rf_ScalarInteger(is_whole ? XF_R_FITS : XF_R_SIZE);
}

/* Whether a row of the column that the body made is what it makes of that row alone. */
SEXP xf_guest_r_is_same(SEXP handle, SEXP column, SEXP row, SEXP value)
{
    const xf_r_guest *guest = guest_of(handle);
    int at = integer_of(row);
    return Rf_ScalarLogical(xf_r_is_kind(guest, column) && xf_r_is_kind(guest, value) && at >= 0 &&
                            at < Rf_xlength(column) && Rf_xlength(value) == 1 &&
                            xf_r_is_same(guest, column, at, value));
}

/* Writes rows from the one under way on. NULL at the end, otherwise why it stopped there. */
SEXP xf_guest_r_store_column(SEXP handle, SEXP column)
{
    xf_r_guest *guest = guest_of(handle);
    if (!xf_r_is_kind(guest, column) || Rf_xlength(column) != (ptrdiff_t)guest->row_count)
        Rf_error("extfn needs a column that was checked");
    while (guest->row < guest->row_count) {
        xf_r_verdict verdict = xf_r_store_element(guest, column, guest->row);
        if (verdict != XF_R_FITS)
            return stop_at(verdict, column);
        xf_r_write_status(guest, XF_ROW_VALUE);
    }
    return R_NilValue;
}

/* Ends the row under way, or all rows left, with an error. FALSE when the heap is full. */
SEXP xf_guest_r_store_error(SEXP handle, SEXP message, SEXP is_memory, SEXP is_for_all)
{
    xf_r_guest *guest = guest_in_call(handle);
    bool has_no_text = flag_of(is_memory);
    uint32_t end = flag_of(is_for_all) ? guest->row_count : guest->row + 1;
    if (TYPEOF(message) != R_CHARACTER || Rf_xlength(message) != 1)
        Rf_error("extfn needs a message");
    const char *data = "message is not valid Unicode text";
    size_t size = strlen(data);
    (void)xf_r_read_text(STRING_ELT(message, 0), &data, &size);
    size = xf_utf8_cut(data, size, XF_MESSAGE_LIMIT);
    xf_wire_text slot = {0};
    if (!has_no_text && !xf_r_put_text(guest, data, size, &slot))
        return Rf_ScalarLogical(false);
    while (guest->row < end) {
        xf_r_write_slot(guest, &slot);
        xf_r_write_status(guest, has_no_text ? XF_ROW_MEMORY : XF_ROW_ERROR);
    }
    return Rf_ScalarLogical(true);
}
