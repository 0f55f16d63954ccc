#include "eval/cancel.h"

#include "base/alloc.h"
#include "os/fd.h"

#include <unistd.h>

extfn_status extfn_cancel_new(extfn_cancel **ret_cancel, extfn_error *err)
{
    extfn_cancel *cancel = xf_alloc(sizeof(*cancel));
    if (!cancel)
        return xf_fail_oom(err);
    extfn_status status = xf_pipe_open(&cancel->read_end, &cancel->write_end, err);
    if (status != EXTFN_OK) {
        xf_free(cancel);
        return status;
    }
    status = xf_fd_set_nonblocking(cancel->write_end, err);
    if (status != EXTFN_OK) {
        extfn_cancel_free(cancel);
        return status;
    }
    *ret_cancel = cancel;
    return EXTFN_OK;
}

void extfn_cancel_free(extfn_cancel *cancel)
{
    if (!cancel)
        return;
    (void)close(cancel->read_end);
    (void)close(cancel->write_end);
    xf_free(cancel);
}

void extfn_cancel_trigger(extfn_cancel *cancel)
{
    /* Never read, so that it holds for later calls too. */
    (void)!write(cancel->write_end, "", 1);
}
