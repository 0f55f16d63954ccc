#include "guest.h"

#include "base/text.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool xf_guest_map(xf_guest *guest)
{
    void *request = mmap(NULL, XF_MAP_SIZE, PROT_READ, MAP_SHARED, XF_FD_REQUEST_MAP, 0);
    void *reply = mmap(NULL, XF_MAP_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, XF_FD_REPLY_MAP, 0);
    guest->request = request;
    guest->reply = reply;
    return request != MAP_FAILED && reply != MAP_FAILED;
}

#define KEPT_MEMORY (32 << 20)

void xf_guest_keep_memory(void)
{
    /* NOLINTBEGIN(concurrency-mt-unsafe): no interpreter has a second thread so early */
    (void)mallopt(M_MMAP_THRESHOLD, KEPT_MEMORY);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_MEMORY);
    /* NOLINTEND(concurrency-mt-unsafe) */
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

uint16_t xf_guest_read_frame(xf_guest *guest)
{
    xf_frame frame;
    if (!read_all(&frame, sizeof frame))
        return 0;
    if (frame.magic != XF_WIRE_MAGIC || frame.version != XF_WIRE_VERSION ||
        frame.first_row > frame.row_count || frame.row_count > XF_ROWS_LIMIT)
        return 0;
    guest->call = frame.call;
    guest->row = frame.first_row;
    guest->row_count = frame.row_count;
    guest->heap_end = xf_wire_heap_offset(frame.row_count);
    xf_reply_header *header = (void *)guest->reply;
    __atomic_store_n(&header->call, frame.call, __ATOMIC_RELEASE);
    return frame.type;
}

bool xf_guest_send_frame(const xf_guest *guest, uint16_t type, uint32_t detail)
{
    (void)fflush(stdout);
    const xf_frame frame = {
        .magic = XF_WIRE_MAGIC,
        .version = XF_WIRE_VERSION,
        .type = type,
        .call = guest->call,
        .first_row = guest->row,
        .row_count = guest->row_count,
        .detail = detail,
    };
    return write_all(&frame, sizeof frame);
}

bool xf_guest_read_setup(xf_guest *guest, const char **ret_body, size_t *ret_size)
{
    const xf_setup *setup = (const void *)(guest->request + XF_MAP_START);
    const uint32_t *types = (const void *)(setup + 1);
    if (setup->arg_count > EXTFN_ARGUMENT_LIMIT)
        return false;
    guest->flags = setup->flags;
    guest->return_type = setup->return_type;
    guest->arg_count = setup->arg_count;
    memcpy(guest->arg_types, types, setup->arg_count * sizeof(uint32_t));
    const char *name = (const char *)(types + setup->arg_count);
    *ret_body = name + setup->names_size;
    *ret_size = setup->body_size;
    for (uint32_t k = 0; k < setup->arg_count; k++) {
        guest->arg_names[k] = name;
        name += strlen(name) + 1;
    }
    return true;
}

/* ---- Rows ---- */

bool xf_guest_put_text(xf_guest *guest, const char *data, size_t size, xf_wire_text *ret_text)
{
    if (size > XF_MAP_SIZE - guest->heap_end)
        return false;
    memcpy(guest->reply + guest->heap_end, data, size);
    *ret_text = (xf_wire_text){guest->heap_end, (uint32_t)size};
    guest->heap_end += (uint32_t)size;
    return true;
}

bool xf_guest_empty_heap(xf_guest *guest)
{
    return xf_guest_send_frame(guest, XF_FRAME_FULL, 0) &&
           xf_guest_read_frame(guest) == XF_FRAME_CONTINUE;
}

void xf_guest_write_slot(const xf_guest *guest, const void *slot)
{
    memcpy(guest->reply + xf_wire_slots_offset(guest->row_count) + (size_t)8 * guest->row, slot, 8);
}

void xf_guest_write_status(xf_guest *guest, enum xf_row_status status)
{
    __atomic_store_n(guest->reply + XF_MAP_START + guest->row, (unsigned char)status,
                     __ATOMIC_RELEASE);
    guest->row++;
}

void xf_guest_finish_rows(xf_guest *guest)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memset(guest->reply + XF_MAP_START + guest->row, XF_ROW_VALUE, guest->row_count - guest->row);
    guest->row = guest->row_count;
}

bool xf_guest_write_error(xf_guest *guest, const char *message)
{
    size_t size = strlen(message);
    if (!xf_utf8_is_valid(message, size)) {
        message = "message is not valid Unicode text";
        size = strlen(message);
    }
    size = xf_utf8_cut(message, size, XF_MESSAGE_LIMIT);
    xf_wire_text slot;
    while (!xf_guest_put_text(guest, message, size, &slot)) {
        if (!xf_guest_empty_heap(guest))
            return false;
    }
    xf_guest_write_slot(guest, &slot);
    xf_guest_write_status(guest, XF_ROW_ERROR);
    return true;
}
