# extfn: risky_calls(step: number) -> text impure
# expect: KILLED SIGSYS
# layer: filter
# steps: 8
# Parts of the kernel with many holes in their past.
import ctypes
import errno

CALLS = [
    (321, 0, bytes(4096), 64),  # bpf
    (298, bytes(4096), 0, -1, -1, 0),  # perf_event_open
    (323, 1),  # userfaultfd
    (447, 0),  # memfd_secret
    (300, 0, 0),  # fanotify_init
    (154, 0, bytes(4096), 16),  # modify_ldt
    (303, -100, b"/tmp", bytes(4096), bytes(4096), 0),  # name_to_handle_at
    (304, -100, bytes(4096), 0),  # open_by_handle_at
]


def attempt(number, *words):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in words]
    value = libc.syscall(ctypes.c_long(number), *words)
    return errno.errorcode[ctypes.get_errno()] if value == -1 else f"REACHED {value}"


result = attempt(*CALLS[int(step)])
