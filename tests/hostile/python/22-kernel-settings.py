# extfn: kernel_settings() -> text impure
# expect: BLOCKED ENOENT
# layer: mounts uid-drop
# Settings that make the kernel run a program as root.
import errno


def attempt(path):
    try:
        with open(path, "w", encoding="ascii") as file:
            return f"REACHED {file.write('hostile')}"
    except OSError as failure:
        return errno.errorcode[failure.errno]


FILES = ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sysrq-trigger",
         "/proc/self/oom_score_adj", "/sys/kernel/uevent_helper", "/dev/mem", "/dev/kmsg")
result = " ".join(sorted({attempt(path) for path in FILES}))
