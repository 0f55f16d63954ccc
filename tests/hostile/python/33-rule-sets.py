# extfn: rule_sets() -> text impure
# expect: BLOCKED EPERM
# layer: seal
# opens: seal
# Each set of rules keeps memory of the kernel.
import ctypes
import errno

CALLS = [
    (444, bytes.fromhex("ff1f000000000000"), 8, 0),  # landlock_create_ruleset
    (446, -1, 0),  # landlock_restrict_self
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = " ".join(sorted({attempt(*call) for call in CALLS}))
