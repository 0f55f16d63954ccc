/* Hostile bytes of a worker: frames against every state, and a reply map. SPDX-License-Identifier:
 * MIT */
#include "worker/decode.h"
#include "worker/frame.h"

#include <string.h>
#include <sys/mman.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void accept(const uint8_t *data, size_t size)
{
    xf_exchange exchange = {.state = XF_STATE_BUSY, .call = 1, .row_count = 1000};
    xf_frame frame;
    for (size_t at = 0; size - at >= sizeof(frame); at += sizeof(frame)) {
        memcpy(&frame, data + at, sizeof(frame));
        if (xf_exchange_accept(&exchange, &frame, NULL) == EXTFN_OK)
            exchange.state = XF_STATE_BUSY;
    }
}

/* First byte: the type; second: rows; then the map's bytes from the status bytes on. */
static void decode(const uint8_t *data, size_t size)
{
    static char *map;
    if (!map) {
        void *bytes = mmap(NULL, XF_MAP_SIZE, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (bytes == MAP_FAILED)
            return;
        map = bytes;
    }
    if (size < 2)
        return;
    size_t used = size - 2 < 65536 ? size - 2 : 65536;
    memset(map + XF_MAP_START, 0, 65536);
    memcpy(map + XF_MAP_START, data + 2, used);
    xf_reply reply = {.map = map, .row_count = data[1], .type = (extfn_type)(data[0] % 5 + 1)};
    extfn_column *result = NULL;
    if (extfn_column_new(reply.type, &result, NULL) != EXTFN_OK)
        return;
    uint32_t next = 0;
    (void)!xf_reply_decode(&reply, 0, reply.row_count, result, &next, NULL);
    (void)xf_reply_done(&reply, 0, reply.row_count);
    extfn_column_free(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    accept(data, size);
    decode(data, size);
    return 0;
}
