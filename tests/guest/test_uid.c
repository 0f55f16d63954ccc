/* Root does not stay root. SPDX-License-Identifier: MIT */
#include "guest/supervise/uid.h"

#include "rig.h"
#include "support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST 61200U

/* Root that can become another: not so in a user namespace that maps it alone. */
static void need_root(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(geteuid() == 0 && setresuid(FIRST, FIRST, FIRST) == 0 ? 0 : 1);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    rig_need("root", status == 0);
}

static rig_options who(uint32_t first, uint32_t count)
{
    return (rig_options){.act = {"who", "0"}, .uid_first = first, .uid_count = count};
}

/* Checks that the worker gave up everything of root's; returns its uid. */
static uint32_t read_uid(const rig *it)
{
    char line[128];
    rig_read_line(it, line, sizeof(line));
    const char *const labels[] = {"uid ", " ", "gid ", " ", "groups "};
    uint32_t ids[5];
    char *next = line;
    for (size_t i = 0; i < 5; i++) {
        next = strstr(next, labels[i]);
        assert_non_null(next);
        ids[i] = (uint32_t)strtoul(next + strlen(labels[i]), &next, 10);
    }
    for (size_t i = 1; i < 4; i++)
        assert_int_equal(ids[i], ids[0]);
    assert_int_equal(ids[4], 0);
    return ids[0];
}

static void root_drops_to_a_uid_of_the_range(void **state)
{
    (void)state;
    need_root();
    rig it;
    const rig_options options = who(FIRST, 20);
    rig_start(&it, &options);
    assert_in_range(read_uid(&it), FIRST, FIRST + 19);
    rig_command(&it, XF_COMMAND_STOP);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
}

/* The sets of a process in the order of /proc: inheritable, permitted, effective. */
static void read_rights(pid_t pid, unsigned long long ret_rights[3])
{
    char path[64];
    char line[256];
    (void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    size_t count = 0;
    while (fgets(line, sizeof(line), file)) {
        if (strncmp(line, "CapInh:", 7) == 0 || strncmp(line, "CapPrm:", 7) == 0 ||
            strncmp(line, "CapEff:", 7) == 0)
            ret_rights[count++] = strtoull(line + 7, NULL, 16);
    }
    (void)fclose(file);
    assert_int_equal(count, 3);
}

/* One right may rest in the supervisors, to enter and remove a cgroup; none is handed on. */
static void of_the_rights_of_root_none_is_in_force(void **state)
{
    (void)state;
    need_root();
    rig it;
    rig_options options = who(FIRST, 20);
    options.act[0] = "hang";
    rig_start(&it, &options);
    pid_t victim = rig_read_up(&it);
    const pid_t processes[] = {it.supervisor, rig_child_of(it.supervisor), victim};
    for (size_t i = 0; i < 3; i++) {
        unsigned long long rights[3];
        read_rights(processes[i], rights);
        assert_int_equal(rights[0] | rights[2], 0);
        assert_int_equal(rights[1] & ~(processes[i] == victim ? 0ULL : 1ULL << CAP_DAC_OVERRIDE),
                         0);
    }
    rig_command(&it, XF_COMMAND_STOP);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
}

static void two_at_once_have_different_uids(void **state)
{
    (void)state;
    need_root();
    rig first;
    rig second;
    const rig_options options = who(FIRST, 2);
    rig_start(&first, &options);
    rig_start(&second, &options);
    assert_int_not_equal(read_uid(&first), read_uid(&second));

    rig third;
    rig_start(&third, &options);
    const xf_report report = rig_finish(&third);
    assert_int_equal(report.cause, XF_CAUSE_NO_UID);
    assert_int_equal(report.os_errno, EBUSY);

    rig_command(&first, XF_COMMAND_STOP);
    (void)rig_finish(&first);
    rig_start(&third, &options);
    (void)read_uid(&third);
    rig_command(&second, XF_COMMAND_STOP);
    rig_command(&third, XF_COMMAND_STOP);
    (void)rig_finish(&second);
    (void)rig_finish(&third);
}

/* As one whose supervisor was killed: nothing is claimed, but somebody runs as the uid. */
static void a_uid_that_somebody_runs_as_is_not_taken(void **state)
{
    (void)state;
    need_root();
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t squatter = fork();
    assert_true(squatter >= 0);
    if (squatter == 0) {
        bool is_there = setresuid(FIRST, FIRST, FIRST) == 0;
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when the test fails */
        if (is_there)
            (void)!write(ready[1], "x", 1);
        for (;;)
            pause();
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    rig it;
    rig_options options = who(FIRST, 1);
    rig_start(&it, &options);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_NO_UID);
    options.uid_count = 2;
    rig_start(&it, &options);
    assert_int_equal(read_uid(&it), FIRST + 1);
    rig_command(&it, XF_COMMAND_STOP);
    (void)rig_finish(&it);
    assert_int_equal(kill(squatter, SIGKILL), 0);
    assert_int_equal(waitpid(squatter, NULL, 0), squatter);
    close(ready[0]);
    close(ready[1]);
}

/* Returns a descriptor that claims `uid`, or -1 where nobody can. */
static int hold_claim(uint32_t uid)
{
    int holder = open(XF_UID_CLAIMS, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = uid, .l_len = 1};
    if (holder >= 0)
        assert_int_equal(fcntl(holder, F_OFD_SETLK, &byte), 0);
    return holder;
}

static void a_uid_that_is_claimed_is_not_taken(void **state)
{
    (void)state;
    need_root();
    int holder = hold_claim(FIRST);
    rig_need("a /run that can be written", holder >= 0);
    rig it;
    const rig_options options = who(FIRST, 1);
    rig_start(&it, &options);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_NO_UID);
    close(holder);
    rig_start(&it, &options);
    assert_int_equal(read_uid(&it), FIRST);
    rig_command(&it, XF_COMMAND_STOP);
    (void)rig_finish(&it);
}

/* As anybody may have them, whom nobody asks. */
static int bind_name(uint32_t uid)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int size = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "extfn-uid-%u", uid);
    int holder = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t used = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
    assert_int_equal(bind(holder, (struct sockaddr *)&address, used), 0);
    return holder;
}

/* What an ordinary user comes to who wants to claim every uid: an errno, or 0. */
static int claim_as_anybody(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (setgroups(0, NULL) != 0 || setresgid(FIRST, FIRST, FIRST) != 0 ||
            setresuid(FIRST, FIRST, FIRST) != 0)
            _exit(255);
        _exit(open(XF_UID_CLAIMS, O_RDONLY | O_CLOEXEC) < 0 ? errno : 0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void no_other_user_can_keep_a_uid_from_root(void **state)
{
    (void)state;
    need_root();
    int holder = bind_name(FIRST);
    rig it;
    const rig_options options = who(FIRST, 1);
    rig_start(&it, &options);
    assert_int_equal(read_uid(&it), FIRST);
    int failure = claim_as_anybody();
    assert_true(failure == EACCES || failure == ENOENT);
    rig_command(&it, XF_COMMAND_STOP);
    (void)rig_finish(&it);
    close(holder);
}

static void a_root_that_is_mapped_alone_goes_on_as_it_is(void **state)
{
    (void)state;
    char map[32];
    (void)snprintf(map, sizeof(map), "0 %u 1\n", geteuid());
    int holder = hold_claim(FIRST + 30); /* a host outside of the user namespace; -1: not root */
    rig it;
    rig_options options = who(FIRST + 30, 20);
    options.id_map = map;
    rig_start(&it, &options);
    char line[128];
    rig_read_line(&it, line, sizeof(line));
    assert_memory_equal(line, "uid 0 0 ", 8);
    rig_command(&it, XF_COMMAND_STOP);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
    if (holder >= 0)
        close(holder);
}

static void a_range_that_is_not_mapped_is_replaced(void **state)
{
    (void)state;
    need_root();
    rig it;
    rig_options options = who(100000, 20);
    options.id_map = "0 0 65536\n";
    rig_start(&it, &options);
    assert_in_range(read_uid(&it), 65000, 65199);
    rig_command(&it, XF_COMMAND_STOP);
    assert_int_equal(rig_finish(&it).cause, XF_CAUSE_STOPPED);
}

static void without_a_range_the_uid_stays(void **state)
{
    (void)state;
    rig it;
    rig_start(&it, &(rig_options){.act = {"who", "0"}});
    char line[128];
    char wanted[64];
    rig_read_line(&it, line, sizeof(line));
    (void)snprintf(wanted, sizeof(wanted), "uid %u %u ", getuid(), geteuid());
    assert_memory_equal(line, wanted, strlen(wanted));
    rig_command(&it, XF_COMMAND_STOP);
    (void)rig_finish(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root_drops_to_a_uid_of_the_range),
        cmocka_unit_test(of_the_rights_of_root_none_is_in_force),
        cmocka_unit_test(two_at_once_have_different_uids),
        cmocka_unit_test(a_uid_that_somebody_runs_as_is_not_taken),
        cmocka_unit_test(a_uid_that_is_claimed_is_not_taken),
        cmocka_unit_test(no_other_user_can_keep_a_uid_from_root),
        cmocka_unit_test(a_root_that_is_mapped_alone_goes_on_as_it_is),
        cmocka_unit_test(a_range_that_is_not_mapped_is_replaced),
        cmocka_unit_test(without_a_range_the_uid_stays),
    };
    return cmocka_run_group_tests_name("uid", tests, NULL, NULL);
}
