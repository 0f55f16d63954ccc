#include "rig_bwrap.h"

#include "support/unit.h"

#include <sys/wait.h>
#include <unistd.h>

bool rig_can_bwrap(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl("/usr/bin/bwrap", "bwrap", "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/",
              "--", "/bin/true", (char *)NULL);
        _exit(1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status == 0;
}

rig_options rig_bwrap_options(const char *act, const char *argument)
{
    return (rig_options){
        .argv = {"/usr/bin/bwrap",
                 "--unshare-user",
                 "--unshare-pid",
                 "--unshare-net",
                 "--unshare-ipc",
                 "--unshare-uts",
                 "--die-with-parent",
                 "--new-session",
                 "--cap-drop",
                 "ALL",
                 "--perms",
                 "0555",
                 "--ro-bind-data",
                 "12",
                 "/b/enter",
                 "--perms",
                 "0555",
                 "--ro-bind-data",
                 "13",
                 "/b/victim",
                 "--size",
                 RIG_TMP_SIZE,
                 "--tmpfs",
                 "/tmp",
                 "--remount-ro",
                 "/",
                 "--",
                 "/b/enter",
                 "nofile=64,core=1",
                 "8",
                 "--",
                 "/b/victim"},
        .act = {act, argument},
        .uid_first = 61000,
        .uid_count = 200,
    };
}
