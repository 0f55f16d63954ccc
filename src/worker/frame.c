#include "worker/frame.h"

/* answers[state]: which frames may come, and the state after them. */
static const struct answer {
    xf_state state;
    uint16_t type;
    xf_state next;
} answers[] = {
    {XF_STATE_SETUP, XF_FRAME_READY, XF_STATE_IDLE},
    {XF_STATE_SETUP, XF_FRAME_FAILED, XF_STATE_ENDED},
    {XF_STATE_BUSY, XF_FRAME_DONE, XF_STATE_IDLE},
    {XF_STATE_BUSY, XF_FRAME_FULL, XF_STATE_FULL},
};

static extfn_status fail(const char *what, extfn_error *err)
{
    return xf_fail(err, EXTFN_ERUNTIME, "worker broke the protocol: %s", what);
}

extfn_status xf_exchange_accept(xf_exchange *exchange, const xf_frame *frame, extfn_error *err)
{
    if (frame->magic != XF_WIRE_MAGIC)
        return fail("not a frame", err);
    if (frame->version != XF_WIRE_VERSION)
        return fail("wrong version", err);
    const struct answer *answer = NULL;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        if (answers[i].state == exchange->state && answers[i].type == frame->type)
            answer = &answers[i];
    }
    if (!answer)
        return fail("unexpected frame", err);
    if (frame->call != exchange->call)
        return fail("answer to another call", err);
    if (frame->type == XF_FRAME_FULL) {
        if (frame->first_row <= exchange->first_row || frame->first_row >= exchange->row_count)
            return fail("full without progress", err);
        exchange->first_row = frame->first_row;
    }
    if (frame->type == XF_FRAME_DONE && frame->detail == XF_DONE_WORN) {
        if (frame->first_row <= exchange->first_row || frame->first_row > exchange->row_count)
            return fail("worn out without progress", err);
        exchange->first_row = frame->first_row;
    }
    exchange->state = answer->next;
    return EXTFN_OK;
}
