#include "seal.h"

#include "proof.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__LP64__)
#define MACHINE XF_SEAL_X86_64
#elif defined(__aarch64__) && defined(__LP64__)
#define MACHINE XF_SEAL_AARCH64
#else
#error "no late filter for this architecture"
#endif

static int seal(void)
{
    struct sock_filter code[XF_SEAL_CODE_LIMIT];
    size_t count = xf_seal_build(MACHINE, (uint32_t)getpid(), code, XF_SEAL_CODE_LIMIT);
    if (count == 0)
        return -E2BIG;
    const struct sock_fprog program = {.len = (unsigned short)count, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -errno;
    long result =
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result < 0)
        return -errno;
    return result > 0 ? -EBUSY : 0; /* that thread has filters of its own */
}

int xf_guest_seal(void)
{
    uint32_t held = xf_proof_try(XF_PROOF_BEFORE_SEAL);
    int problem = seal();
    if (problem != 0)
        return problem;
    held |= xf_proof_try(XF_PROOF_AFTER_SEAL);
    xf_proof_insist(held);
    return (int)(XF_READY_SEALED | held << XF_PROOF_SHIFT);
}
