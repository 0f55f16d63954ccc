#include "guest/supervise/privilege.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RIGHT (UINT32_C(1) << CAP_DAC_OVERRIDE)

static bool set(uint32_t permitted, uint32_t effective)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct data[2] = {
        {.permitted = permitted, .effective = effective}};
    return syscall(SYS_capset, &header, data) == 0;
}

void xf_privilege_be_root(bool is_root)
{
    (void)!seteuid(is_root ? 0 : getuid());
}

int xf_privilege_settle(bool is_right_kept)
{
    uid_t uid = getuid();
    if (is_right_kept && prctl(PR_SET_KEEPCAPS, 1) != 0)
        return errno;
    if (setresuid(uid, uid, uid) != 0)
        return errno;
    (void)prctl(PR_SET_KEEPCAPS, 0);
    (void)prctl(PR_SET_DUMPABLE, 0); /* which a new uid may have changed */
    return !is_right_kept || set(RIGHT, 0) ? 0 : EPERM;
}

void xf_privilege_use(bool is_used)
{
    (void)set(RIGHT, is_used ? RIGHT : 0);
}
