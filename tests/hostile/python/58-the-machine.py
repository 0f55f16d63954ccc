# extfn: the_machine(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 13
# The kernel, its modules, its names and its devices.
import ctypes
import errno

CALLS = [
    (169, 0, 0, 0, 0),  # reboot
    (246, 0, 0, 0, 0),  # kexec_load
    (175, 0, 0, b""),  # init_module
    (313, -1, b"", 0),  # finit_module
    (176, b"none", 0),  # delete_module
    (170, b"hostile", 7),  # sethostname
    (171, b"hostile", 7),  # setdomainname
    (167, b"/tmp", 0),  # swapon
    (163, 0),  # acct
    (179, 0, 0, 0, 0),  # quotactl
    (172, 3),  # iopl
    (173, 0, 1, 1),  # ioperm
    (103, 2, bytes(4096), 16),  # syslog
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
