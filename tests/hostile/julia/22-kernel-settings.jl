# extfn: kernel_settings() -> text impure
# expect: BLOCKED refused
# layer: mounts uid-drop
# Settings that make the kernel run a program as root.
function attempt(path)
    try
        open(file -> write(file, "hostile"), path, "w")
        "REACHED " * path
    catch failure
        failure isa SystemError ? "refused" : rethrow()
    end
end
paths = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sysrq-trigger",
    "/proc/self/oom_score_adj", "/sys/kernel/uevent_helper", "/dev/mem", "/dev/kmsg"]
result = join(unique(map(attempt, paths)), " ")
