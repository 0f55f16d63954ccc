# extfn: processes_in_proc() -> text impure
# expect: BLOCKED nothing
# layer: mounts pid-namespace
# The environment, command line and memory of others, and of itself.
files = ["1/environ", "1/cmdline", "1/maps", "1/mem", "self/mem", "self/maps", "self/environ",
    "mounts", "sys/kernel/core_pattern", "net/tcp", "sysrq-trigger"]
found = filter(file -> ispath(joinpath("/proc", file)), files)
result = isempty(found) ? "nothing" : "REACHED $found"
