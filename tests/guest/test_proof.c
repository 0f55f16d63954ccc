/* What the seal tries from inside: where nothing confines it, every attempt gets through.
 * SPDX-License-Identifier: MIT */
#include "guest/lib/proof.h"
#include "support/require.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALL_PROOFS ((XF_PROOF_SHARED_MEMORY << 1) - 1)

static void nothing_is_held_in_a_plain_process(void **state)
{
    (void)state;
    assert_int_equal(xf_proof_try(XF_PROOF_BEFORE_SEAL), 0);
    uint32_t held = xf_proof_try(XF_PROOF_AFTER_SEAL);
#ifdef __SANITIZE_THREAD__ /* which has taken the address space */
    held &= ~(uint32_t)XF_PROOF_MEMORY;
#endif
    assert_int_equal(held, 0);
}

/* The one attempt that is no system call: the limits of this process alone do not make it held. */
static void a_tmp_of_the_host_is_never_held(void **state)
{
    (void)state;
    struct statfs found;
    assert_int_equal(statfs("/tmp", &found), 0);
    XF_TEST_REQUIRE("a /tmp that is no tmpfs", found.f_type != TMPFS_MAGIC);
    const struct rlimit file = {.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &file), 0);
    uint32_t held = xf_proof_try(XF_PROOF_AFTER_SEAL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(held & XF_PROOF_TMP, 0);
}

static void a_limit_of_memory_is_seen(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit data = {.rlim_cur = 1 << 30, .rlim_max = 1 << 30};
        bool is_set = setrlimit(RLIMIT_DATA, &data) == 0;
        _exit(is_set && xf_proof_try(XF_PROOF_AFTER_SEAL) == XF_PROOF_MEMORY ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* A host that asks for `flags`, as the guest library finds it; what the child told it. */
static xf_frame insist(uint32_t flags, uint32_t held, int *ret_status)
{
    int map = memfd_create("request", MFD_CLOEXEC);
    const xf_request_header header = {.call = 7};
    const xf_setup setup = {.flags = flags << XF_PROOF_SHIFT | XF_SETUP_SEAL};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(ftruncate(map, XF_MAP_SIZE), 0);
    assert_int_equal(pwrite(map, &header, sizeof(header), 0), sizeof(header));
    assert_int_equal(pwrite(map, &setup, sizeof(setup), XF_MAP_START), sizeof(setup));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int pipe_fd = fcntl(ends[1], F_DUPFD, 20);
        int map_fd = fcntl(map, F_DUPFD, 20);
        if (dup2(pipe_fd, XF_FD_REPLY_PIPE) < 0 || dup2(map_fd, XF_FD_REQUEST_MAP) < 0)
            _exit(9);
        xf_proof_insist(held);
        _exit(1);
    }
    (void)close(ends[1]);
    assert_int_equal(waitpid(child, ret_status, 0), child);
    xf_frame frame = {0};
    assert_true(read(ends[0], &frame, sizeof(frame)) >= 0);
    (void)close(ends[0]);
    (void)close(map);
    return frame;
}

static void a_worker_without_a_layer_tells_it_and_ends(void **state)
{
    (void)state;
    int status = -1;
    xf_frame frame = insist(ALL_PROOFS, ALL_PROOFS & ~(uint32_t)XF_PROOF_VIEW, &status);
    assert_int_equal(status, 0);
    assert_int_equal(frame.magic, XF_WIRE_MAGIC);
    assert_int_equal(frame.type, XF_FRAME_READY);
    assert_int_equal(frame.call, 7);
    assert_int_equal(frame.row_count, 1);
    assert_int_equal(frame.detail >> XF_PROOF_SHIFT, ALL_PROOFS & ~(uint32_t)XF_PROOF_VIEW);
}

static void a_worker_that_has_what_was_asked_for_goes_on(void **state)
{
    (void)state;
    int status = -1;
    xf_frame frame = insist(XF_PROOF_FORK, XF_PROOF_FORK | XF_PROOF_VIEW, &status);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_int_equal(frame.magic, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_held_in_a_plain_process),
        cmocka_unit_test(a_tmp_of_the_host_is_never_held),
        cmocka_unit_test(a_limit_of_memory_is_seen),
        cmocka_unit_test(a_worker_without_a_layer_tells_it_and_ends),
        cmocka_unit_test(a_worker_that_has_what_was_asked_for_goes_on),
    };
    return cmocka_run_group_tests_name("proof", tests, NULL, NULL);
}
