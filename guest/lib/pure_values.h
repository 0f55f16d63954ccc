/* Between the maps and Pure's values: arguments in, checked results out. SPDX-License-Identifier:
 * MIT */
#ifndef XF_GUEST_LIB_PURE_VALUES_H
#define XF_GUEST_LIB_PURE_VALUES_H

#include "guest.h"
#include "pure_api.h"

#define XF_PURE_MESSAGE_SIZE 2048

/* A message, always valid UTF-8. */
typedef struct xf_pure_message {
    char text[XF_PURE_MESSAGE_SIZE];
} xf_pure_message;

typedef enum xf_pure_verdict {
    XF_PURE_FITS,
    XF_PURE_REFUSED, /* the message says why */
    XF_PURE_FULL,    /* the heap is full: not an error */
} xf_pure_verdict;

/* Argument k of the row under way. NULL when the body has made something of the name `datetime`
 * that throws. */
pure_expr *xf_pure_make_value(const xf_guest *guest, uint32_t k);

/* Writes the result of the row under way into its slot. */
xf_pure_verdict xf_pure_store_value(xf_guest *guest, pure_expr *value,
                                    xf_pure_message *ret_message);

/* A term as Pure writes it, its beginning only, without memory addresses. */
void xf_pure_show(const pure_expr *value, size_t limit, xf_pure_message *ret_message);

#endif
