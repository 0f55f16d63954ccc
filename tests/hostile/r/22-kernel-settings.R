# extfn: kernel_settings() -> text impure
# expect: BLOCKED refused
# layer: mounts uid-drop
# Settings that make the kernel run a program as root.
attempt <- function(path) {
  tryCatch({
    cat("hostile", file = path)
    paste("REACHED", path)
  }, error = function(e) "refused", warning = function(w) "refused")
}
paths <- c("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sysrq-trigger",
           "/proc/self/oom_score_adj", "/sys/kernel/uevent_helper", "/dev/mem", "/dev/kmsg")
result <- paste(unique(vapply(paths, attempt, "")), collapse = " ")
