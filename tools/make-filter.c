/* make-filter MACHINE OUTPUT: the first filter's instructions for x86_64 or aarch64, as bytes that
 * the kernel takes. SPDX-License-Identifier: MIT */
#include "sandbox/filter/compile.h"

#include <linux/audit.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>

static int number_of(const xf_filter_target *target, const char *name)
{
    return seccomp_syscall_resolve_name_arch(target->audit_arch, name);
}

static int fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "make-filter: %s %s\n", what, why);
    return 1;
}

static int write_code(const xf_filter_code *code, const char *path)
{
    FILE *out = fopen(path, "wbe");
    if (!out)
        return fail(path, "cannot be opened");
    size_t written = fwrite(code->items, sizeof(code->items[0]), code->count, out);
    return fclose(out) == 0 && written == code->count ? 0 : fail(path, "cannot be written");
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fail("usage:", "make-filter MACHINE OUTPUT");
    xf_filter_target target = {.number = number_of};
    if (strcmp(argv[1], "x86_64") == 0)
        target.audit_arch = AUDIT_ARCH_X86_64;
    else if (strcmp(argv[1], "aarch64") == 0)
        target.audit_arch = AUDIT_ARCH_AARCH64;
    else
        return fail(argv[1], "has no system call filter: extfn confines on x86_64 and aarch64");
    static xf_filter_code code;
    char name[64] = "";
    const char *problem = xf_filter_compile(&target, &code, name);
    return problem ? fail(name, problem) : write_code(&code, argv[2]);
}
