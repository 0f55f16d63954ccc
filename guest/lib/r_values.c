#include "r_values.h"

#include "r_view.h"

#include "base/text.h"

#include <string.h>

#define MICROSECONDS 1000000
#define FIRST_SECOND (-62135596800.0) /* 0001-01-01 */
#define END_SECOND 253402300800.0     /* 10000-01-01 */

/* ---- Into R ---- */

static void mark_datetime(SEXP column)
{
    SEXP class = Rf_protect(Rf_allocVector(R_CHARACTER, 2));
    SET_STRING_ELT(class, 0, Rf_mkCharLenCE("POSIXct", 7, R_ENCODING_UTF8));
    SET_STRING_ELT(class, 1, Rf_mkCharLenCE("POSIXt", 6, R_ENCODING_UTF8));
    Rf_setAttrib(column, Rf_install("class"), class);
    SEXP zone = Rf_protect(Rf_mkString("UTC"));
    Rf_setAttrib(column, Rf_install("tzone"), zone);
    Rf_unprotect(2);
}

/* Whether there was a NaN. */
static bool copy_and_find_nan(double *ret_values, const double *values, size_t count)
{
    xf_r_block_mask found = {0};
    size_t i = 0;
    for (; count - i >= XF_R_BLOCK; i += XF_R_BLOCK) {
        xf_r_block numbers;
        memcpy(&numbers, values + i, sizeof(numbers));
        memcpy(ret_values + i, &numbers, sizeof(numbers));
        /* NOLINTNEXTLINE(misc-redundant-expression): only a NaN is not what it is */
        found |= numbers != numbers;
    }
    bool is_found = found[0] || found[1];
    for (; i < count; i++) {
        ret_values[i] = values[i];
        is_found = is_found || values[i] != values[i];
    }
    return is_found;
}

/* A NaN of the host's may not look like R's NA. */
static void copy_numbers(double *ret_values, const double *wire, uint32_t count)
{
    if (!copy_and_find_nan(ret_values, wire, count))
        return;
    for (uint32_t i = 0; i < count; i++)
        ret_values[i] = wire[i] == wire[i] ? wire[i] : R_NaN;
}

static SEXP make_numbers(const xf_guest *guest, const double *wire, uint32_t count)
{
    SEXP view = count >= XF_R_VIEW_ROWS ? xf_r_make_view(guest->view_class, wire, count) : NULL;
    if (view)
        return view;
    SEXP column = Rf_allocVector(R_DOUBLE, count);
    copy_numbers(REAL(column), wire, count);
    return column;
}

static SEXP make_datetimes(const int64_t *wire, uint32_t count)
{
    SEXP column = Rf_protect(Rf_allocVector(R_DOUBLE, count));
    double *values = REAL(column);
    for (uint32_t i = 0; i < count; i++)
        values[i] = (double)wire[i] / MICROSECONDS;
    mark_datetime(column);
    Rf_unprotect(1);
    return column;
}

static SEXP make_texts(const uint32_t *ends, const char *bytes, uint32_t count)
{
    SEXP column = Rf_protect(Rf_allocVector(R_CHARACTER, count));
    for (uint32_t i = 0; i < count; i++) {
        int size = (int)(ends[i + 1] - ends[i]);
        SET_STRING_ELT(column, i, Rf_mkCharLenCE(bytes + ends[i], size, R_ENCODING_UTF8));
    }
    Rf_unprotect(1);
    return column;
}

SEXP xf_r_make_column(const xf_guest *guest, uint32_t k, uint32_t first, uint32_t count)
{
    const xf_wire_column *columns = (const void *)(guest->request + XF_MAP_START);
    const void *wire = guest->request + columns[k].values_offset;
    SEXP column = R_NilValue;
    switch (guest->arg_types[k]) {
    case EXTFN_NUMBER:
        return make_numbers(guest, (const double *)wire + first, count);
    case EXTFN_BOOLEAN:
        column = Rf_allocVector(R_LOGICAL, count);
        for (uint32_t i = 0; i < count; i++)
            LOGICAL(column)[i] = ((const uint8_t *)wire)[first + i];
        return column;
    case EXTFN_ENUM:
        column = Rf_allocVector(R_DOUBLE, count);
        for (uint32_t i = 0; i < count; i++)
            REAL(column)[i] = ((const uint32_t *)wire)[first + i];
        return column;
    case EXTFN_DATETIME:
        return make_datetimes((const int64_t *)wire + first, count);
    case EXTFN_TEXT:
        return make_texts((const uint32_t *)wire + first,
                          (const char *)guest->request + columns[k].bytes_offset, count);
    default:
        return column;
    }
}

/* ---- Out of R ---- */

bool xf_r_is_kind(const xf_guest *guest, SEXP value)
{
    int storage = TYPEOF(value);
    bool is_numeric = storage == R_DOUBLE || storage == R_INTEGER;
    switch (guest->return_type) {
    case EXTFN_NUMBER:
    case EXTFN_ENUM:
        return is_numeric && !Rf_isObject(value);
    case EXTFN_BOOLEAN:
        return storage == R_LOGICAL && !Rf_isObject(value);
    case EXTFN_TEXT:
        return storage == R_CHARACTER;
    case EXTFN_DATETIME:
        return is_numeric && Rf_inherits(value, "POSIXct");
    default:
        return false;
    }
}

static bool is_na(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value && (uint32_t)bits == R_NA_PAYLOAD;
}

static xf_r_verdict datetime_slot(double seconds, int64_t *ret_slot)
{
    if (seconds != seconds)
        return XF_R_NA;
    if (!(seconds >= FIRST_SECOND && seconds < END_SECOND))
        return XF_R_RANGE;
    int64_t whole = (int64_t)seconds;
    if ((double)whole > seconds)
        whole--;
    int64_t fraction = (int64_t)((seconds - (double)whole) * MICROSECONDS + 0.5);
    int64_t slot = whole * MICROSECONDS + fraction;
    if (slot >= (int64_t)END_SECOND * MICROSECONDS)
        return XF_R_RANGE;
    *ret_slot = slot;
    return XF_R_FITS;
}

static xf_r_verdict enum_slot(double index, int64_t *ret_slot)
{
    if (!(index >= 0 && index <= UINT32_MAX) || (double)(int64_t)index != index)
        return XF_R_RANGE;
    *ret_slot = (int64_t)index;
    return XF_R_FITS;
}

/* The slot of element `at` of a vector of the right kind, other than Text. NaNs become one NaN. */
static xf_r_verdict read_slot(const xf_guest *guest, SEXP value, ptrdiff_t at, int64_t *ret_slot)
{
    bool is_double = TYPEOF(value) == R_DOUBLE;
    double number = 0;
    if (is_double) {
        number = REAL_RO(value)[at];
        if (is_na(number))
            return XF_R_NA;
    } else {
        int whole = guest->return_type == EXTFN_BOOLEAN ? LOGICAL(value)[at] : INTEGER(value)[at];
        if (whole == R_NA_INTEGER)
            return XF_R_NA;
        number = whole;
    }
    switch (guest->return_type) {
    case EXTFN_BOOLEAN:
        *ret_slot = number != 0;
        return XF_R_FITS;
    case EXTFN_DATETIME:
        return datetime_slot(number, ret_slot);
    case EXTFN_ENUM:
        return enum_slot(number, ret_slot);
    default:
        number = number == number ? number : R_NaN;
        memcpy(ret_slot, &number, sizeof number);
        return XF_R_FITS;
    }
}

bool xf_r_read_text(SEXP text, const char **ret_data, size_t *ret_size)
{
    int encoding = Rf_getCharCE(text);
    if (text == R_NaString || encoding == R_ENCODING_BYTES)
        return false;
    /* The rest is UTF-8 in our locale. R's own translation would write bad bytes as `<ff>`. */
    const char *data = encoding == R_ENCODING_LATIN1 ? Rf_translateCharUTF8(text) : R_CHAR(text);
    size_t size = strlen(data);
    if (!xf_utf8_is_valid(data, size))
        return false;
    *ret_data = data;
    *ret_size = size;
    return true;
}

static xf_r_verdict store_text(xf_guest *guest, SEXP text)
{
    const char *data = NULL;
    size_t size = 0;
    if (text == R_NaString)
        return XF_R_NA;
    if (!xf_r_read_text(text, &data, &size))
        return XF_R_UNICODE;
    if (size > XF_VALUE_LIMIT)
        return XF_R_LARGE;
    xf_wire_text slot;
    if (!xf_guest_put_text(guest, data, size, &slot))
        return XF_R_FULL;
    xf_guest_write_slot(guest, &slot);
    return XF_R_FITS;
}

xf_r_verdict xf_r_store_element(xf_guest *guest, SEXP value, ptrdiff_t at)
{
    if (guest->return_type == EXTFN_TEXT)
        return store_text(guest, STRING_ELT(value, at));
    int64_t slot = 0;
    xf_r_verdict verdict = read_slot(guest, value, at, &slot);
    if (verdict == XF_R_FITS)
        xf_guest_write_slot(guest, &slot);
    return verdict;
}

xf_r_verdict xf_r_store_value(xf_guest *guest, SEXP value)
{
    if (!xf_r_is_kind(guest, value))
        return XF_R_KIND;
    if (Rf_xlength(value) != 1)
        return XF_R_SIZE;
    return xf_r_store_element(guest, value, 0);
}

bool xf_r_store_numbers(xf_guest *guest, SEXP column)
{
    if (guest->return_type != EXTFN_NUMBER || TYPEOF(column) != R_DOUBLE)
        return false;
    const double *values = REAL_RO(column) + guest->row;
    size_t count = guest->row_count - guest->row;
    double *slots = (void *)(guest->reply + xf_wire_slots_offset(guest->row_count));
    if (copy_and_find_nan(slots + guest->row, values, count))
        return false;
    xf_guest_finish_rows(guest);
    return true;
}

bool xf_r_is_same(const xf_guest *guest, SEXP column, ptrdiff_t at, SEXP value)
{
    if (guest->return_type == EXTFN_TEXT) {
        SEXP one = STRING_ELT(column, at);
        SEXP other = STRING_ELT(value, 0);
        if (one == R_NaString || other == R_NaString)
            return one == other;
        return Rf_getCharCE(one) == Rf_getCharCE(other) && strcmp(R_CHAR(one), R_CHAR(other)) == 0;
    }
    int64_t slots[2] = {0, 0};
    xf_r_verdict verdict = read_slot(guest, column, at, &slots[0]);
    return verdict == read_slot(guest, value, 0, &slots[1]) && slots[0] == slots[1];
}
