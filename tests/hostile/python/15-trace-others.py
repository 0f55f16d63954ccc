# extfn: trace_others(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter seal pid-namespace
# steps: 3
# Takes over the first process of the sandbox, which would never end then.
import ctypes
import errno

CALLS = [
    (101, 16, 1, 0, 0),  # PTRACE_ATTACH
    (101, 0x4206, 1, 0, 0),  # PTRACE_SEIZE
    (101, 0, 0, 0, 0),  # PTRACE_TRACEME
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
