# extfn: device_nodes() -> text impure
# expect: BLOCKED ENOSYS
# layer: filter
# A pipe and a device with names, for whoever opens them.
import ctypes
import errno

CALLS = [
    (133, b"/tmp/hostile-pipe", 0x11b6, 0),  # mknod, a pipe
    (133, b"/tmp/hostile-mem", 0x21b6, 257),  # mknod, /dev/mem
    (259, -100, b"/tmp/hostile-other", 0x21b6, 257),  # mknodat
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
