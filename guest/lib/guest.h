/* What the drivers that are written in C share: maps, frames, slots. SPDX-License-Identifier: MIT
 */
#ifndef XF_GUEST_LIB_GUEST_H
#define XF_GUEST_LIB_GUEST_H

#include "wire/wire.h"

#include <extfn/function.h>

#include <stdbool.h>

/* One worker and its call under way. */
typedef struct xf_guest {
    const unsigned char *request;
    unsigned char *reply;
    uint32_t flags; /* enum xf_setup_flag */
    uint32_t arg_count;
    uint32_t arg_types[EXTFN_ARGUMENT_LIMIT];
    const char *arg_names[EXTFN_ARGUMENT_LIMIT]; /* in the request map, gone with the first call */
    uint32_t return_type;
    uint32_t call;      /* the number that answers repeat */
    uint32_t row;       /* the first that is not done */
    uint32_t row_count; /* 0 between calls */
    uint32_t heap_end;  /* bytes of the reply map that are taken */
    void *view_class;   /* of R's vectors over the request map */
} xf_guest;

/* False when the descriptors are not what the host gives. */
bool xf_guest_map(xf_guest *guest);

/* Has malloc keep what it once had: a page that it gives back costs more to get again than filling
 * it with a column. */
void xf_guest_keep_memory(void);

/* The type of the next frame, whose rows are now under way; 0 when the host is gone or speaks
 * otherwise. */
uint16_t xf_guest_read_frame(xf_guest *guest);

/* Sends what was printed before. False when the host is gone. */
bool xf_guest_send_frame(const xf_guest *guest, uint16_t type, uint32_t detail);

/* Fills in the function of a SETUP; the body stays in the request map. */
bool xf_guest_read_setup(xf_guest *guest, const char **ret_body, size_t *ret_size);

/* Puts bytes into the heap and their place into *ret_text; false when the heap is full. */
bool xf_guest_put_text(xf_guest *guest, const char *data, size_t size, xf_wire_text *ret_text);

/* Has the host read the heap, so that the row under way finds room. False: the host is gone. */
bool xf_guest_empty_heap(xf_guest *guest);

/* The slot of guest->row first, its status second: the order that the host relies on. */
void xf_guest_write_slot(const xf_guest *guest, const void *slot);
void xf_guest_write_status(xf_guest *guest, enum xf_row_status status);

/* The status of all rows left, whose slots are written. */
void xf_guest_finish_rows(xf_guest *guest);

/* Ends the row under way with an error, cut to XF_MESSAGE_LIMIT. False: the host is gone. */
bool xf_guest_write_error(xf_guest *guest, const char *message);

#endif
