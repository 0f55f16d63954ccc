/* What driver.pure calls: it serves one function to the host, the protocol of src/wire/wire.h.
 * SPDX-License-Identifier: MIT */
#include "pure_body.h"
#include "pure_world.h"

#include "seal.h"

#include <stdio.h>

XF_GUEST_API void xf_guest_pure_serve(void);

typedef struct worker {
    xf_guest guest;
    int sealed; /* of READY's detail, or a negative errno */
    xf_pure_body body;
    xf_pure_world world; /* remembered only where a row can change it */
} worker;

static enum xf_failure prepare(worker *w, xf_pure_message *ret_message)
{
    const char *body = NULL;
    size_t size = 0;
    if (!xf_guest_read_setup(&w->guest, &body, &size)) {
        (void)snprintf(ret_message->text, sizeof(ret_message->text), "too many arguments");
        return XF_FAILURE_LANGUAGE;
    }
    if (w->guest.flags & XF_SETUP_VECTORIZED) {
        (void)snprintf(ret_message->text, sizeof(ret_message->text),
                       "Pure has no vectorized functions: leave the word out");
        return XF_FAILURE_BODY;
    }
    w->sealed = w->guest.flags & XF_SETUP_SEAL ? xf_guest_seal() : 0;
    if (w->sealed < 0) {
        (void)snprintf(ret_message->text, sizeof(ret_message->text),
                       "the process could not be sealed");
        return XF_FAILURE_SEAL;
    }
    if (!xf_pure_compile(&w->guest, body, size, &w->body, ret_message))
        return XF_FAILURE_BODY;
    bool has_own_tmp = (w->guest.flags & XF_SETUP_OWN_TMP) != 0;
    if (w->body.needs & XF_PURE_NEEDS_WORLD)
        (void)xf_pure_world_remember(has_own_tmp, &w->world);
    return 0;
}

/* Stores the result of the row under way; on the way the host may have to read the heap. False: it
 * is gone. */
static bool finish_row(worker *w, pure_expr *value, xf_pure_message *message, bool is_memory)
{
    if (is_memory) {
        xf_guest_write_status(&w->guest, XF_ROW_MEMORY);
        return true;
    }
    while (value) {
        switch (xf_pure_store_value(&w->guest, value, message)) {
        case XF_PURE_FITS:
            xf_guest_write_status(&w->guest, XF_ROW_VALUE);
            return true;
        case XF_PURE_FULL:
            if (!xf_guest_empty_heap(&w->guest))
                return false;
            break;
        case XF_PURE_REFUSED:
        default:
            value = NULL;
        }
    }
    return xf_guest_write_error(&w->guest, message->text);
}

static bool run_row(worker *w)
{
    xf_pure_message message;
    bool is_memory = false;
    if (w->body.needs & XF_PURE_NEEDS_RESTORE)
        (void)pure_save();
    pure_expr *value = xf_pure_run(&w->guest, &w->body, &message, &is_memory);
    if (value)
        (void)pure_new(value);
    (void)fflush(stdout);
    /* What the row leaves is gone before it counts as done. */
    if (w->body.needs & XF_PURE_NEEDS_RESTORE)
        (void)pure_restore();
    if (w->body.needs & XF_PURE_NEEDS_WORLD)
        xf_pure_world_restore(&w->world);
    bool is_served = finish_row(w, value, &message, is_memory);
    if (value)
        pure_free(value);
    return is_served;
}

static bool run_rows(worker *w)
{
    while (w->guest.row < w->guest.row_count) {
        if (!run_row(w))
            return false;
    }
    return xf_guest_send_frame(&w->guest, XF_FRAME_DONE, XF_DONE_ROWS);
}

static bool has_text(const xf_pure_body *body)
{
    for (size_t i = 0; i < body->step_count; i++) {
        if (body->steps[i].text)
            return true;
    }
    return false;
}

/* Serves until the host is gone. */
void xf_guest_pure_serve(void)
{
    worker w = {0};
    if (!xf_guest_map(&w.guest) || xf_guest_read_frame(&w.guest) != XF_FRAME_SETUP)
        return;
    xf_pure_message message;
    enum xf_failure failure = prepare(&w, &message);
    if (failure) {
        (void)xf_guest_write_error(&w.guest, message.text);
        (void)xf_guest_send_frame(&w.guest, XF_FRAME_FAILED, failure);
        return;
    }
    uint32_t evaluated = has_text(&w.body) ? XF_READY_EVALUATED : 0;
    bool is_served = xf_guest_send_frame(&w.guest, XF_FRAME_READY, (uint32_t)w.sealed | evaluated);
    while (is_served && xf_guest_read_frame(&w.guest) == XF_FRAME_CALL)
        is_served = run_rows(&w);
}
