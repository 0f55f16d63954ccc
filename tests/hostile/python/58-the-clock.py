# extfn: the_clock(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter user-namespace
# steps: 4
# The time of the machine.
import ctypes
import errno

CALLS = [
    (227, 0, bytes(4096)),  # clock_settime
    (164, bytes(4096), 0),  # settimeofday
    (159, bytes(4096)),  # adjtimex
    (305, 0, bytes(4096)),  # clock_adjtime
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
