/* Columns of a test. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_COLUMN_H
#define XF_TESTS_COLUMN_H

#include "support/unit.h"

#include <extfn/column.h>

static inline extfn_column *column_of(extfn_type type)
{
    extfn_column *column = NULL;
    assert_int_equal(extfn_column_new(type, &column, NULL), EXTFN_OK);
    return column;
}

static inline void column_append(extfn_column *column, extfn_value value)
{
    assert_int_equal(extfn_column_append(column, &value, NULL), EXTFN_OK);
}

/* For XF_AUTO. */
static inline void free_column(extfn_column **slot)
{
    extfn_column_free(*slot);
}

#endif
