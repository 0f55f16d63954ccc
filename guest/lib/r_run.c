#include "r_run.h"

/* list(verdict, value) */
static SEXP stop_at(xf_r_verdict verdict, SEXP value)
{
    Rf_protect(value);
    SEXP stop = Rf_protect(Rf_allocVector(R_LIST, 2));
    SET_VECTOR_ELT(stop, 0, Rf_ScalarInteger((int)verdict));
    SET_VECTOR_ELT(stop, 1, value);
    Rf_unprotect(2);
    return stop;
}

/* Answers a call whose rows are done and waits for the next. False: the host is gone. */
static bool take_next_call(xf_guest *guest)
{
    return xf_guest_send_frame(guest, XF_FRAME_DONE, XF_DONE_ROWS) &&
           xf_guest_read_frame(guest) != 0;
}

/* What the body makes of rows first to first + count; `args` and the named arguments are bound. */
static SEXP evaluate(const xf_guest *guest, const xf_r_body *body, uint32_t first, uint32_t count)
{
    SEXP args = Rf_protect(Rf_allocVector(R_LIST, guest->arg_count));
    for (uint32_t k = 0; k < guest->arg_count; k++) {
        SEXP value = SET_VECTOR_ELT(args, k, xf_r_make_column(guest, k, first, count));
        SEXP name = VECTOR_ELT(body->names, k);
        if (name != R_NilValue)
            Rf_defineVar(name, value, body->frame);
    }
    Rf_defineVar(Rf_install("args"), args, body->frame);
    Rf_unprotect(1);
    return Rf_eval(body->call, body->frame);
}

static void end_evaluation(const xf_r_body *body)
{
    if (body->reset != R_NilValue)
        Rf_eval(body->reset, body->frame);
}

/* ---- Rows ---- */

/* The reset comes between a row's slot and its status. */
static xf_r_verdict end_row(xf_guest *guest, const xf_r_body *body, SEXP value)
{
    const void *top = vmaxget(); /* what R converts texts in, which it frees when .Call ends */
    xf_r_verdict verdict = xf_r_store_value(guest, value);
    vmaxset(top);
    if (verdict != XF_R_FITS)
        return verdict;
    end_evaluation(body);
    xf_guest_write_status(guest, XF_ROW_VALUE);
    return XF_R_FITS;
}

/* NULL, or why it stopped. */
static SEXP run_call(xf_guest *guest, const xf_r_body *body, SEXP pending)
{
    bool is_pending = Rf_xlength(pending) > 0;
    while (guest->row < guest->row_count) {
        SEXP value = is_pending ? VECTOR_ELT(pending, 0) : evaluate(guest, body, guest->row, 1);
        is_pending = false;
        Rf_protect(value);
        xf_r_verdict verdict = end_row(guest, body, value);
        Rf_unprotect(1);
        if (verdict != XF_R_FITS)
            return stop_at(verdict, value);
    }
    return R_NilValue;
}

SEXP xf_r_run_rows(xf_guest *guest, const xf_r_body *body, SEXP pending, bool goes_on)
{
    do {
        SEXP stop = run_call(guest, body, pending);
        if (stop != R_NilValue)
            return stop;
        pending = R_NilValue;
    } while (goes_on && take_next_call(guest));
    return Rf_ScalarLogical(!goes_on);
}

/* ---- Columns ---- */

static xf_r_verdict check_column(const xf_guest *guest, SEXP column)
{
    if (!xf_r_is_kind(guest, column))
        return XF_R_KIND;
    return Rf_xlength(column) == (ptrdiff_t)guest->row_count ? XF_R_FITS : XF_R_SIZE;
}

static bool has_drawn(void)
{
    SEXP seed = Rf_install(".Random.seed");
    if (R_existsVarInFrame)
        return R_existsVarInFrame(R_GlobalEnv, seed) != 0;
    return Rf_findVarInFrame(R_GlobalEnv, seed) != R_UnboundValue;
}

/* One call of a vectorized body: NULL, when it drew random numbers, which none may. */
static SEXP evaluate_columns(const xf_guest *guest, const xf_r_body *body, uint32_t first,
                             uint32_t count)
{
    SEXP value = Rf_protect(evaluate(guest, body, first, count));
    bool is_random = has_drawn();
    if (!is_random)
        end_evaluation(body);
    Rf_unprotect(1);
    return is_random ? NULL : value;
}

/* Whether a row of the column that the body made is what it makes of that row alone. */
static xf_r_verdict check_row(const xf_guest *guest, const xf_r_body *body, SEXP column,
                              uint32_t row)
{
    SEXP alone = evaluate_columns(guest, body, row, 1);
    if (!alone)
        return XF_R_DRAWS;
    bool is_same = xf_r_is_kind(guest, alone) && Rf_xlength(alone) == 1 &&
                   xf_r_is_same(guest, column, row, alone);
    return is_same ? XF_R_FITS : XF_R_DIFFERS;
}

SEXP xf_r_store_column(xf_guest *guest, SEXP column)
{
    if (xf_r_store_numbers(guest, column))
        return Rf_ScalarLogical(true);
    while (guest->row < guest->row_count) {
        xf_r_verdict verdict = xf_r_store_element(guest, column, guest->row);
        if (verdict != XF_R_FITS)
            return stop_at(verdict, column);
        xf_guest_write_status(guest, XF_ROW_VALUE);
    }
    return Rf_ScalarLogical(true);
}

/* NULL, or why it stopped: with the column, or the row that differs. */
static SEXP run_column_call(xf_guest *guest, const xf_r_body *body)
{
    uint32_t rows = guest->row_count;
    SEXP column = evaluate_columns(guest, body, 0, rows);
    if (!column)
        return stop_at(XF_R_DRAWS, R_NilValue);
    Rf_protect(column);
    xf_r_verdict verdict = check_column(guest, column);
    SEXP stop = verdict == XF_R_FITS ? R_NilValue : stop_at(verdict, column);
    for (uint32_t i = 0; i < 2 && rows > 1 && stop == R_NilValue; i++) {
        uint32_t row = i == 0 ? 0 : rows - 1;
        verdict = check_row(guest, body, column, row);
        if (verdict != XF_R_FITS)
            stop = stop_at(verdict, Rf_ScalarInteger((int)row));
    }
    if (stop == R_NilValue) {
        SEXP stored = xf_r_store_column(guest, column);
        stop = TYPEOF(stored) == R_LIST ? stored : R_NilValue;
    }
    Rf_unprotect(1);
    return stop;
}

SEXP xf_r_run_columns(xf_guest *guest, const xf_r_body *body, bool goes_on)
{
    do {
        const void *top = vmaxget();
        SEXP stop = guest->row < guest->row_count ? run_column_call(guest, body) : R_NilValue;
        vmaxset(top);
        if (stop != R_NilValue)
            return stop;
    } while (goes_on && take_next_call(guest));
    return Rf_ScalarLogical(!goes_on);
}
