# extfn: other_mounts(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 11
# Another view of files.
import ctypes
import errno

CALLS = [
    (165, b"none", b"/tmp", b"tmpfs", 0, 0),  # mount
    (165, b"none", b"/", b"none", 0x1020, 0),  # mount, / writable again
    (166, b"/tmp", 2),  # umount2
    (155, b"/tmp", b"/tmp"),  # pivot_root
    (161, b"/tmp"),  # chroot
    (428, -100, b"/tmp", 1),  # open_tree
    (429, -1, b"", -100, b"/tmp", 0),  # move_mount
    (430, b"tmpfs", 0),  # fsopen
    (432, -1, 0, 0),  # fsmount
    (433, -100, b"/tmp", 0),  # fspick
    (442, -100, b"/", 0, bytes(4096), 32),  # mount_setattr
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
