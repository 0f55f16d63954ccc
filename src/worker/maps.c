#include "worker/maps.h"

#include "os/fd.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static extfn_status map(int fd, char **ret_map, extfn_error *err)
{
    void *bytes = mmap(NULL, XF_MAP_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED)
        return xf_fail_os(err, errno, "map a worker's memory");
    *ret_map = bytes;
    return EXTFN_OK;
}

static extfn_status open_all(xf_maps *maps, extfn_error *err)
{
    XF_TRY(xf_memfd_open("extfn-request", XF_MAP_SIZE, &maps->request_fd, err));
    XF_TRY(xf_memfd_open("extfn-reply", XF_MAP_SIZE, &maps->reply_fd, err));
    XF_TRY(map(maps->request_fd, &maps->request, err));
    XF_TRY(map(maps->reply_fd, &maps->reply, err));
    /* Sealed after mapping: the host's own map of the request stays writable. */
    XF_TRY(xf_memfd_seal(maps->request_fd, true, err));
    return xf_memfd_seal(maps->reply_fd, false, err);
}

extfn_status xf_maps_open(xf_maps *maps, extfn_error *err)
{
    extfn_status status = open_all(maps, err);
    if (status != EXTFN_OK) {
        xf_maps_close(maps);
        return status;
    }
    *xf_maps_header(maps) = (xf_request_header){.magic = XF_WIRE_MAGIC, .version = XF_WIRE_VERSION};
    return EXTFN_OK;
}

void xf_maps_close_fds(xf_maps *maps)
{
    if (maps->request_fd >= 0)
        (void)close(maps->request_fd);
    if (maps->reply_fd >= 0)
        (void)close(maps->reply_fd);
    maps->request_fd = -1;
    maps->reply_fd = -1;
}

void xf_maps_close(xf_maps *maps)
{
    xf_maps_close_fds(maps);
    if (maps->request)
        (void)munmap(maps->request, XF_MAP_SIZE);
    if (maps->reply)
        (void)munmap(maps->reply, XF_MAP_SIZE);
    *maps = (xf_maps)XF_MAPS_CLOSED;
}

xf_request_header *xf_maps_header(const xf_maps *maps)
{
    return (xf_request_header *)(void *)maps->request;
}
