#include "guest/supervise/status.h"

#include <string.h>
#include <sys/wait.h>

#define READY_SIZE sizeof(xf_enter_ready)

static bool is_valid(const xf_status *status)
{
    xf_enter_ready ready;
    xf_enter_exit end;
    memcpy(&ready, status->bytes, sizeof(ready));
    memcpy(&end, status->bytes + READY_SIZE, sizeof(end));
    return (status->size < READY_SIZE ||
            (ready.magic == XF_WIRE_MAGIC && ready.version == XF_WIRE_VERSION)) &&
           (status->size < sizeof(status->bytes) || end.magic == XF_WIRE_MAGIC);
}

void xf_status_add(xf_status *status, const unsigned char *bytes, size_t size)
{
    if (size > sizeof(status->bytes) - status->size) {
        status->is_broken = true;
        return;
    }
    memcpy(status->bytes + status->size, bytes, size);
    status->size += size;
    status->is_broken |= !is_valid(status);
}

bool xf_status_is_ready(const xf_status *status)
{
    return status->size >= READY_SIZE && !status->is_broken;
}

uint32_t xf_status_layers(const xf_status *status)
{
    xf_enter_ready ready = {0};
    if (xf_status_is_ready(status))
        memcpy(&ready, status->bytes, sizeof(ready));
    return ready.layers;
}

bool xf_status_get_exit(const xf_status *status, xf_enter_exit *ret_exit)
{
    if (status->size < sizeof(status->bytes) || status->is_broken)
        return false;
    memcpy(ret_exit, status->bytes + READY_SIZE, sizeof(*ret_exit));
    return true;
}

int xf_status_unwrap(int wait_status)
{
    int code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0;
    return code > 128 && code <= 128 + 64 ? code - 128 : wait_status;
}
