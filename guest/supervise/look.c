#include "guest/supervise/look.h"

#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#define LOAD(field) __atomic_load_n(&(field), __ATOMIC_ACQUIRE)

#define BLOCK_SIZE 512U /* of st_blocks, always */

static int map(int fd, size_t size, const unsigned char **ret_bytes)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return errno;
    if (info.st_size < (off_t)size)
        return EPROTO;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED)
        return errno;
    *ret_bytes = bytes;
    return 0;
}

int xf_maps_open(int request_fd, int reply_fd, int reply_peek, xf_maps *ret_maps)
{
    const unsigned char *request = NULL;
    const unsigned char *reply = NULL;
    int problem = map(request_fd, XF_MAP_START, &request);
    if (!problem)
        problem = map(reply_fd, XF_MAP_START + XF_ROWS_LIMIT, &reply);
    if (problem)
        return problem;
    *ret_maps = (xf_maps){.request = (const void *)request,
                          .statuses = reply + XF_MAP_START,
                          .fds = {request_fd, reply_fd},
                          .reply_peek = reply_peek};
    return 0;
}

uint32_t xf_rows_done(const volatile unsigned char *statuses, uint32_t from, uint32_t row_count)
{
    uint32_t bound = row_count < XF_ROWS_LIMIT ? row_count : XF_ROWS_LIMIT;
    uint32_t done = from < bound ? from : bound;
    while (done < bound && statuses[done] != XF_ROW_NOT_DONE)
        done++;
    return done;
}

uint64_t xf_maps_memory(const xf_maps *maps)
{
    uint64_t size = 0;
    for (size_t i = 0; i < 2; i++) {
        struct stat info;
        if (fstat(maps->fds[i], &info) == 0)
            size += (uint64_t)info.st_blocks * BLOCK_SIZE;
    }
    return size;
}

static bool is_answer_waiting(int reply_peek)
{
    struct pollfd peek = {.fd = reply_peek, .events = POLLIN};
    return poll(&peek, 1, 0) == 1 && (peek.revents & POLLIN);
}

/* The host may go on to its next call meanwhile, and would be judged by the mark of one call and
 * the limit of another: then nothing is taken to run at this moment. */
xf_observation xf_maps_look(xf_maps *maps, uint64_t now_us)
{
    const xf_request_header *request = maps->request;
    bool was_active = LOAD(request->is_active) != 0;
    xf_observation seen = {
        .now_us = now_us,
        .call = LOAD(request->call),
        .limit_us = LOAD(request->limit_us),
        .is_setup = LOAD(request->is_setup) != 0,
    };
    if (seen.call != maps->call) {
        maps->call = seen.call;
        maps->rows_done = 0;
    }
    if (was_active && !seen.is_setup)
        maps->rows_done = xf_rows_done(maps->statuses, maps->rows_done, LOAD(request->row_count));
    seen.rows_done = maps->rows_done;
    seen.is_answered = was_active && is_answer_waiting(maps->reply_peek);
    seen.is_active =
        was_active && LOAD(request->is_active) != 0 && LOAD(request->call) == seen.call;
    return seen;
}

uint64_t xf_now_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000U + (uint64_t)now.tv_nsec / 1000U;
}
