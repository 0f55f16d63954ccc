/* What a worker's supervisor is told, with pipes in the worker's place. */
#include "worker/worker.h"

#include "support/unit.h"

#include <fcntl.h>
#include <unistd.h>

enum { READ_END, WRITE_END };

static bool is_counted(const xf_worker *worker)
{
    return xf_maps_header(&worker->maps)->is_active != 0;
}

/* The host reads what does not fit any longer: that is no time of the row. */
static void the_time_in_which_a_full_map_is_read_is_not_counted(void **state)
{
    (void)state;
    int requests[2];
    int replies[2];
    assert_int_equal(pipe2(requests, O_CLOEXEC), 0);
    assert_int_equal(pipe2(replies, O_CLOEXEC | O_NONBLOCK), 0);
    xf_worker worker = {.maps = XF_MAPS_CLOSED,
                        .out = {.fd = -1},
                        .err = {.fd = -1},
                        .request_pipe = requests[WRITE_END],
                        .reply_pipe = replies[READ_END],
                        .report_pipe = -1,
                        .lifeline = -1,
                        .supervisor_fd = -1};
    assert_int_equal(xf_maps_open(&worker.maps, NULL), EXTFN_OK);
    xf_worker_begin_call(&worker, 10, 1000000);
    assert_true(is_counted(&worker));
    const xf_frame full = {.magic = XF_WIRE_MAGIC,
                           .version = XF_WIRE_VERSION,
                           .type = XF_FRAME_FULL,
                           .call = worker.exchange.call,
                           .first_row = 4,
                           .row_count = 10};
    assert_int_equal(write(replies[WRITE_END], &full, sizeof(full)), sizeof(full));
    assert_int_equal(xf_worker_step(&worker, -1, -1), XF_EVENT_FULL);
    assert_false(is_counted(&worker));
    xf_worker_continue(&worker);
    assert_true(is_counted(&worker));
    xf_maps_close(&worker.maps);
    for (int i = 0; i < 2; i++) {
        (void)close(requests[i]);
        (void)close(replies[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_in_which_a_full_map_is_read_is_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
