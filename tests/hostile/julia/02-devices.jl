# extfn: devices() -> text impure
# expect: BLOCKED nothing
# layer: mounts
# Devices: chance is all that there is.
names = ["null", "mem", "kmsg", "tty", "ptmx", "shm", "pts", "kvm", "fuse", "stdin", "console"]
found = filter(name -> ispath("/dev/" * name), names)
result = isempty(found) ? "nothing" : "REACHED $found"
