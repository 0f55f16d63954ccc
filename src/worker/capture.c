#include "worker/capture.h"

#include "base/layers.h"
#include "wire/wire.h"

#include <errno.h>
#include <unistd.h>

static void keep(xf_capture *capture, const char *data, size_t size)
{
    size_t room = XF_OUTPUT_LIMIT - capture->text.size;
    (void)!xf_buf_append(&capture->text, data, size < room ? size : room, NULL);
    capture->total += size;
}

void xf_capture_drain(xf_capture *capture)
{
    char data[8192];
    while (capture->fd >= 0) {
        ssize_t size = read(capture->fd, data, sizeof(data));
        if (size > 0) {
            keep(capture, data, (size_t)size);
            if (capture->total > XF_OUTPUT_LIMIT && xf_has_layer(XF_WITH_OUTPUT_LIMIT))
                return; /* the caller ends the flood */
            continue;
        }
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0 && errno == EAGAIN)
            return;
        (void)close(capture->fd);
        capture->fd = -1;
    }
}

void xf_capture_reset(xf_capture *capture)
{
    capture->text.size = 0;
    capture->total = 0;
}

void xf_capture_close(xf_capture *capture)
{
    if (capture->fd >= 0)
        (void)close(capture->fd);
    capture->fd = -1;
    xf_buf_clear(&capture->text);
    capture->total = 0;
}
